import {
  createSkillset,
  SkillError,
  type OpenRequest,
  type SkillDiagnostic,
  type SkillEvent,
  type SkillProvider,
  type SkillSession,
  type Skillset,
  type SkillsetOptions,
} from '@repertoire/skills-core';
import {
  openSkillset,
  parseSkillCommand,
  type SkillFork,
  type SkillTool,
  type SkillToolContext,
  type SkillToolResult,
} from '@repertoire/skills-core/adapter';
import { contentOfSkill, deepFreeze } from '@repertoire/skills-core/internal';
import type { GetSkillOptions, SkillListing } from '@repertoire/skills-core/provider';
import type { StepWork } from '../run/run-step.ts';
import { failureOf, outputOf, recordAnswer, recordFailure, type RecordedFailure } from './recorded-failure.ts';
import { fromRecord, toRecord } from './record-values.ts';
import type { DurableCall } from './durable-agent.ts';
import type { DurableEngine } from './durable-engine.ts';

/** Options of a skillset in a durable run. */
export interface DurableSkillsOptions<Context = undefined> extends Omit<SkillsetOptions<Context>, 'provider' | 'skills'> {
  /** Where the skills come from; reading it is a step. */
  readonly provider: SkillProvider;
}

/** Skills in a durable run. */
export interface DurableSkills<Context = undefined> {
  /** For adapters that ask for it beside the session. */
  readonly skillset: Skillset<Context>;
  /** Its tools are steps, with what they read. */
  readonly session: SkillSession;
}

export interface StepRunner {
  step<Value>(id: string, work: StepWork<Value>): Promise<Value>;
  callStep<Value>(callId: string, work: (call: DurableCall) => Promise<Value>): Promise<Value>;
  /** The engine for a call that is several steps, and the id of the call in this run. */
  enterCall(callId: string): Promise<{ readonly callId: string; readonly engine: DurableEngine }>;
}

/**
 * Opens two sessions over one recorded listing. Outside of steps, the run uses the first one: each
 * read of the source is a step. Inside of steps it uses the second one, which reads the source
 * directly.
 */
export async function openDurableSkills<Context>(
  { step, callStep, enterCall }: StepRunner,
  { provider, ...options }: DurableSkillsOptions<Context>,
  request: OpenRequest<Context>,
): Promise<DurableSkills<Context>> {
  /** Reads as a step. What is recorded is plain data. */
  const read = async <Value>(
    id: string,
    signal: AbortSignal | undefined,
    work: (signal: AbortSignal | undefined) => Promise<Value>,
  ): Promise<Value> => fromRecord(await step(id, async (engine) => toRecord(await work(engine ?? signal)))) as Value;

  const listing: SkillListing = deepFreeze(await read('skills', request.signal, async (signal) => await provider.listSkills({ signal })));
  // Judged by the recorded listing and loads. Loads of earlier runs are compared once, in a step.
  const contents = new Map<string, Promise<string | null | undefined>>();
  /** What running workflows began with: the newest last. */
  let pins: readonly { readonly key: string; readonly content: string | null }[] = [];
  const keyOf = (name: string, version: string | null | undefined) => JSON.stringify([name, version ?? null]);
  const knownContent = (key: string): Promise<string | null | undefined> | undefined => {
    const pinned = pins.findLast((each) => each.key === key);
    return pinned === undefined ? contents.get(key) : Promise.resolve(pinned.content);
  };

  const base = {
    label: provider.label,
    listSkills: async () => listing,
    // Without `toolSet`: tools of skills in code would run outside of steps.
    gatedTools: () => provider.gatedTools?.() ?? [],
  };
  const around: SkillProvider = {
    ...base,
    contentOf: async (name, { signal, ...given } = {}) => {
      const key = keyOf(name, given.version);
      const known = knownContent(key);
      if (known !== undefined) return await known;
      const answer = step(`content ${name}@${given.version ?? ''}`, (engine) =>
        // A source that is down fails no run: it opens nothing in it.
        recordAnswer(
          () => contentNow(provider, name, { ...given, signal: engine ?? signal }),
          (error) => !SkillError.isInstance(error),
        ),
      ).then(outputOf);
      contents.set(key, answer);
      return await answer;
    },
    getSkill: async (name, { signal, ...given } = {}) =>
      deepFreeze(
        await read(`skill ${name}@${given.version ?? ''}`, signal, (either) => provider.getSkill(name, { ...given, signal: either })),
      ),
    readResource: (name, path, { signal, ...given } = {}) =>
      read(`file ${name}@${given.version ?? ''} ${path}`, signal, (either) =>
        provider.readResource(name, path, { ...given, signal: either }),
      ),
  };
  const within: SkillProvider = {
    ...base,
    contentOf: async (name, given = {}) => await (knownContent(keyOf(name, given.version)) ?? contentNow(provider, name, given)),
    getSkill: (name, given) => provider.getSkill(name, given),
    readResource: (name, path, given) => provider.readResource(name, path, given),
  };

  /** Remembers what a recorded step loaded, in every run of the step. */
  function keepLoads(events: readonly SkillEvent[]): void {
    for (const event of events)
      if (event.type === 'loaded' && event.content !== undefined)
        contents.set(keyOf(event.name, event.version), Promise.resolve(event.content));
  }

  /** Keeps what a workflow loaded as it was, while it runs. */
  function pin(event: SkillEvent): () => void {
    if (event.type !== 'loaded' || event.content === undefined) return () => {};
    const own = { key: keyOf(event.name, event.version), content: event.content };
    pins = [...pins, own];
    return () => {
      pins = pins.filter((each) => each !== own);
    };
  }

  /**
   * Makes a session whose tools are steps. The whole answer is recorded, with its events, so that a
   * host that keeps a state from events has the same state after a crash.
   *
   * @param session judges, and writes prompts; its reads are steps
   * @param inStep runs inside of steps
   */
  function durable(session: SkillSession, inStep: SkillSession): SkillSession {
    const { approvals } = inStep;
    const asStep = async <Result extends SkillToolResult | null>(
      callId: string,
      context: SkillToolContext,
      work: (context: SkillToolContext) => Promise<Result>,
    ): Promise<Result> => {
      const recorded = await callStep(callId, async ({ signal }) =>
        recordResult(await work({ ...context, signal: eitherOf(context.signal, signal) })),
      );
      if (recorded !== null) keepLoads(recorded.events);
      return resultOf(recorded) as Result;
    };
    return {
      ...session,
      // What is asked, answered and taken is recorded, so that a replay does not repeat it.
      approvals: approvals && {
        ...approvals,
        ask: async (state, call) => (await step(`ask ${call.id}`, async () => (await approvals.ask(state, call)) ?? null)) ?? undefined,
        answer: async (id, given, by) => await step(`answer ${id}`, async () => await approvals.answer(id, given, by)),
        take: async (id) => await step(`take ${id}`, async () => await approvals.take(id)),
        confirm: async (id) => await step(`confirm ${id}`, async () => await approvals.confirm(id)),
      },
      /**
       * Whether a person is asked is recorded, because an answer that is remembered would make a
       * replay skip what the run has waited for. What is refused now is refused all the same.
       */
      async judgeCall(state, call, given) {
        const verdict = await session.judgeCall(state, call, given);
        const { tool, id } = call;
        if (session.approvals === undefined || id === undefined) return verdict;
        const live = verdict.decision === 'needs-approval' ? verdict.question : null;
        const question = await step(`judge ${id}`, async () => live);
        if (question === null || question.id === live?.id || verdict.decision === 'denied') return verdict;
        const because = `A person was asked about this call of ${JSON.stringify(tool)}.`;
        return { decision: 'needs-approval', because, question, error: new SkillError('needs-approval', because) };
      },
      tools: session.tools.map((tool): SkillTool => {
        const inner = inStep.tools.find(({ name }) => name === tool.name) ?? tool;
        return {
          ...tool,
          async execute(input, context) {
            const id = context.callId ?? tool.name;
            // Each call of a workflow is a step of its own.
            if (tool.role === 'runWorkflow') {
              const { callId, engine } = await enterCall(id);
              return await inner.execute(input, { ...context, callId, engine: { ...engine, pin } });
            }
            // If the gate refuses a script now, the answer recorded when it was open must not be
            // returned.
            const isRefused =
              tool.role === 'runScript' && (await session.judgeCall(context.state, { tool: tool.name, input })).decision === 'denied';
            return isRefused ? await tool.execute(input, context) : await asStep(id, context, (given) => inner.execute(input, given));
          },
        };
      }),
      load: (asked, context) => asStep(context.callId ?? `load ${asked.name}`, context, (given) => inStep.load(asked, given)),
      async invoke(text, context) {
        if (parseSkillCommand(text) === null) return null;
        return await asStep(context.callId ?? 'command', context, (given) => inStep.invoke(text, given));
      },
      withToolsOfSkills: (tools) => durable(session.withToolsOfSkills(tools), inStep.withToolsOfSkills(tools)),
      inFork(fork) {
        const [outside, inside] = [session.inFork(fork), inStep.inFork(fork)];
        return { alone: durable(outside.alone, inside.alone), beside: durable(outside.beside, inside.beside) };
      },
    };
  }

  const { conversation, onDiagnostic } = options;
  const store = conversation?.catalogStore;
  const told = typeof onDiagnostic === 'function' ? onceEach(onDiagnostic) : onDiagnostic;
  const skillset = createSkillset<Context>({
    ...options,
    provider: around,
    onDiagnostic: told,
    conversation: {
      ...conversation,
      catalogStore: store && {
        get: (digest) => step(`catalog ${digest}`, async () => (await store.get(digest)) ?? null),
        set: async (digest, texts) => void (await step(`keep catalog ${digest}`, async () => (await store.set(digest, texts), null))),
      },
    },
  });
  // The other session has reported the listing and kept its catalog already.
  const inner = createSkillset<Context>({
    ...options,
    provider: within,
    onDiagnostic: told,
    conversation: { ...conversation, catalogStore: undefined },
  });
  const session = await openSkillset(skillset, request);
  const inStep = await openSkillset(inner, { ...request, kept: undefined, onDiagnostic: undefined });
  return { skillset, session: durable(session, inStep) };
}

interface RecordedResult {
  readonly text: string;
  readonly events: readonly SkillEvent[];
  readonly fork?: SkillFork;
  readonly error?: RecordedFailure;
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

async function contentNow(provider: SkillProvider, name: string, given: GetSkillOptions): Promise<string | null | undefined> {
  const told = await provider.contentOf?.(name, given);
  if (told !== undefined) return told;
  const { content: _any, ...asked } = given;
  const skill = await provider.getSkill(name, asked);
  return skill === null ? undefined : await contentOfSkill(provider, skill, { signal: given.signal });
}

/** Reports each diagnostic once, because both sessions have the same ones. */
function onceEach(tell: (diagnostic: SkillDiagnostic) => void): (diagnostic: SkillDiagnostic) => void {
  const told = new Set<string>();
  return (diagnostic) => {
    const key = JSON.stringify(diagnostic);
    if (told.has(key)) return;
    told.add(key);
    tell(diagnostic);
  };
}
