import { describe, expect, it } from 'vitest';
import { Journal } from './durable/journal.ts';
import { loops, refundAgent, refundSkills, type Loop, type RefundResult } from './durable/refund-agent.ts';
import { expectedCounts, places, recordOf, type World } from './durable/world.ts';

/** A world in memory; `hold` stops a run for good at one place. */
class TestWorld implements World {
  readonly entries: { what: string; bytes: string }[] = [];
  readonly effects: string[] = [];
  readonly #held = Promise.withResolvers<'killed'>();
  place: string | undefined;

  readonly killed: Promise<'killed'> = this.#held.promise;

  async note(what: string, bytes = ''): Promise<void> {
    this.entries.push({ what, bytes });
  }
  async act(key: string): Promise<void> {
    if (!this.effects.includes(key)) this.effects.push(key);
  }
  async hold(place: string): Promise<void> {
    if (place !== this.place) return;
    // What else runs, ends first.
    for (let rest = 0; rest < 50; rest += 1) await new Promise((resolve) => setImmediate(resolve));
    this.#held.resolve('killed');
    await new Promise(() => {});
  }
}

/** A run that is killed at a place, and then goes on with what was recorded. */
async function killedAt(
  place: string | undefined,
  loop: Loop,
  by: 'order' | 'name',
  body?: string,
): Promise<{ world: TestWorld; result: RefundResult }> {
  const journal = new Journal(by);
  const world = new TestWorld();
  if (place !== undefined) {
    world.place = place;
    const first = refundAgent(loop, journal.engine('w'), world, refundSkills());
    expect(await Promise.race([first, world.killed])).toBe('killed');
    world.place = undefined;
  }
  return { world, result: await refundAgent(loop, journal.engine('w'), world, refundSkills(body)) };
}

describe.each(loops)('FLW-5: the loop of %s on a journal', (loop) => {
  it.each(['order', 'name'] as const)(
    'FLW-5: that finds steps by %s: killed at any place, it ends in the same state, with the same bytes to the model; only the step that was cut runs again',
    async (by) => {
      const calm = await killedAt(undefined, loop, by);
      expect(calm.result).toMatchObject({ text: 'Refunded.', loaded: ['refunds'] });
      expect(calm.result.answers[0]).toContain('Error (not-loaded)');
      expect(calm.result.answers.slice(2)).toEqual([
        'charge ok',
        'mail ok',
        expect.stringContaining('Policy of: First charge, then mail.'),
      ]);
      const expected = recordOf(calm.world.entries);
      expect(expected.began).toEqual(expectedCounts());
      for (const place of places) {
        const { world, result } = await killedAt(place, loop, by);
        const record = recordOf(world.entries);
        expect([place, result]).toEqual([place, calm.result]);
        expect([place, record.began]).toEqual([place, expectedCounts(place)]);
        expect([place, record.read]).toEqual([place, expected.read]);
        expect([place, world.effects.toSorted()]).toEqual([place, ['w:2-charge', 'w:2-mail']]);
      }
    },
  );

  it('FLW-5: a skill that changed between crash and recovery: what was read stays, and nothing of another content is read for it', async () => {
    const [loaded, unread, late] = [
      await killedAt('behind call 2-charge', loop, 'order', 'Never mail.'),
      await killedAt('behind model#2', loop, 'order', 'Never mail.'),
      await killedAt('behind model#3', loop, 'order', 'Never mail.'),
    ];
    const [, text, , , file] = loaded.result.answers;
    expect(text).toContain('First charge, then mail.');
    expect(file).toContain('Policy of: First charge, then mail.');
    expect(unread.result.answers[1]).toContain('Never mail.');
    expect(late.result.answers[1]).toContain('First charge, then mail.');
    // The file is one of another content than the run loaded.
    expect(late.result.answers[4]).toContain('Error (skill-changed)');
    // The gate is open in all of them: version and revision are those of the recorded listing.
    for (const { result } of [loaded, unread, late]) expect(result.answers[2]).toBe('charge ok');
  });
});
