import { SkillError, type SkillSession, type Skillset } from '@repertoire/skills-core';
import type { SkillFork } from '@repertoire/skills-core/adapter';
import type { PrepareStepFunction, ToolSet } from 'ai';
import { agentSettings } from './agent-settings.ts';
import type { AiSdkAgentSettingsOptions, AiSdkOwnApproval, AiSdkReport, AiSdkSkills, AiSdkSkillsOptions } from './ai-sdk-skills-options.ts';
import type { RunFork } from './fork/run-fork.ts';
import { SkillsOfCalls } from './skills-of-calls.ts';
import { composePrepareStep } from './step/compose-prepare-step.ts';
import { invokeSkill } from './user/invoke-skill.ts';

/** Everything that {@link buildSkills} needs, already read and opened. */
export interface SkillsParts<TOOLS extends ToolSet, Context> {
  readonly skillset: Skillset<Context>;
  readonly options: AiSdkSkillsOptions<TOOLS, Context>;
  readonly session: SkillSession;
  /** The host's tools and those that skills bring. */
  readonly tools: ToolSet;
  readonly report: AiSdkReport;
  readonly close: () => Promise<void>;
  /** Parent agent's approval policy; forked agents inherit it. */
  readonly approvalAbove?: (() => AiSdkOwnApproval | undefined) | undefined;
}

/** @throws {SkillError} `invalid-options` for a shown, gated tool without `execute` */
export function buildSkills<TOOLS extends ToolSet, Context>(parts: SkillsParts<TOOLS, Context>): AiSdkSkills<TOOLS> {
  const { session, close } = parts;
  const skills: SkillsOfCalls<TOOLS, Context> = new SkillsOfCalls(
    parts,
    forkOf(parts, () => skills.approval),
  );
  const { state } = skills;
  const prepareStep = skills.prepareStep(parts.options.otherTools ?? []);

  return {
    session,
    kept: session.kept,
    tools: skills.tools as TOOLS,
    instructions: (base) => session.instructions(base),
    activeTools: (names: readonly string[]) => skills.activeTools(names),
    toolChoice(role) {
      const found = session.tools.find((tool) => tool.role === role);
      if (found === undefined) throw new SkillError('unsupported', `This conversation has no skill tool for ${JSON.stringify(role)}.`);
      return { type: 'tool', toolName: found.name as never };
    },
    prepareStep,
    composePrepareStep: <ALL extends ToolSet, RUNTIME extends Record<string, unknown>>(own: PrepareStepFunction<ALL, RUNTIME>) =>
      composePrepareStep(prepareStep, own, skills.skillToolNames),
    toolApproval: (own) => skills.toolApproval(own as AiSdkOwnApproval | undefined),
    async question({ toolName, toolCallId, input }, messages) {
      return await session.approvals?.ask(state.of(messages), { tool: toolName, input, id: toolCallId });
    },
    state: (messages) => state.of(messages),
    invoke: async (text, before = [], { signal } = {}) => invokeSkill(skills, text, before, signal),
    agentSettings: <OTHER extends ToolSet = {}>(settings: AiSdkAgentSettingsOptions<OTHER, TOOLS & NoInfer<OTHER>> = {}) =>
      agentSettings(skills, settings),
    close,
    closing: { onEnd: close, onError: close, onAbort: close },
    [Symbol.asyncDispose]: close,
  };
}

function forkOf<TOOLS extends ToolSet, Context>(
  parts: SkillsParts<TOOLS, Context>,
  approvalAbove: () => AiSdkOwnApproval | undefined,
): RunFork | undefined {
  const { fork } = parts.options;
  if (fork === undefined) return undefined;
  return (skillFork: SkillFork, call) => {
    // No recursion: the inner agent has no fork. It has a state of its own.
    const inner = { ...parts, options: { ...parts.options, fork: undefined, state: undefined }, close: async () => {}, approvalAbove };
    const build = (session: SkillSession) => buildSkills<TOOLS, Context>({ ...inner, session }) as unknown as AiSdkSkills;
    const { alone, beside } = parts.session.inFork(skillFork);
    return fork(skillFork, { ...call, skills: build(alone), allSkills: build(beside) });
  };
}
