import { SkillError, type SkillEvent, type SkillSession } from '@repertoire/skills-core';
import {
  parseSkillCommand,
  type SkillFork,
  type SkillTool,
  type SkillToolContext,
  type SkillToolResult,
} from '@repertoire/skills-core/adapter';
import type { DurableCall } from './durable-agent.ts';
import type { SkillStepRunner } from './durable-skills.ts';
import { failureOf, recordFailure, type RecordedFailure } from './recorded-failure.ts';

interface RecordedResult {
  readonly text: string;
  readonly events: readonly SkillEvent[];
  readonly fork?: SkillFork;
  readonly error?: RecordedFailure;
}

/**
 * Makes a session whose tools are steps. The whole answer is recorded, with its events, so that a
 * host that keeps a state from events has the same state after a crash.
 *
 * @param session judges, and writes prompts; its reads are steps
 * @param within runs inside of steps
 */
export function durableSession(runner: SkillStepRunner, session: SkillSession, within: SkillSession): SkillSession {
  const asStep = async <Result extends SkillToolResult | null>(
    callId: string,
    context: SkillToolContext,
    work: (context: SkillToolContext) => Promise<Result>,
  ): Promise<Result> => {
    const recorded = await runner.callStep(callId, async ({ signal }: DurableCall) =>
      recordResult(await work({ ...context, signal: eitherOf(context.signal, signal) })),
    );
    if (recorded !== null) runner.loaded(recorded.events);
    return resultOf(recorded) as Result;
  };

  return {
    ...session,
    approvals: durableApprovals(runner, within.approvals),
    judgeCall: (state, call, options) => judgeOnce(runner, session, [state, call, options]),
    tools: session.tools.map((tool): SkillTool => {
      const inner = within.tools.find(({ name }) => name === tool.name) ?? tool;
      return {
        ...tool,
        async execute(input, context) {
          // Each call of a workflow is a step of its own.
          if (tool.role === 'runWorkflow') {
            const { callId, engine } = await runner.enterCall(context.callId ?? tool.name);
            return await inner.execute(input, { ...context, callId, engine: { ...engine, pin: (load) => runner.loaded([load]) } });
          }
          // If the gate refuses a script now, the answer recorded when it was open must not be
          // returned.
          const isRefused =
            tool.role === 'runScript' && (await session.judgeCall(context.state, { tool: tool.name, input })).decision === 'denied';
          if (isRefused) return await tool.execute(input, context);
          return await asStep(context.callId ?? tool.name, context, (given) => inner.execute(input, given));
        },
      };
    }),
    load: (request, context) => asStep(context.callId ?? `load ${request.name}`, context, (given) => within.load(request, given)),
    async invoke(text, context) {
      if (parseSkillCommand(text) === null) return null;
      return await asStep(context.callId ?? 'command', context, (given) => within.invoke(text, given));
    },
    withToolsOfSkills: (toolsOfSkills) =>
      durableSession(runner, session.withToolsOfSkills(toolsOfSkills), within.withToolsOfSkills(toolsOfSkills)),
    inFork(fork) {
      const [outside, inside] = [session.inFork(fork), within.inFork(fork)];
      return {
        alone: durableSession(runner, outside.alone, inside.alone),
        beside: durableSession(runner, outside.beside, inside.beside),
      };
    },
  };
}

/** Makes approvals that ask, answer and take in steps, so that a replay does not repeat them. */
function durableApprovals(runner: SkillStepRunner, approvals: SkillSession['approvals']): SkillSession['approvals'] {
  return (
    approvals && {
      ...approvals,
      ask: async (state, call) =>
        (await runner.step(`ask ${call.id}`, async () => (await approvals.ask(state, call)) ?? null)) ?? undefined,
      answer: async (id, given, by) => await runner.step(`answer ${id}`, async () => await approvals.answer(id, given, by)),
      take: async (id) => await runner.step(`take ${id}`, async () => await approvals.take(id)),
      confirm: async (id) => await runner.step(`confirm ${id}`, async () => await approvals.confirm(id)),
    }
  );
}

/**
 * Judges a call. Whether a person is asked is recorded, because an answer that is remembered would
 * make a replay skip what the run has waited for. What is refused now is refused all the same.
 */
async function judgeOnce(
  runner: SkillStepRunner,
  session: SkillSession,
  given: Parameters<SkillSession['judgeCall']>,
): ReturnType<SkillSession['judgeCall']> {
  const verdict = await session.judgeCall(...given);
  const [, { tool, id }] = given;
  if (session.approvals === undefined || id === undefined) return verdict;
  const live = verdict.decision === 'needs-approval' ? verdict.question : null;
  const question = await runner.step(`judge ${id}`, async () => live);
  if (question === null || question.id === live?.id || verdict.decision === 'denied') return verdict;
  const because = `A person was asked about this call of ${JSON.stringify(tool)}.`;
  return { decision: 'needs-approval', because, question, error: new SkillError('needs-approval', because) };
}

function recordResult(result: SkillToolResult | null): RecordedResult | null {
  if (result === null) return null;
  const { text, events, fork, error } = result;
  return JSON.parse(
    JSON.stringify({ text, events, ...(fork && { fork }), ...(error && { error: recordFailure(error) }) }),
  ) as RecordedResult;
}

function resultOf(recorded: RecordedResult | null): SkillToolResult | null {
  if (recorded === null) return null;
  const { error, ...result } = recorded;
  const failure = error && failureOf(error);
  return { ...result, ...(SkillError.isInstance(failure) && { error: failure }) };
}

function eitherOf(one: AbortSignal | undefined, other: AbortSignal | undefined): AbortSignal | undefined {
  return one === undefined || other === undefined ? (one ?? other) : AbortSignal.any([one, other]);
}
