import { SkillError, type SkillSession, type Skillset } from '@repertoire/skills-core';
import { assertNoReservedToolNames, type SkillFork } from '@repertoire/skills-core/adapter';
import { assertKnownOptions, type OptionRules } from '@repertoire/skills-core/internal';
import type { PrepareStepFunction, ToolResultPart, ToolSet } from 'ai';
import type {
  AiSdkAgentSettings,
  AiSdkAgentSettingsOptions,
  AiSdkOwnApproval,
  AiSdkPrepareStep,
  AiSdkReport,
  AiSdkSkills,
  AiSdkSkillsOptions,
} from './ai-sdk-skills-options.ts';
import { composeToolApproval } from './approval/compose-tool-approval.ts';
import type { RunFork } from './fork/run-fork.ts';
import { conversationState } from './state/conversation-state.ts';
import { composePrepareStep } from './step/compose-prepare-step.ts';
import { prepareStepOf } from './step/prepare-step.ts';
import { hostTools } from './tools/host-tools.ts';
import { toAiTool } from './tools/to-ai-tool.ts';
import { withToolReferences } from './tools/tool-references.ts';
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

const knownSettings: OptionRules<AiSdkAgentSettingsOptions> = {
  instructions: 'string',
  tools: '{}',
  activeTools: 'string[]',
  prepareStep: '()',
  toolApproval: { '()': true, '{}': true },
};

/** @throws {SkillError} `invalid-options` for a shown, gated tool without `execute` */
export function buildSkills<TOOLS extends ToolSet, Context>(parts: SkillsParts<TOOLS, Context>): AiSdkSkills<TOOLS> {
  const { skillset, options, session, report, close } = parts;
  const { gate = 'refuse', otherTools = [] } = options;
  const state = conversationState(session, options.state);
  const host = hostTools(session, state, report, options.fork !== undefined);
  if (gate === 'refuse') assertCanRefuse(parts.tools, session);
  const deferred = gate === 'defer' ? Object.keys(parts.tools).filter((name) => session.isGated(name)) : [];
  const modelOutput = deferred.length === 0 ? asText : withToolReferences(skillset, session, deferred);
  let approvalHere: AiSdkOwnApproval | undefined;
  const fork = forkOf(parts, () => approvalHere ?? parts.approvalAbove?.());
  const guardAll = (tools: ToolSet) =>
    Object.fromEntries(
      Object.entries(tools)
        .filter(([name]) => !session.isHidden(name))
        .map(([name, tool]) => [name, host.guard(name, tool, { deferred: deferred.includes(name) })]),
    );

  const skillTools = session.tools.map((tool) => {
    const loads = tool.role === 'load';
    return [
      tool.name,
      toAiTool(tool, {
        state,
        refusal: host.asksPerson ? host.refusal : undefined,
        fork: loads && session.catalog.listed.some(({ context }) => context === 'fork') ? fork : undefined,
        modelOutput: loads && deferred.length > 0 ? modelOutput : undefined,
      }),
    ] as const;
  });
  const tools: ToolSet = { ...Object.fromEntries(skillTools), ...guardAll(parts.tools) };

  const skillToolNames = session.tools.map(({ name }) => name);
  // Only the call knows its tool names; `never` fits them all.
  const activeTools = (names: readonly string[]): never[] => [...new Set([...skillToolNames, ...names])] as never[];

  function prepareStepAmong(others: readonly string[], active?: readonly string[]): AiSdkPrepareStep {
    return prepareStepOf({
      skillset,
      session,
      state,
      hostTools: host,
      shown: gate === 'hide' ? shownAmong([...Object.keys(tools), ...others], active) : undefined,
      models: options.models,
      putBack: options.putBack ?? {},
      withdraw: options.withdraw ?? false,
      modelOutput,
      report,
    });
  }

  const shownAmong = (all: readonly string[], active: readonly string[] | undefined): string[] =>
    all.filter((name) => !session.isHidden(name) && (active === undefined || skillToolNames.includes(name) || active.includes(name)));

  const toolApproval = (own: AiSdkOwnApproval | undefined): ReturnType<AiSdkSkills['toolApproval']> => {
    approvalHere = own ?? approvalHere;
    // Running a script is judged like a call of a host tool.
    const { toolNames } = skillset;
    const unjudged = Object.values(toolNames).filter((name) => name !== toolNames.runScript);
    return composeToolApproval({ hostTools: host, skillTools: unjudged, own });
  };
  const prepareStep = prepareStepAmong(otherTools);

  return {
    session,
    kept: session.kept,
    tools: tools as TOOLS,
    instructions: (base) => session.instructions(base),
    activeTools: (names: readonly string[]) => activeTools(names),
    toolChoice(role) {
      const found = session.tools.find((tool) => tool.role === role);
      if (found === undefined) throw new SkillError('unsupported', `This conversation has no skill tool for ${JSON.stringify(role)}.`);
      return { type: 'tool', toolName: found.name as never };
    },
    prepareStep,
    composePrepareStep: <ALL extends ToolSet, RUNTIME extends Record<string, unknown>>(own: PrepareStepFunction<ALL, RUNTIME>) =>
      composePrepareStep(prepareStep, own, skillToolNames),
    toolApproval: (own) => toolApproval(own as AiSdkOwnApproval | undefined),
    async question({ toolName, toolCallId, input }, messages) {
      const verdict = await session.judgeCall(state.of(messages), { tool: toolName, input, id: toolCallId });
      return verdict.decision === 'needs-approval' ? verdict.question : undefined;
    },
    state: (messages) => state.of(messages),
    invoke: async (text, before = [], { signal } = {}) =>
      invokeSkill({ session, state, tool: skillset.toolNames.load, fork, modelOutput }, text, before, signal),
    agentSettings<OTHER extends ToolSet = {}>(
      settings: AiSdkAgentSettingsOptions<OTHER, TOOLS & NoInfer<OTHER>> = {},
    ): AiSdkAgentSettings<TOOLS & NoInfer<OTHER>> {
      assertKnownOptions('agentSettings', settings, knownSettings);
      const others: ToolSet = settings.tools ?? {};
      assertNoReservedToolNames(Object.keys(others), skillset.toolNames);
      assertNotTwice(Object.keys(others), parts.tools);
      if (gate === 'refuse') assertCanRefuse(others, session);
      const active: readonly string[] | undefined = settings.activeTools;
      const among = prepareStepAmong([...otherTools, ...Object.keys(others)], active);
      const own = settings.prepareStep as PrepareStepFunction<ToolSet> | undefined;
      const approval = (settings.toolApproval as AiSdkOwnApproval | undefined) ?? parts.approvalAbove?.();
      const instructions = session.instructions(settings.instructions);
      return {
        // Some providers reject an empty system prompt.
        ...(instructions !== '' && { instructions }),
        tools: { ...tools, ...guardAll(others) } as TOOLS & NoInfer<OTHER>,
        ...(active !== undefined && { activeTools: activeTools(active) }),
        prepareStep: own === undefined ? among : (composePrepareStep(among, own, skillToolNames) as AiSdkPrepareStep),
        ...((approval !== undefined || host.asksPerson) && { toolApproval: toolApproval(approval) }),
      };
    },
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

function asText(text: string): ToolResultPart['output'] {
  return { type: 'text', value: text };
}

function assertCanRefuse(tools: ToolSet, session: SkillSession): void {
  for (const [name, tool] of Object.entries(tools)) {
    const asks = session.approvals?.isCodeTool(name) === true;
    if ((!session.isGated(name) && !asks) || tool.execute !== undefined) continue;
    throw new SkillError(
      'invalid-options',
      `The tool ${JSON.stringify(name)} is ${asks ? 'among `codeTools`' : 'gated'}, but it has no execute in which it could refuse. ${asks ? 'Give it one' : "Give aiSdkSkills the option gate: 'hide'"}, or ${asks ? 'leave it out there' : 'do not gate it'}.`,
    );
  }
}

/** A second tool of the same name would replace the guarded one. */
function assertNotTwice(names: readonly string[], given: ToolSet): void {
  const twice = names.find((name) => Object.hasOwn(given, name));
  if (twice !== undefined) {
    throw new SkillError(
      'invalid-options',
      `The tool ${JSON.stringify(twice)} was given to aiSdkSkills and to agentSettings. Give it to one of them.`,
    );
  }
}
