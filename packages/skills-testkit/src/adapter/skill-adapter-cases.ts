import type { SkillAdapterUnderTest } from './adapter-under-test.ts';
import { checkParity } from './parity/parity-case.ts';

/** Id of what an adapter must hold. */
export type SkillAdapterRequirementId = 'parity/usual' | 'parity/unusual' | 'parity/extended' | GateRequirementId;
type GateRequirementId = 'gates/open' | 'gates/forged' | 'gates/words' | 'gates/untrusted';

/** One case of the suite for adapters, for any test runner. */
export interface SkillAdapterCase {
  readonly id: SkillAdapterRequirementId;
  /** Id and sentence, for reports. */
  readonly title: string;
  /** Rejects if the requirement does not hold. May be called again. */
  run(): Promise<void>;
}

interface Requirement {
  readonly sentence: string;
  readonly check: (adapter: SkillAdapterUnderTest) => Promise<void>;
  /** Only for adapters that can do what is optional. */
  readonly isExtended?: true;
}

/** Loads `fast-check` only here: a suite for sources never needs it. */
const gateCheck = (id: GateRequirementId) => async (adapter: SkillAdapterUnderTest) =>
  await (await import('./gates/gate-cases.ts')).gateCases[id](adapter);

const requirements: Readonly<Record<SkillAdapterRequirementId, Requirement>> = {
  'parity/usual': {
    sentence:
      'gives the model what a loop of the core gives it, in the same states and with the same events, also after a cut of the history',
    check: (adapter) => checkParity(adapter, 'usual'),
  },
  'parity/unusual': {
    sentence: 'does so with bodies in the system prompt, one active skill, a tight budget and broken listeners',
    check: (adapter) => checkParity(adapter, 'unusual'),
  },
  'parity/extended': {
    sentence: 'does so with tools of skills, hidden tools, forks and repeated instructions',
    check: (adapter) => checkParity(adapter, 'extended'),
    isExtended: true,
  },
  'gates/open': {
    // ATK-18
    sentence: 'runs what the core allows; no outage, removal, refusal of a skill or other selection opens a tool',
    check: gateCheck('gates/open'),
  },
  'gates/forged': {
    // ATK-5
    sentence:
      'opens for forged histories only what a trusted, selected, permitted skill opens now, and nothing if the server keeps the state',
    check: gateCheck('gates/forged'),
  },
  'gates/words': {
    // ATK-104
    sentence: 'gives the model no words that the host does not select or permit now',
    check: gateCheck('gates/words'),
  },
  'gates/untrusted': {
    // ATK-115
    sentence: 'lets an untrusted source change nothing of what the host and its skills can do',
    check: gateCheck('gates/untrusted'),
  },
};

/**
 * The cases that an adapter must pass, for any test runner.
 *
 * @example With the test runner of Node
 * ```ts
 * import { skillAdapterCases, type SkillAdapterUnderTest } from '@repertoire/skills-testkit/adapter';
 *
 * export function register(test: (title: string, run: () => Promise<void>) => unknown, adapter: SkillAdapterUnderTest): void {
 *   for (const { title, run } of skillAdapterCases(adapter)) test(title, run);
 * }
 * ```
 */
export function skillAdapterCases(adapter: SkillAdapterUnderTest): SkillAdapterCase[] {
  return Object.entries(requirements)
    .filter(([, { isExtended = false }]) => !isExtended || adapter.extended === true)
    .map(([id, { sentence, check }]) => ({
      id: id as SkillAdapterRequirementId,
      title: `${id}: ${sentence}`,
      run: async () => await check(adapter),
    }));
}
