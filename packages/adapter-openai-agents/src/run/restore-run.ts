import { RunContext, RunState, type Agent, type AgentOutputType } from '@openai/agents-core';
import type { AgentBinding } from '../agent/bind-agent.ts';

/**
 * A stored run of an agent, which knows what was loaded. See {@link OpenAiAgentsSkills.restoreRun}.
 */
export async function restoreRun<TContext, TOutput extends AgentOutputType>(
  binding: AgentBinding<TContext> | undefined,
  agent: Agent<TContext, TOutput>,
  text: string,
  context: TContext,
): Promise<RunState<TContext, Agent<TContext, TOutput>>> {
  const runContext = new RunContext<TContext>(context);
  const state = await RunState.fromStringWithContext<TContext, Agent<TContext, TOutput>>(agent, text, runContext, {
    contextStrategy: 'replace',
  });
  if (binding !== undefined) {
    binding.runs.begin(runContext, state.history);
    binding.runs.beginStep(runContext, await binding.enter(context));
  }
  return state;
}
