import type { SkillDiagnostic, SkillState } from '@repertoire/skills-core';
import { skillStateSeal } from '@repertoire/skills-core/adapter';
import type { LoadedSkill } from '@repertoire/skills-core/internal';
import type { LoadedSkills } from '../state/skills-state.ts';
import type { SkillsOptions } from './skills-options.ts';
import { threadOf, type SkillsRun } from './skills-run.ts';

/** A run without a thread has no name, so all such runs are one conversation for the seal. */
const sealWithoutThread: SkillDiagnostic = {
  code: 'state-secret-without-thread',
  severity: 'warning',
  message: '`stateSecret` seals what is loaded, but this run has no thread_id: every run without one accepts the sealed entries.',
  fix: 'Call the graph with `configurable: { thread_id }`, one for each conversation.',
};

/** Signs what is loaded. A sealed entry counts only in its thread and namespace. */
export interface ThreadSeal {
  /** The claimed entries whose seal is valid. */
  open(claimed: SkillState, run: SkillsRun): Promise<SkillState>;
  seal(entries: LoadedSkills, run: SkillsRun): Promise<LoadedSkills>;
}

/** @returns `undefined` without `stateSecret` */
export function threadSeal(
  { stateSecret, namespace }: Pick<SkillsOptions, 'stateSecret' | 'namespace'>,
  report: (diagnostic: SkillDiagnostic) => void,
): ThreadSeal | undefined {
  if (stateSecret === undefined) return undefined;
  const seal = skillStateSeal(stateSecret);
  const scopeOf = (run: SkillsRun) => JSON.stringify([threadOf(run) ?? null, namespace ?? null]);
  return {
    open: async (claimed, run) => seal.open(claimed, scopeOf(run)),
    async seal(entries, run) {
      if (threadOf(run) === undefined) report(sealWithoutThread);
      const loaded = Object.fromEntries(Object.entries(entries).filter((entry): entry is [string, LoadedSkill] => entry[1] !== null));
      return { ...entries, ...(await seal.seal({ loaded }, scopeOf(run))).loaded };
    },
  };
}
