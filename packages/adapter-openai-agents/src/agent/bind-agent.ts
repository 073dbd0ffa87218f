import type { AgentOptions, AgentOutputType, FunctionTool, RunContext, Tool } from '@openai/agents-core';
import { SkillError, type SkillDiagnostic, type SkillSession, type Skillset } from '@repertoire/skills-core';
import { arrangeTools, assertNoReservedToolNames, toolsInCode, type SkillFork, openSkillset } from '@repertoire/skills-core/adapter';
import type { OpenAiAgentsSkillsOptions } from '../openai-agents-skills-options.ts';
import { recentSessions, type RecentSessions } from '../run/recent-sessions.ts';
import { skillsRuns, type SkillsRuns } from '../run/skills-run.ts';
import { openToolsOfSkills } from '../sources/tools-of-skills.ts';
import { isFunctionTool } from '../sources/is-function-tool.ts';
import { gateTool } from '../tools/gate-tool.ts';
import { nameOf } from '../tools/name-of.ts';
import { toAgentTool } from '../tools/to-agent-tool.ts';
import { judgeCalls } from './judge-calls.ts';
import { withModels } from './model-for-skills.ts';
import type { AgentSkills } from './skills-agent.ts';

/** What the agents of one skillset share. */
export interface AgentBindingParts<TContext, Context> {
  readonly skillset: Skillset<Context>;
  readonly options: OpenAiAgentsSkillsOptions<TContext, Context>;
  readonly report: (diagnostic: SkillDiagnostic) => void;
  /** The adapter's own listener, for sessions. */
  readonly own: ((diagnostic: SkillDiagnostic) => void) | undefined;
  /** Runs a fork; `undefined` if the host runs none, and in the agent of a fork. */
  readonly fork: ((fork: SkillFork, context: RunContext<TContext>, signal: AbortSignal | undefined) => Promise<string>) | undefined;
  /** Maps the session of a run to that of the agent: the same one, or that of a fork. */
  readonly sessionOf: (session: SkillSession) => SkillSession;
}

/** One agent and the state of its runs. */
export interface AgentBinding<TContext> extends AgentSkills<TContext> {
  readonly runs: SkillsRuns<TContext>;
  enter(context: TContext, signal?: AbortSignal): Promise<SkillSession>;
}

/** Binds an agent to skills. */
export function bindAgent<TContext, Context>(
  parts: AgentBindingParts<TContext, Context>,
  given: AgentOptions<TContext, AgentOutputType>,
): { readonly skills: AgentBinding<TContext>; readonly options: AgentOptions<TContext, AgentOutputType> } {
  const sessions = recentSessions();
  const { options, report } = parts;
  return { skills: new BoundAgent(parts, sessions), options: withModels(given, { models: options.models, sessions, report }) };
}

/** Opens a session with what the host says of the context of a run. */
export async function openSession<TContext, Context>(
  { skillset, options, own }: AgentBindingParts<TContext, Context>,
  context: TContext,
  more: { readonly availableTools?: readonly string[]; readonly signal?: AbortSignal | undefined } = {},
): Promise<SkillSession> {
  const known = options.context && { context: await options.context(context) };
  const conversation = await options.conversation?.(context);
  return openSkillset(skillset, { ...known, ...more, conversation, onDiagnostic: own });
}

class BoundAgent<TContext, Context> implements AgentBinding<TContext> {
  readonly runs: SkillsRuns<TContext>;
  readonly #parts: AgentBindingParts<TContext, Context>;
  readonly #sessions: RecentSessions;
  readonly #openedOf: ReturnType<typeof openToolsOfSkills>;
  readonly #skillTools: Map<string, FunctionTool<TContext>>;
  readonly #guarded = new WeakMap<FunctionTool<TContext>, FunctionTool<TContext>>();
  /** Names of the host's tools at the last model call. */
  #handed: readonly string[] = [];

  constructor(parts: AgentBindingParts<TContext, Context>, sessions: RecentSessions) {
    const { skillset, options, report, fork } = parts;
    this.#parts = parts;
    this.#sessions = sessions;
    this.runs = skillsRuns((context) => options.state?.(context));
    this.#openedOf = openToolsOfSkills(options.toolSources ?? [], report);
    const host = {
      runs: this.runs,
      judge: skillset.asksPerson ? judgeCalls(parts, this) : undefined,
      enter: (context: RunContext<TContext>, signal?: AbortSignal) => this.enter(context.context, signal),
      fork,
    };
    this.#skillTools = new Map(
      skillset.toolDescriptions.map((description) => {
        const needsApproval = options.needsApproval?.[description.name] ?? false;
        return [description.name, toAgentTool(description, { ...host, needsApproval })];
      }),
    );
  }

  readonly enter = async (context: TContext, signal?: AbortSignal): Promise<SkillSession> =>
    this.#parts.sessionOf(await openSession(this.#parts, context, { availableTools: this.#handed, signal }));

  async instructions(context: RunContext<TContext>, base: string): Promise<string> {
    const session = await this.enter(context.context);
    const state = this.runs.beginStep(context, session);
    const text = [session.instructions(base), await session.activeInstructions(state)].filter((part) => part !== '').join('\n\n');
    this.#sessions.set(text, session);
    return text;
  }

  async tools(context: RunContext<TContext>, hostTools: readonly Tool<TContext>[]): Promise<Tool<TContext>[]> {
    const { skillset, options } = this.#parts;
    const inCode = toolsInCode(skillset.provider, isFunctionTool, hostTools.map(nameOf));
    const hosts = [...hostTools, ...(Object.values(inCode) as unknown as Tool<TContext>[])];
    this.#handed = hosts.map(nameOf);
    assertNoReservedToolNames(this.#handed, skillset.toolNames);
    const session = await this.enter(context.context);
    const state = this.runs.state(context, session);
    const toolsOfSkills = await this.#openedOf(await session.active(state), [...Object.values(skillset.toolNames), ...this.#handed]);
    const owners = new Map([...toolsOfSkills].flatMap(([skill, tools]) => tools.map(({ name }) => [name, skill] as const)));
    const shown = await arrangeTools<Tool<TContext>>({
      session,
      state,
      tools: [...this.#described(session), ...hosts],
      toolsOfSkills,
      hideClosed: options.gate === 'hide',
      nameOf,
    });
    return shown.map((tool) => this.#guardedTool(tool, session, owners.get(nameOf(tool))));
  }

  /** The skill tools as this session describes them: a description may contain the catalog. */
  #described({ tools }: SkillSession): FunctionTool<TContext>[] {
    return tools.flatMap(({ name, description }) => {
      const known = this.#skillTools.get(name);
      if (known === undefined) return [];
      const tool = known.description === description ? known : { ...known, description };
      this.#skillTools.set(name, tool);
      return [tool];
    });
  }

  #guardedTool(tool: Tool<TContext>, session: SkillSession, ofSkill: string | undefined): Tool<TContext> {
    const name = nameOf(tool);
    if (this.#skillTools.has(name)) return tool;
    const isJudged =
      ofSkill !== undefined ||
      session.isGated(name) ||
      session.isHidden(name) ||
      session.restricts ||
      session.preApproves ||
      session.approvals !== undefined;
    if (tool.type === 'function') return isJudged ? this.#guard(tool, ofSkill) : tool;
    const asks = session.approvals?.isCodeTool(name) === true;
    if (!session.isGated(name) && !asks) return tool;
    throw new SkillError(
      'invalid-options',
      `The tool ${JSON.stringify(name)} is ${asks ? 'among `codeTools`' : 'gated'}, but it is no function tool, so it has no execution of its own in which it could refuse. Leave it out there, or give the agent a function tool.`,
    );
  }

  #guard(tool: FunctionTool<TContext>, ofSkill: string | undefined): FunctionTool<TContext> {
    const known = this.#guarded.get(tool) ?? gateTool(tool, judgeCalls(this.#parts, this, ofSkill));
    this.#guarded.set(tool, known);
    return known;
  }
}
