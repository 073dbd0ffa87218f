import type { SkillState } from '@repertoire/skills-core';
import type { SkillCallVerdict } from '@repertoire/skills-core/adapter';
import { failureText } from '@repertoire/skills-core/adapter';
import type { SkillsBinding } from '../binding/bind-skills.ts';
import { runOf, stateOfRuntime, type SkillsRun } from '../binding/skills-run.ts';
import { askPerson, type CallToAsk } from './ask-person.ts';
import type { RefuseCall } from './gate-tool.ts';

/**
 * Judges a call in a tool's own execution, with the graph's state from its runtime.
 *
 * @param outside what is loaded outside of a graph. @default nothing
 */
export function refuseCall<Context>(binding: SkillsBinding<Context>, outside?: () => SkillState): RefuseCall {
  return async (tool, input, config, ofSkill, id) => {
    const state = stateOfRuntime(config);
    const loaded = state === undefined || state === null ? outside?.() : undefined;
    const run = runOf(config);
    const verdict = await binding.judge({ tool, input, ofSkill, id }, state, run, loaded);
    if (verdict.decision === 'needs-approval')
      return await refusalUnlessApproved(binding, verdict, { state, run, call: { tool, input, id } });
    return verdict.decision === 'denied' ? failureText(verdict.error) : null;
  };
}

/** Asks a person, in a graph. Outside of one nobody can be asked, so the call is refused. */
export async function refusalUnlessApproved<Context>(
  binding: SkillsBinding<Context>,
  verdict: Extract<SkillCallVerdict, { readonly decision: 'needs-approval' }>,
  { state, run, call }: { readonly state: unknown; readonly run: SkillsRun; readonly call: CallToAsk['call'] },
): Promise<string | null> {
  if (state === undefined || state === null) return failureText(verdict.error);
  const { session, loaded } = await binding.enter(state, run);
  const refused = await askPerson(session, { verdict, state: loaded, call, isSkillTool: false });
  return refused && failureText(refused);
}
