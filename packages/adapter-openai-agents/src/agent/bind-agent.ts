import type { AgentOptions, AgentOutputType, FunctionTool, RunContext, Tool } from '@openai/agents-core';
import { SkillError, type SkillDiagnostic, type SkillQuestion, type SkillSession, type Skillset } from '@repertoire/skills-core';
import { arrangeTools, assertNoReservedToolNames, toolsInCode, type SkillFork } from '@repertoire/skills-core/adapter';
import { judgeBrought, openSkillset } from '@repertoire/skills-core/internal';
import type { OpenAiAgentsSkillsOptions } from '../openai-agents-skills-options.ts';
import { recentSessions } from '../run/recent-sessions.ts';
import { skillsRuns, type SkillsRuns } from '../run/skills-run.ts';
import { broughtTools } from '../sources/brought-tools.ts';
import { isFunctionTool } from '../sources/is-function-tool.ts';
import { gateTool, type JudgeCall } from '../tools/gate-tool.ts';
import { nameOf } from '../tools/name-of.ts';
import { toAgentTool } from '../tools/to-agent-tool.ts';
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
  { skillset, options, report, own, fork, sessionOf }: AgentBindingParts<TContext, Context>,
  given: AgentOptions<TContext, AgentOutputType>,
): { readonly skills: AgentBinding<TContext>; readonly options: AgentOptions<TContext, AgentOutputType> } {
  const runs = skillsRuns<TContext>((context) => options.state?.(context));
  const broughtOf = broughtTools(options.toolSources ?? [], report);
  const reservedNames = Object.values(skillset.toolNames);
  const sessions = recentSessions();
  let handed: readonly string[] = [];

  const enter: AgentBinding<TContext>['enter'] = async (context, signal) => {
    const known = options.context && { context: await options.context(context) };
    return sessionOf(await openSkillset(skillset, { ...known, availableTools: handed, signal, onDiagnostic: own }));
  };
  const skillTools = new Map(
    skillset.toolDescriptions.map((description) => [
      description.name,
      toAgentTool(description, {
        runs,
        judge: skillset.asksPerson ? judging() : undefined,
        enter: (context, signal) => enter(context.context, signal),
        fork,
        needsApproval: options.needsApproval?.[description.name] ?? false,
      }),
    ]),
  );
  /** With the description of this session, which may contain a part of the catalog. */
  const described = ({ tools }: SkillSession): FunctionTool<TContext>[] =>
    tools.flatMap(({ name, description }) => {
      const known = skillTools.get(name);
      if (known === undefined) return [];
      const tool = known.description === description ? known : { ...known, description };
      skillTools.set(name, tool);
      return [tool];
    });
  const guarded = new WeakMap<FunctionTool<TContext>, FunctionTool<TContext>>();
  const guard = (tool: FunctionTool<TContext>, broughtBy: string | undefined): FunctionTool<TContext> => {
    const known = guarded.get(tool) ?? gateTool(tool, judging(broughtBy));
    guarded.set(tool, known);
    return known;
  };

  const skills: AgentBinding<TContext> = {
    runs,
    enter,
    begin: runs.begin,
    end: runs.end,
    async instructions(context, base) {
      const session = await enter(context.context);
      const state = runs.beginStep(context, session);
      const text = [session.instructions(base), await session.activeInstructions(state)].filter((part) => part !== '').join('\n\n');
      sessions.set(text, session);
      return text;
    },
    async tools(context, hostTools) {
      const inCode = toolsInCode(skillset.provider, isFunctionTool, hostTools.map(nameOf));
      const hosts = [...hostTools, ...(Object.values(inCode) as unknown as Tool<TContext>[])];
      handed = hosts.map(nameOf);
      assertNoReservedToolNames(handed, skillset.toolNames);
      const session = await enter(context.context);
      const state = runs.state(context, session);
      const brought = await broughtOf(await session.active(state), [...reservedNames, ...handed]);
      const bringers = new Map([...brought].flatMap(([skill, tools]) => tools.map(({ name }) => [name, skill] as const)));
      const shown = await arrangeTools<Tool<TContext>>({
        session,
        state,
        tools: [...described(session), ...hosts],
        brought,
        hideClosed: options.gate === 'hide',
        nameOf,
      });
      return shown.map((tool) => guardedTool(tool, session, bringers.get(nameOf(tool))));
    },
  };
  return { skills, options: withModels(given, { models: options.models, sessions, report }) };

  function judging(broughtBy?: string): JudgeCall<TContext> {
    const approvalsOf = async (context: RunContext<TContext>) => (await enter(context.context)).approvals;
    return Object.assign(
      (context: RunContext<TContext>, tool: string, input: unknown, id?: string) =>
        judgeBrought(
          skillset,
          () => enter(context.context),
          { tool, input, id, broughtBy },
          { state: runs.atStep(context), canFork: fork !== undefined },
        ),
      {
        expect: async (context: RunContext<TContext>, question: SkillQuestion, callId: string | undefined) =>
          await (await approvalsOf(context))?.expect(question, callId),
        confirm: async (context: RunContext<TContext>, question: SkillQuestion, callId: string | undefined) =>
          (await (await approvalsOf(context))?.confirm(question, callId)) === true,
      },
    );
  }

  function guardedTool(tool: Tool<TContext>, session: SkillSession, broughtBy: string | undefined): Tool<TContext> {
    const name = nameOf(tool);
    if (skillTools.has(name)) return tool;
    const isJudged =
      broughtBy !== undefined ||
      session.isGated(name) ||
      session.isHidden(name) ||
      session.restricts ||
      session.preApproves ||
      session.approvals !== undefined;
    if (tool.type === 'function') return isJudged ? guard(tool, broughtBy) : tool;
    const asks = session.approvals?.isCodeTool(name) === true;
    if (!session.isGated(name) && !asks) return tool;
    throw new SkillError(
      'invalid-options',
      `The tool ${JSON.stringify(name)} is ${asks ? 'among `codeTools`' : 'gated'}, but it is no function tool, so it has no execution of its own in which it could refuse. Leave it out there, or give the agent a function tool.`,
    );
  }
}
