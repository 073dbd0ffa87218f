import type { Agent, AgentOptions, AgentOutputType, RunContext } from '@openai/agents-core';
import type { SkillFork } from '@repertoire/skills-core/adapter';
import { bindAgent, type AgentBinding, type AgentBindingParts } from './bind-agent.ts';
import { SkillsAgent } from './skills-agent.ts';

/** Makes the agents of a skillset, and knows their bindings. */
export class SkillsAgents<TContext, Context> {
  readonly parts: AgentBindingParts<TContext, Context>;
  readonly #bindings = new WeakMap<object, AgentBinding<TContext>>();

  constructor(parts: Omit<AgentBindingParts<TContext, Context>, 'fork' | 'sessionOf'>) {
    const fork = parts.options.fork && this.runFork.bind(this);
    this.parts = { ...parts, fork, sessionOf: (session) => session };
  }

  /** `undefined` for an agent that was made elsewhere. */
  bindingOf(agent: object): AgentBinding<TContext> | undefined {
    return this.#bindings.get(agent);
  }

  make<TOutput extends AgentOutputType>(
    given: AgentOptions<TContext, TOutput>,
    parts: AgentBindingParts<TContext, Context> = this.parts,
  ): Agent<TContext, TOutput> {
    return new SkillsAgent<TContext, TOutput>(given, {
      bind: (agentOptions) => bindAgent(parts, agentOptions),
      made: (agent, skills) => this.#bindings.set(agent, skills as AgentBinding<TContext>),
    });
  }

  async runFork(fork: SkillFork, runContext: RunContext<TContext>, signal: AbortSignal | undefined): Promise<string> {
    const { options } = this.parts;
    const agentIn = (which: 'alone' | 'beside') => {
      const parts: AgentBindingParts<TContext, Context> = {
        ...this.parts,
        // No recursion: the inner agent has no fork. It has a state of its own.
        options: { ...options, state: undefined, fork: undefined },
        fork: undefined,
        sessionOf: (session) => session.inFork(fork)[which],
      };
      return (given: AgentOptions<TContext>) => this.make(given, parts);
    };
    return (await options.fork?.(fork, { agent: agentIn('alone'), agentBeside: agentIn('beside'), runContext, signal })) ?? '';
  }
}
