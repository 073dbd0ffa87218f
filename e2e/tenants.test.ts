import { describe, expect, it } from 'vitest';
import { propertyRuns } from '../test/support/property-runs.ts';
import { tenantDifferences } from './fuzz/support/tenants.ts';

/** How many programs each rule is tried on. `pnpm fuzz --target tenants` goes on with others. */
const programs = propertyRuns(280);

describe('tenants', () => {
  it('GOV-10: `select` hides what another tenant has: programs are given the same bytes with and without it (ATK-401)', async () => {
    for (let seed = 1; seed <= programs / 2; seed += 1) {
      expect(await tenantDifferences(seed, 'select'), `seed ${seed}`).toEqual([]);
      expect(await tenantDifferences(seed + 1_000, 'selectSkills'), `seed ${seed}`).toEqual([]);
    }
  });

  it('GOV-10: so does `permissions` that refuses to list, load and read (ATK-402)', async () => {
    for (let seed = 1; seed <= programs; seed += 1) expect(await tenantDifferences(seed, 'permissions'), `seed ${seed}`).toEqual([]);
  });
});
