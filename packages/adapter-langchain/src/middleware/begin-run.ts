import type { RunnableConfig } from '@langchain/core/runnables';
import type { SkillsBinding } from '../binding/bind-skills.ts';
import { runOf } from '../binding/skills-run.ts';
import { loadCommand } from '../graph/load-command.ts';
import { updateOf } from '../state/graph-state.ts';
import { endSkills } from './end-skills.ts';
import type { SkillsMiddlewareOptions } from './skills-middleware-options.ts';
import { isSubAgentRun, ownState } from './sub-agent-state.ts';

/** The update that begins a run: what ended, which catalog it has, and what its command loads. */
export async function beginRun<Context>(
  binding: SkillsBinding<Context>,
  { activeFor, commands }: SkillsMiddlewareOptions<Context>,
  given: Readonly<Record<string, unknown>>,
  runtime: unknown,
): Promise<Readonly<Record<string, unknown>>> {
  const { channels } = binding;
  const run = runOf(runtime);
  const own = isSubAgentRun(run) ? ownState(binding, given) : undefined;
  const state = own?.state ?? given;
  const kept = binding.read(state).kept === undefined ? (await binding.enter(state, run)).session.kept : undefined;
  const ended = own?.update ?? (activeFor === 'run' ? await endSkills(binding, state, run) : {});
  const update = {
    ...ended,
    ...(kept !== undefined && updateOf(channels, { _skill_session: kept })),
    ...(binding.brought.any && { [channels['_skill_run']]: crypto.randomUUID() }),
  };
  if (commands !== true) return update;
  return { ...update, ...(await loadCommand(binding, { ...state, ...update }, runtime as RunnableConfig)) };
}
