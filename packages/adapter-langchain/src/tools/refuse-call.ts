import type { SkillsBinding } from '../binding/bind-skills.ts';
import { runOf } from '../binding/skills-run.ts';
import type { RefuseCall } from './gate-tool.ts';

/**
 * Judges a call in a tool's own execution, which finds the graph's state in its runtime. Outside of a graph nothing is loaded.
 *
 * @param stateFrom finds the state in what the tool was called with
 */
export function refuseCall<Context>(binding: SkillsBinding<Context>, stateFrom: (config: unknown) => unknown = stateOfRuntime): RefuseCall {
  return async (tool, input, config) => {
    const verdict = await binding.judge({ tool, input }, stateFrom(config), runOf(config));
    return verdict.decision === 'denied' ? String(verdict.error) : null;
  };
}

function stateOfRuntime(config: unknown): unknown {
  return (config as { readonly state?: unknown } | undefined)?.state;
}
