import { describe, expect, it } from 'vitest';
import { tenantDifferences } from './fuzz/support/tenants.ts';

/** `pnpm fuzz --target tenants` goes on with other programs. */
describe('tenants', () => {
  it('GOV-10: `select` hides what another tenant has: 150 programs are given the same bytes with and without it (ATK-401)', async () => {
    for (let seed = 1; seed <= 75; seed += 1) {
      expect(await tenantDifferences(seed, 'select'), `seed ${seed}`).toEqual([]);
      expect(await tenantDifferences(seed + 1_000, 'selectSkills'), `seed ${seed}`).toEqual([]);
    }
  });

  it('GOV-10: so does `permissions` that refuses to list, load and read: 150 programs (ATK-402)', async () => {
    for (let seed = 1; seed <= 150; seed += 1) expect(await tenantDifferences(seed, 'permissions'), `seed ${seed}`).toEqual([]);
  });
});
