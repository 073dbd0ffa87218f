import { Session } from 'node:inspector/promises';
import { describe, expect, it } from 'vitest';
import { emptySkillState, type SkillEvent, type SkillState } from '@repertoire/skills-core';
import { skillStateFromTranscript, type SkillTranscriptEntry } from '@repertoire/skills-core/adapter';
import { foldSkillEvents } from '../../src/state/skill-state-fold.ts';

/** How often the blocks of the modules of the state run, and how many entries they have turned into objects and back. */
async function operations(work: () => unknown): Promise<number> {
  const session = new Session();
  session.connect();
  const { entries, fromEntries } = Object;
  let count = 0;
  const counted = <Of extends (value: never) => unknown>(call: Of): Of =>
    ((value: never) => {
      const made = call(value);
      count += Array.isArray(made) ? made.length : Object.keys(made as object).length;
      return made;
    }) as Of;
  try {
    await session.post('Profiler.enable');
    await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: true });
    Object.assign(Object, { entries: counted(entries), fromEntries: counted(fromEntries as never) });
    work();
    Object.assign(Object, { entries, fromEntries });
    const { result } = await session.post('Profiler.takePreciseCoverage');
    const blocks = result
      .filter(({ url }) => url.includes('/skills-core/src/state/'))
      .flatMap(({ functions }) => functions.flatMap(({ ranges }) => ranges.map((range) => range.count)));
    return blocks.reduce((sum, times) => sum + times, count);
  } finally {
    Object.assign(Object, { entries, fromEntries });
    session.disconnect();
  }
}

const load = (index: number, at?: number): SkillEvent => ({ type: 'loaded', name: `s${index}`, revision: 'r', texts: ['t'], at });
const unload = (index: number): SkillEvent => ({ type: 'unloaded', name: `s${index}` });
const times = <Made>(count: number, make: (index: number) => Made): Made[] => Array.from({ length: count }, (_, index) => make(index));
const loads = (count: number, at?: (index: number) => number): SkillEvent[] => times(count, (index) => load(index, at?.(index)));
const loaded = (count: number): SkillState => foldSkillEvents(emptySkillState, loads(count));
/** A state that somebody claims: all ranks in the order that is the worst. */
const claimed = (count: number, sequence: (index: number) => number): SkillState => ({
  loaded: Object.fromEntries(
    times(count, (index) => [
      `s${index}`,
      { source: '', version: null, revision: 'r', texts: ['t'], sequence: sequence(index), inContext: true, at: index },
    ]),
  ),
});
const entry = (tool: string, output: string): SkillTranscriptEntry => ({ tool, input: {}, output });

const work: Readonly<Record<string, (count: number) => () => unknown>> = {
  loads: (count) => () => foldSkillEvents(emptySkillState, loads(count)),
  'loads at one place': (count) => () =>
    foldSkillEvents(
      emptySkillState,
      loads(count, () => 7),
    ),
  'unloads, the last first': (count) => () =>
    foldSkillEvents(
      loaded(count),
      times(count, (index) => unload(count - 1 - index)),
    ),
  'unloads, the first first': (count) => () => foldSkillEvents(loaded(count), times(count, unload)),
  'one skill beside many, loaded and unloaded again and again': (count) => () =>
    foldSkillEvents(
      claimed(count, () => 1),
      times(count, (index) => (index % 2 === 0 ? load(count, -1) : unload(count))),
    ),
  'ranks emptied at once': (count) => () =>
    foldSkillEvents(
      claimed(count, (index) => index % 2),
      times(count, unload),
    ),
  'ranks that descend': (count) => () =>
    foldSkillEvents(
      claimed(count, (index) => count - index),
      times(count, unload),
    ),
  'events of a skill beside many': (count) => () =>
    foldSkillEvents(
      loaded(count),
      times(count, (index) => ({ type: 'given', name: 's0', text: `${index}` })),
    ),
  compactions: (count) => () =>
    foldSkillEvents(
      loaded(count),
      times(count, () => ({ type: 'compacted' })),
    ),
  'compactions between loads': (count) => () =>
    foldSkillEvents(
      emptySkillState,
      times(count, (index) => (index % 2 === 0 ? load(index) : { type: 'compacted' })),
    ),
  'single activation': (count) => () =>
    foldSkillEvents(
      claimed(count, (index) => index),
      loads(count),
      'single',
    ),
  'a transcript': (count) => () =>
    skillStateFromTranscript([
      ...times(count, (index) => entry('load_skill', `<skill_content name="s${index}" revision="r">\nx\n</skill_content>`)),
      ...times(count, (index) => entry('unload_skill', `<skill_unloaded name="s${count - 1 - index}">\nx\n</skill_unloaded>`)),
    ]),
};

describe('the fold of a state', () => {
  it.each(Object.keys(work))('DIS-13: its work grows as the number of events does: %s', async (name) => {
    const [once, twice] = [await operations(work[name]!(400)), await operations(work[name]!(800))];
    expect(once).toBeGreaterThan(400);
    expect(twice / once).toBeLessThan(2.4);
  });
});
