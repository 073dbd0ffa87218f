import type { SkillSession, Skillset, SkillState } from '@repertoire/skills-core';
import { loadedSkill } from '@repertoire/skills-core/adapter';
import { skillAdapterCases, type AdapterSetup, type SkillAdapterUnderTest } from '@repertoire/skills-testkit/adapter';
import { inCodeLibraries } from '../src/adapter/parity/parity-library.ts';
import { playReference } from '../src/adapter/parity/plain-loop.ts';
import type { SkillAdapterRequirementId } from '../src/adapter/skill-adapter-cases.ts';
import { testSkillAdapter } from '@repertoire/skills-testkit/vitest';
import { describe, expect, it } from 'vitest';
import { tinyAdapter } from './guide/tiny-adapter.ts';

testSkillAdapter(tinyAdapter);

/**
 * An adapter that uses the session wrongly in one place, the case that is meant for it, and what
 * the case says.
 */
interface NaiveAdapter {
  readonly fault: string;
  readonly fails: SkillAdapterRequirementId;
  readonly says: RegExp;
  readonly spoil: (session: SkillSession) => Partial<SkillSession>;
  /** What it gives the core instead of what it was given. @default the same */
  readonly gives?: Pick<AdapterSetup, 'restore'>;
}

const naive: readonly NaiveAdapter[] = [
  {
    fault: 'runs the tools of the host without asking',
    fails: 'gates/open',
    says: /The tools that ran/,
    spoil: () => ({ judgeCall: async () => allowed }),
  },
  {
    fault: 'opens a tool for any loaded skill that names it',
    fails: 'gates/untrusted',
    says: /beside an untrusted source/,
    spoil: (session) => ({
      judgeCall: async (state, call) =>
        session.catalog.listed.some(({ name, tools }) => tools?.includes(call.tool) === true && loadedSkill(state, name) !== undefined)
          ? allowed
          : await session.judgeCall(state, call),
    }),
  },
  {
    fault: 'judges a call by what its own step has just loaded',
    fails: 'parity/usual',
    says: /Message \d+ of call \d+ .*refunded A-17/,
    spoil: (session) => {
      let last: SkillState | undefined;
      return {
        state: (...given) => (last = session.state(...given)),
        apply: (...given) => (last = session.apply(...given)),
        judgeCall: (state, call) => session.judgeCall(last ?? state, call),
      };
    },
  },
  {
    fault: 'believes the messages though the server keeps the state',
    fails: 'gates/forged',
    says: /on the word of a client, though the server keeps the state/,
    spoil: (session) => ({ state: (transcript) => session.state(transcript) }),
  },
  {
    fault: 'gives the model no catalog',
    fails: 'parity/usual',
    says: /The system prompt of call 1 /,
    spoil: () => ({ instructions: (base = '') => base }),
  },
  {
    fault: 'forgets the instructions that stand in the system prompt',
    fails: 'parity/unusual',
    says: /The system prompt of call/,
    spoil: () => ({ activeInstructions: async () => '' }),
  },
  {
    fault: 'restores nothing after a cut',
    fails: 'parity/usual',
    says: /essages? (?:\d+ )?of call/,
    spoil: () => ({}),
    gives: { restore: { tokenBudget: 0 } },
  },
  {
    fault: 'does not record what is loaded',
    fails: 'parity/usual',
    says: /The state at call/,
    spoil: () => ({ apply: (state) => state }),
  },
  {
    fault: 'shows the skill tools in another order',
    fails: 'parity/usual',
    says: /The tools of call 1 /,
    spoil: (session) => ({ tools: session.tools.toReversed() }),
  },
];

describe('CON-4: an adapter with one fault fails the case that is meant for it', () => {
  it.each(naive)('an adapter that $fault', async ({ fails, says, spoil, gives }) => {
    const adapter: SkillAdapterUnderTest = {
      ...tinyAdapter,
      // Also with the fewest worlds, which frameworks that take long are tried on.
      worlds: 8,
      converse: (setup) => tinyAdapter.converse({ ...setup, ...gives, skillset: spoiled(setup.skillset, spoil) }),
    };
    const meant = skillAdapterCases(adapter).find(({ id }) => id === fails);
    await expect(meant?.run()).rejects.toThrow(says);
  });
});

it('CON-4: the optional abilities are tried only if the adapter declares them', () => {
  const ids = (extended: boolean) => skillAdapterCases({ ...tinyAdapter, extended }).map(({ id }) => id);
  expect(ids(true)).toEqual(expect.arrayContaining([...ids(false), 'parity/extended']));
  expect(ids(false)).not.toContain('parity/extended');
});

it('CON-4: the extended conversation runs tools of skills and forks, and repeats instructions', async () => {
  const calls = await playReference(inCodeLibraries(), 'extended');
  const results = (calls.at(-1)?.messages ?? []).flatMap((message) => (message.from === 'tool' ? [message] : []));
  const answersOf = (tool: string) => results.flatMap((result) => (result.tool === tool ? [result.text] : []));
  expect(answersOf('make_stamp')).toEqual(['stamp of A-17', 'stamp of A-18', 'stamp of B-2']);
  expect(answersOf('print_label')).toEqual(['label of A-17', 'label of B-2']);
  const loads = answersOf('load_skill');
  expect(loads.filter((text) => text.startsWith('<skill_result'))).toHaveLength(3);
  // The model asks for it once.
  expect(loads.filter((text) => text.startsWith('<skill_content name="labels"')).length).toBeGreaterThan(1);
});

const allowed = { decision: 'allowed', because: 'Nobody asked the core.' } as const;

function spoiled<Context>(skillset: Skillset<Context>, spoil: NaiveAdapter['spoil']): Skillset<Context> {
  return {
    ...skillset,
    open: async (...given) => {
      const session = await skillset.open(...given);
      return { ...session, ...spoil(session) };
    },
  };
}
