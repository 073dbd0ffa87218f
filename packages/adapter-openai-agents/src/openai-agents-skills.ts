import { RunContext, RunState, type Agent, type AgentOptions, type AgentOutputType } from '@openai/agents-core';
import { SkillError, type SkillProvider, type Skillset } from '@repertoire/skills-core';
import {
  adapterReporter,
  hostCallId,
  parseSkillCommand,
  recordSkillEvents,
  skillsetOf,
  type ContextArguments,
  type SkillFork,
} from '@repertoire/skills-core/adapter';
import {
  assertKnownOptions,
  putBackRules,
  type OptionRules,
  forkAnswer,
  lengthOfTurns,
  openSkillset,
  stateOfTurns,
} from '@repertoire/skills-core/internal';
import { bindAgent, type AgentBinding, type AgentBindingParts } from './agent/bind-agent.ts';
import { putBackFilter } from './agent/put-back.ts';
import { SkillsAgent } from './agent/skills-agent.ts';
import { hostCallItems } from './items/host-call-items.ts';
import { turnsOfItems } from './items/turns-of-items.ts';
import type { OpenAiAgentsSkills, OpenAiAgentsSkillsOptions } from './openai-agents-skills-options.ts';

/** The compiler reports an option that is missing here. */
const knownOptions: OptionRules<OpenAiAgentsSkillsOptions> = {
  context: '()',
  state: '()',
  gate: { hide: true, refuse: true },
  models: '{}',
  putBack: { '{}': putBackRules, false: true },
  fork: '()',
  needsApproval: '{}',
  toolSources: '[]',
  onDiagnostic: '()',
};

/** The option `context` is required if the skillset has a context. */
export type OpenAiAgentsArguments<TContext, Context> = ContextArguments<
  Context,
  OpenAiAgentsSkillsOptions<TContext, Context>,
  { readonly context: (context: TContext) => Context | Promise<Context> }
>;

/**
 * Connects a skillset to agents of the OpenAI Agents SDK. Create it once. It stores nothing about a
 * conversation beyond its runs.
 *
 * @throws {SkillError} `invalid-options` for an unknown option, a name in `needsApproval` that is
 *   no skill tool, or if the first argument is neither a skillset nor a provider
 * @example
 * ```ts
 * import { run } from '@openai/agents-core';
 * import { openAiAgentsSkills } from '@repertoire/adapter-openai-agents';
 * import { createSkillset, defineSkill } from '@repertoire/skills-core';
 *
 * const skillset = createSkillset({
 *   skills: [defineSkill({ name: 'haiku', description: 'Writes haiku. Use when a short poem is wanted.', body: 'Five, seven, five.' })],
 * });
 * const skills = openAiAgentsSkills(skillset);
 * const poet = skills.agent({ name: 'poet', instructions: 'You are a poet.' });
 *
 * export const answer = async (question: string) => (await run(poet, question)).finalOutput;
 * ```
 */
export function openAiAgentsSkills<TContext = unknown, Context = undefined>(
  source: Skillset<Context> | SkillProvider,
  ...[options = {}]: OpenAiAgentsArguments<TContext, Context>
): OpenAiAgentsSkills<TContext> {
  assertKnownOptions('openAiAgentsSkills', options, knownOptions);
  const skillset = skillsetOf('openAiAgentsSkills', source);
  refuseUnknownTools(options.needsApproval ?? {}, Object.values(skillset.toolNames));
  const { own, report } = adapterReporter(skillset, options.onDiagnostic);
  const bindings = new WeakMap<object, AgentBinding<TContext>>();
  const parts: AgentBindingParts<TContext, Context> = {
    skillset,
    options,
    report,
    own,
    fork: options.fork === undefined ? undefined : runFork,
    sessionOf: (session) => session,
  };
  const { load } = skillset.toolNames;
  /** For what a host asks outside of an agent. */
  const unbound = {
    async enter(context: TContext) {
      const known = options.context && { context: await options.context(context) };
      return openSkillset(skillset, { ...known, onDiagnostic: own });
    },
  };

  function make<TOutput extends AgentOutputType>(
    given: AgentOptions<TContext, TOutput>,
    of: AgentBindingParts<TContext, Context>,
  ): Agent<TContext, TOutput> {
    return new SkillsAgent<TContext, TOutput>(given, {
      bind: (agentOptions) => bindAgent(of, agentOptions),
      made: (agent, skills) => bindings.set(agent, skills as AgentBinding<TContext>),
    });
  }

  async function runFork(fork: SkillFork, runContext: RunContext<TContext>, signal: AbortSignal | undefined): Promise<string> {
    const inFork = (which: 'alone' | 'beside'): AgentBindingParts<TContext, Context> => ({
      ...parts,
      // No recursion: the inner agent has no fork. It has a state of its own.
      options: { ...options, state: undefined, fork: undefined },
      fork: undefined,
      sessionOf: (session) => session.inFork(fork)[which],
    });
    const agent = (given: AgentOptions<TContext>) => make(given, inFork('alone'));
    const agentBeside = (given: AgentOptions<TContext>) => make(given, inFork('beside'));
    return (await options.fork?.(fork, { agent, agentBeside, runContext, signal })) ?? '';
  }

  return {
    agent: (given) => make(given, parts),
    callModelInputFilter: putBackFilter((agent) => bindings.get(agent), options, load),
    async restore<TOutput extends AgentOutputType>(agent: Agent<TContext, TOutput>, text: string, context: TContext) {
      const runContext = new RunContext<TContext>(context);
      const state = await RunState.fromStringWithContext<TContext, Agent<TContext, TOutput>>(agent, text, runContext, {
        contextStrategy: 'replace',
      });
      const binding = bindings.get(agent);
      if (binding !== undefined) {
        binding.begin(runContext, state.history);
        binding.runs.beginStep(runContext, await binding.enter(context));
      }
      return state;
    },
    async state(agent, run) {
      const binding = bindings.get(agent);
      const session = await (binding ?? unbound).enter(run.context);
      return binding?.runs.state(run, session) ?? session.state([]);
    },
    async invoke(text, before, context) {
      const command = parseSkillCommand(text);
      if (command === null) return null;
      const session = await unbound.enter(context);
      const box = options.state?.(context);
      const turns = turnsOfItems(before, session);
      const state = stateOfTurns(session, turns, box?.current);
      const result = await session.invoke(text, { state, at: lengthOfTurns(turns), canFork: options.fork !== undefined });
      if (result === null) return null;
      const { fork } = result;
      const answer =
        fork === undefined ? result.text : await forkAnswer(fork.skill, () => runFork(fork, new RunContext(context), undefined));
      await recordSkillEvents(box, result.events, session.apply);
      const input = { ...command };
      const callId = hostCallId(`user-${before.length}`, load, input);
      return { items: hostCallItems({ callId, tool: load, input, text: answer }), text: answer, error: result.error };
    },
  };
}

function refuseUnknownTools(needsApproval: object, known: readonly string[]): void {
  const unknown = Object.keys(needsApproval).find((name) => !known.includes(name));
  if (unknown === undefined) return;
  throw new SkillError(
    'invalid-options',
    `needsApproval of openAiAgentsSkills names ${JSON.stringify(unknown)}, which is no skill tool. They are ${known.join(', ')}; set needsApproval of your own tools where you define them.`,
  );
}
