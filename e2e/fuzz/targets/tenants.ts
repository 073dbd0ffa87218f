import type { FuzzTarget } from '../../../tools/fuzz/fuzz-target.ts';
import { bytesOf } from '../support/bytes.ts';
import { tenantDifferences, type TenantRule } from '../support/tenants.ts';

const rules: readonly TenantRule[] = ['select', 'selectSkills', 'permissions'];

/** Programs of a tenant, each made from a number: the skills of another tenant change nothing that it is given. */
export const target: FuzzTarget = {
  form: 'bytes',
  words: [],
  seeds: () => bytesOf('a', 'bcd', 'efgh', '1234567', '12345678'),
  maxBytes: 8,
  budget: { freeMs: 2_000, msPerKib: 0 },
  async run(input) {
    const seed = input.reduce((sum, byte) => (Math.imul(sum, 31) + byte) >>> 0, 7);
    for (const rule of rules) {
      const [first] = await tenantDifferences(seed, rule);
      if (first !== undefined) throw new Error(`Seed ${seed}, ${rule}: ${JSON.stringify(first)}`);
    }
  },
};
