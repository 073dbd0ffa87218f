import { Agent, type AgentOptions, type AgentOutputType, type RunContext, type TextOutput, type Tool } from '@openai/agents-core';
import type { SkillsRuns } from '../run/skills-run.ts';

/** What an agent with skills needs from its binding. */
export interface AgentSkills<TContext> {
  readonly runs: Pick<SkillsRuns<TContext>, 'begin' | 'end'>;
  /** The instructions of the next model call. */
  instructions(context: RunContext<TContext>, base: string): Promise<string>;
  /** The tools of the next model call, with the host's tools guarded. */
  tools(context: RunContext<TContext>, own: readonly Tool<TContext>[]): Promise<Tool<TContext>[]>;
}

/** Creates the binding of one agent. A clone is another agent. */
export interface BindAgent<TContext> {
  bind(options: AgentOptions<TContext, AgentOutputType>): {
    readonly skills: AgentSkills<TContext>;
    readonly options: AgentOptions<TContext, AgentOutputType>;
  };
  /** Called with each agent that was created, including clones. */
  made(agent: object, skills: AgentSkills<TContext>): void;
}

/** An agent with skills. Guards the tools that it has when they are requested. */
export class SkillsAgent<TContext, TOutput extends AgentOutputType = TextOutput> extends Agent<TContext, TOutput> {
  readonly #binder: BindAgent<TContext>;
  readonly #given: AgentOptions<TContext, TOutput>;
  readonly #skills: AgentSkills<TContext>;

  constructor(given: AgentOptions<TContext, TOutput>, binder: BindAgent<TContext>) {
    const { skills, options } = binder.bind(given as AgentOptions<TContext, AgentOutputType>);
    super(options as AgentOptions<TContext, TOutput>);
    this.#binder = binder;
    this.#given = given;
    this.#skills = skills;
    binder.made(this, skills);
    this.on('agent_start', (context, _agent, items = []) => skills.runs.begin(context, items));
    this.on('agent_end', (context) => skills.runs.end(context));
    this.on('agent_handoff', (context) => skills.runs.end(context));
  }

  override async getSystemPrompt(context: RunContext<TContext>): Promise<string | undefined> {
    const text = await this.#skills.instructions(context, (await super.getSystemPrompt(context)) ?? '');
    // Some providers reject an empty system prompt.
    return text === '' ? undefined : text;
  }

  override async getAllTools(...args: Parameters<Agent<TContext, TOutput>['getAllTools']>): Promise<Tool<TContext>[]> {
    return this.#skills.tools(args[0], await super.getAllTools(...args));
  }

  /** The SDK's `clone` would create an agent without skills, whose gated tools are open. */
  override clone(changes: Partial<AgentOptions<TContext, TOutput>>): Agent<TContext, TOutput> {
    const { modelSettings: _settings, model: _model, ...now } = this as unknown as AgentOptions<TContext, TOutput>;
    const { model, modelSettings } = this.#given;
    const kept = { ...now, ...(model !== undefined && { model }), ...(modelSettings !== undefined && { modelSettings }) };
    return new SkillsAgent<TContext, TOutput>({ ...kept, ...changes }, this.#binder);
  }
}
