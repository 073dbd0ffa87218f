import type { RunnableConfig } from '@langchain/core/runnables';
import { loadedSkillNames } from '@repertoire/skills-core/adapter';
import type { SkillsBinding } from '../binding/bind-skills.ts';
import { runOf } from '../binding/skills-run.ts';
import { endRun, unloaded } from '../graph/end-run.ts';
import { loadCommand } from '../graph/load-command.ts';
import { updateOf } from '../state/graph-state.ts';
import type { SkillsMiddlewareOptions } from './skills-middleware-options.ts';
import { isSubAgentRun, withoutChannels } from './sub-agent-state.ts';

/** The update that begins a run: what ended, which catalog it has, and what its command loads. */
export async function beginRun<Context>(
  binding: SkillsBinding<Context>,
  { commands }: SkillsMiddlewareOptions<Context>,
  given: Readonly<Record<string, unknown>>,
  runtime: unknown,
): Promise<Readonly<Record<string, unknown>>> {
  const { channels } = binding;
  const run = runOf(runtime);
  const isSubAgent = isSubAgentRun(run);
  // Without what the agent above has loaded.
  const state = isSubAgent ? withoutChannels(given, channels) : given;
  const kept = binding.read(state).kept === undefined ? (await binding.enter(state, run)).session.kept : undefined;
  const ended = isSubAgent ? unloaded(binding, loadedSkillNames(binding.read(given).claimed)) : await endRun(binding, state, run);
  const update = {
    ...ended,
    ...(kept !== undefined && updateOf(channels, { _skill_session: kept })),
    ...(binding.toolsOfSkills.any && { [channels['_skill_run']]: crypto.randomUUID() }),
  };
  if (commands !== true) return update;
  return { ...update, ...(await loadCommand(binding, { ...state, ...update }, runtime as RunnableConfig)) };
}
