import { describe, expect, it } from 'vitest';
import { inForcePage } from './in-force/page.ts';
import { conditions, situation, uses, type Condition } from './in-force/world.ts';

/** What a use gave, in the words of the page. */
function outcomeOf(given: string, isLoaded: boolean): string {
  const marks = new Set(given.match(/\bV[12]\b/g));
  if (marks.size > 1) return 'MIXED';
  if (marks.has('V1')) return isLoaded ? 'as loaded' : 'yes';
  if (marks.has('V2')) return 'as it is now';
  if (given === 'costly') return 'yes';
  return /^(?:yes|no|open|closed|holds|ends|nothing)$/.test(given) ? given : 'no';
}

const cells = new Map<string, Map<string, string>>();
const loaded = Object.keys(uses).filter((use) => !use.startsWith('not loaded'));
const texts = ['its instructions, restored', 'a file', 'the list of files', 'a script', 'its workflow'];
const none: ReadonlySet<string | undefined> = new Set(['no', 'closed', 'nothing']);

describe('every use of a skill under every condition', () => {
  it.each(Object.entries(uses))('GOV-16: %s', async (use, attempt) => {
    const outcomes = new Map<string, string>();
    for (const condition of conditions) {
      const its = await situation(condition, use === 'a restriction', use === 'renewal by the host');
      outcomes.set(condition, outcomeOf(await attempt(its), loaded.includes(use)));
    }
    cells.set(use, outcomes);
    const at = (condition: Condition) => outcomes.get(condition);
    if (use === 'a restriction') {
      // Restricting is a grant: what nobody gave has no effect.
      for (const condition of conditions)
        expect([condition, at(condition)]).toEqual([condition, condition === 'not approved' ? 'ends' : 'holds']);
      return undefined;
    }
    if (use === 'renewal by the host') {
      for (const condition of conditions)
        expect([condition, at(condition)]).toEqual([condition, condition === 'another content' ? 'as it is now' : 'nothing']);
      return undefined;
    }
    expect(none.has(at('in force')), 'it works where nothing stands in its way').toBe(false);
    for (const condition of ['another name is claimed', 'not selected', 'not permitted', 'not approved'] as const)
      if (loaded.includes(use)) expect([condition, none.has(at(condition))]).toEqual([condition, true]);
    if (loaded.includes(use)) {
      expect([...outcomes.values()]).not.toContain('as it is now');
      if (!texts.includes(use))
        for (const condition of ['trusted no more', 'another content', 'gone', 'source away', 'listing too old'] as const)
          expect([condition, none.has(at(condition))]).toEqual([condition, true]);
    } else {
      for (const condition of ['not selected', 'not permitted', 'not approved', 'gone', 'source away'] as const)
        expect([condition, none.has(at(condition))]).toEqual([condition, true]);
    }
    return undefined;
  });

  it('GOV-16: stands on its page, with no cell empty', async () => {
    expect([...cells.values()].every((outcomes) => conditions.every((condition) => (outcomes.get(condition) ?? '') !== ''))).toBe(true);
    await expect(inForcePage(cells)).toMatchFileSnapshot('../docs/reference/in-force.md');
  });
});
