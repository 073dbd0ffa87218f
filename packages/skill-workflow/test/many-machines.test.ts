import { expect, it } from 'vitest';
import { effectsOf, loadTest } from './load/load-test.ts';
import { startTestPostgres } from '../../../test/support/postgres.ts';

it('FLW-3: on two workers that are killed, one of them for good, nothing is lost and nothing that finished runs again', async () => {
  await using postgres = await startTestPostgres();
  const { completed, lost, repeated, effects, kills } = await loadTest({
    url: postgres.url,
    workflows: 24,
    workers: 2,
    killEvery: 6,
    seed: 1,
  });
  expect({ completed, lost, repeated, effects }).toEqual({ completed: 24, lost: 0, repeated: 0, effects: effectsOf(24) });
  expect(kills).toBeGreaterThan(1);
});
