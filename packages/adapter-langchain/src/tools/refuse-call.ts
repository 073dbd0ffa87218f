import { lockedToolError, SkillError, type SkillState, type SkillToolAccess } from '@repertoire/skills-core';
import type { SkillsBinding } from '../binding/bind-skills.ts';
import { runOf, type SkillsRun } from '../binding/skills-run.ts';
import { keptSkillState } from '../state/skill-state-of.ts';
import type { RefuseCall } from './gate-tool.ts';

const open: SkillToolAccess = { open: true };

/**
 * Judges a call: whether a skill must be loaded first, and what `allowed-tools` of the loaded ones say. Only the tools that were given as those of skills can be locked:
 * a skill of an untrusted source could name any other one, and shut the agent out of it.
 */
export async function refusalOf<Context>(
  { skillset, hostTools, catalogOf }: SkillsBinding<Context>,
  call: { readonly name: string; readonly input: unknown },
  state: unknown,
  run: SkillsRun,
  skills: SkillState = keptSkillState(state),
): Promise<SkillError | null> {
  const catalog = await catalogOf(state, run);
  const access = hostTools.some(({ name }) => name === call.name) ? skillset.toolAccess(catalog, skills, call.name) : open;
  if (!access.open) return lockedToolError(call.name, access.openedBy, skillset.toolNames);
  const { decision, because } = skillset.toolDecision(catalog, skills, { tool: call.name, input: call.input });
  return decision === 'denied' ? new SkillError('permission-denied', because) : null;
}

/** The same for a tool's own execution, which finds the graph's state in its runtime. Outside of a graph nothing is loaded. */
export function refuseCall<Context>(binding: SkillsBinding<Context>, stateFrom: (config: unknown) => unknown): RefuseCall {
  return async (name, input, config) => {
    const error = await refusalOf(binding, { name, input }, stateFrom(config), runOf(config));
    return error === null ? null : String(error);
  };
}
