import type { SkillState } from '@repertoire/skills-core';
import type { SkillsBinding } from '../binding/bind-skills.ts';
import { runOf, stateOfRuntime } from '../binding/skills-run.ts';
import type { RefuseCall } from './gate-tool.ts';

/**
 * Judges a call in a tool's own execution, with the graph's state from its runtime.
 *
 * @param outside what is loaded outside of a graph. @default nothing
 */
export function refuseCall<Context>(binding: SkillsBinding<Context>, outside?: () => SkillState): RefuseCall {
  return async (tool, input, config, broughtBy) => {
    const state = stateOfRuntime(config);
    const loaded = state === undefined || state === null ? outside?.() : undefined;
    const verdict = await binding.judge({ tool, input, broughtBy }, state, runOf(config), loaded);
    return verdict.decision === 'denied' ? String(verdict.error) : null;
  };
}
