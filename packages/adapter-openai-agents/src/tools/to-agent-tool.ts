import { tool, type FunctionTool, type RunContext } from '@openai/agents-core';
import type { SkillSession } from '@repertoire/skills-core';
import type { SkillFork, SkillToolResult } from '@repertoire/skills-core/adapter';
import { failureText, forkAnswer } from '@repertoire/skills-core/adapter';
import { type SkillToolDescription } from '@repertoire/skills-core/internal';
import { inputOf } from '../items/turns-of-items.ts';
import { asksPerson, refusalOf, type JudgeCall } from './gate-tool.ts';
import type { SkillsRuns } from '../run/skills-run.ts';

/** What a skill tool needs from its agent. */
export interface SkillToolHost<TContext> {
  readonly runs: SkillsRuns<TContext>;
  /** Judges a call; `undefined` if the skillset has no `approvals`. */
  readonly judge: JudgeCall<TContext> | undefined;
  enter(context: RunContext<TContext>, signal?: AbortSignal): Promise<SkillSession>;
  /** Runs a fork; `undefined` if the host runs none. */
  readonly fork: ((fork: SkillFork, context: RunContext<TContext>, signal: AbortSignal | undefined) => Promise<string>) | undefined;
  /** Whether the host wants a person to be asked. */
  readonly needsApproval: boolean | FunctionTool<TContext>['needsApproval'];
}

/** A skill tool without strict mode, which would require every argument. */
export function toAgentTool<TContext>(
  { name, description, inputSchema }: SkillToolDescription,
  host: SkillToolHost<TContext>,
): FunctionTool<TContext> {
  const made = tool({
    name,
    description,
    parameters: inputSchema as never,
    strict: false,
    execute: () => '',
  }) as unknown as FunctionTool<TContext>;
  return {
    ...made,
    // Only if needed: the SDK parses arguments for it, and ends the run if that fails.
    ...((host.judge !== undefined || host.needsApproval !== false) && { needsApproval: approvalOf(name, host) }),
    async invoke(context, text, details) {
      const input = inputOf(text);
      const signal = details?.signal;
      try {
        const session = await host.enter(context, signal);
        const own = session.tools.find((candidate) => candidate.name === name);
        if (own === undefined) return `There is nothing for ${name} to do here. Go on without it.`;
        const at = host.runs.lengthOf(context);
        const state = host.runs.atStep(context);
        const callId = details?.toolCall?.callId;
        const refusal = host.judge === undefined ? null : await refusalOf(host.judge, context, name, input, callId);
        if (refusal !== null) return failureText(refusal);
        const run = own.role === 'runWorkflow' ? host.runs.idOf(context) : undefined;
        const result = await own.execute(input, { state, at, callId, run, canFork: host.fork !== undefined, signal });
        const output = await answerOf(result, host, context, signal);
        await host.runs.record(context, session, { tool: name, input, output, at }, result.events);
        return output;
      } catch (thrown) {
        signal?.throwIfAborted();
        return failureText(thrown);
      }
    },
  };
}

/** Whether a person must be asked. The tool's execution confirms it. */
function approvalOf<TContext>(name: string, { judge, needsApproval }: SkillToolHost<TContext>): FunctionTool<TContext>['needsApproval'] {
  const asks = typeof needsApproval === 'function' ? needsApproval : async () => needsApproval;
  return async (context, input, callId) => {
    const run = context as RunContext<TContext>;
    const verdict = await judge?.(run, name, input, callId);
    if (judge !== undefined && verdict?.decision === 'needs-approval') return await asksPerson(judge, verdict, run, name, input, callId);
    return verdict?.decision !== 'denied' && (await asks(run, input, callId));
  };
}

async function answerOf<TContext>(
  { text, fork }: SkillToolResult,
  { fork: runFork }: SkillToolHost<TContext>,
  context: RunContext<TContext>,
  signal: AbortSignal | undefined,
): Promise<string> {
  if (fork === undefined || runFork === undefined) return text;
  return await forkAnswer(fork.skill, () => runFork(fork, context, signal), signal);
}
