import { SkillError, type SkillCatalog, type SkillDiagnostic, type Skillset } from '@repertoire/skills-core';
import { assertNoReservedToolNames, type SkillFork } from '@repertoire/skills-core/policy';
import type { PrepareStepFunction, ToolResultPart, ToolSet } from 'ai';
import type {
  AiSdkAgentSettings,
  AiSdkAgentSettingsOptions,
  AiSdkOwnApproval,
  AiSdkPrepareStep,
  AiSdkSkills,
  AiSdkSkillsOptions,
} from './ai-sdk-skills-options.ts';
import { composeToolApproval } from './approval/compose-tool-approval.ts';
import type { RunFork } from './fork/run-fork.ts';
import { stateInFork, type ConversationState } from './state/conversation-state.ts';
import { composePrepareStep } from './step/compose-prepare-step.ts';
import { prepareStepOf } from './step/prepare-step.ts';
import { gateTool } from './tools/gate-tool.ts';
import { toAiTool } from './tools/to-ai-tool.ts';
import { withToolReferences } from './tools/tool-references.ts';
import { toolRules, type ToolRules } from './tools/tool-rules.ts';
import { invokeSkill } from './user/invoke-skill.ts';

/** Everything that was read and opened. */
export interface SkillsParts<TOOLS extends ToolSet, Context> {
  readonly skillset: Skillset<Context>;
  readonly options: AiSdkSkillsOptions<TOOLS, Context>;
  readonly catalog: SkillCatalog<Context>;
  /** The catalog in which skills also name the tools that they bring; all of it, because tools of skills that are not shown must stay locked. */
  readonly rulesCatalog: SkillCatalog<Context>;
  /** The catalog that the skill tools know. */
  readonly toolCatalog: SkillCatalog<Context>;
  /** The host's tools, and those that skills bring. */
  readonly tools: ToolSet;
  readonly state: ConversationState;
  readonly report: (diagnostic: SkillDiagnostic) => void;
  readonly close: () => Promise<void>;
  /** Approvals of the agent that this one works for: what a person must approve there, no agent of its own does unasked. */
  readonly approvalAbove?: (() => AiSdkOwnApproval | undefined) | undefined;
}

/** @throws {SkillError} `invalid-options` for a lockable tool that has no `execute` to refuse in and is not hidden either */
export function buildSkills<TOOLS extends ToolSet, Context>(parts: SkillsParts<TOOLS, Context>): AiSdkSkills<TOOLS, Context> {
  const { skillset, options, catalog, rulesCatalog, toolCatalog, state, report, close } = parts;
  const { gate = 'execute', otherTools = [] } = options;
  const rules = toolRules(skillset, rulesCatalog, Object.keys(parts.tools));
  if (gate === 'execute') assertCanRefuse(parts.tools, rules);
  const deferred = gate === 'anthropic-deferred' ? [...rules.lockable.keys()] : [];
  const modelOutput = deferred.length === 0 ? asText : withToolReferences(skillset, rulesCatalog, deferred);
  let approvalHere: AiSdkOwnApproval | undefined;
  const fork = forkOf(parts, () => approvalHere ?? parts.approvalAbove?.());

  const skillTools = skillset.tools(toolCatalog).map((tool) => {
    const loads = tool.role === 'load';
    return [
      tool.name,
      toAiTool(tool, {
        state,
        fork: loads && catalog.listed.some(({ context }) => context === 'fork') ? fork : undefined,
        modelOutput: loads && deferred.length > 0 ? modelOutput : undefined,
      }),
    ] as const;
  });
  const tools: ToolSet = { ...Object.fromEntries(skillTools), ...mapTools(parts.tools, guard) };

  function guard(name: string, tool: ToolSet[string]): ToolSet[string] {
    const openedBy = rules.lockable.get(name);
    if (openedBy === undefined && !rules.restricting) return tool;
    return gateTool(tool, {
      openedBy: openedBy ?? [],
      refusal: (input, messages) => rules.refusal(name, input, state.atStep(messages)),
      deferred: deferred.includes(name),
    });
  }

  function prepareStepAmong(others: readonly string[]): AiSdkPrepareStep {
    return prepareStepOf({
      skillset,
      catalog: rulesCatalog,
      state,
      rules,
      shown: gate === 'active' ? [...Object.keys(tools), ...others] : undefined,
      models: options.models,
      reattach: options.reattach ?? {},
      withdraw: options.withdraw ?? false,
      modelOutput,
      report,
    });
  }

  const toolApproval = (own: AiSdkOwnApproval | undefined): ReturnType<AiSdkSkills['toolApproval']> => {
    approvalHere = own ?? approvalHere;
    return composeToolApproval({ rules, stateOf: state.atStep, skillTools: Object.values(skillset.toolNames), own });
  };
  const prepareStep = prepareStepAmong(otherTools);

  return {
    catalog,
    tools: tools as TOOLS,
    instructions: (base) => skillset.instructions(catalog, base),
    prepareStep,
    composePrepareStep: <ALL extends ToolSet, RUNTIME extends Record<string, unknown>>(own: PrepareStepFunction<ALL, RUNTIME>) =>
      composePrepareStep(prepareStep, own),
    toolApproval: (own) => toolApproval(own as AiSdkOwnApproval | undefined),
    state: (messages) => state.of(messages),
    invoke: async (text, before = [], { signal } = {}) =>
      invokeSkill({ skillset, catalog: toolCatalog, state, fork, modelOutput }, text, before, signal),
    agentSettings<OTHER extends ToolSet = {}>(
      settings: AiSdkAgentSettingsOptions<OTHER, TOOLS & NoInfer<OTHER>> = {},
    ): AiSdkAgentSettings<TOOLS & NoInfer<OTHER>> {
      const others: ToolSet = settings.tools ?? {};
      assertNoReservedToolNames(Object.keys(others), skillset.toolNames);
      assertNotTwice(Object.keys(others), parts.tools);
      const among = prepareStepAmong([...otherTools, ...Object.keys(others)]);
      const own = settings.prepareStep as PrepareStepFunction<ToolSet> | undefined;
      const approval = (settings.toolApproval as AiSdkOwnApproval | undefined) ?? parts.approvalAbove?.();
      return {
        instructions: skillset.instructions(catalog, settings.instructions),
        tools: { ...tools, ...(rules.restricting ? mapTools(others, guard) : others) } as TOOLS & NoInfer<OTHER>,
        prepareStep: own === undefined ? among : (composePrepareStep(among, own) as AiSdkPrepareStep),
        ...(approval !== undefined && { toolApproval: toolApproval(approval) }),
      };
    },
    close,
    closing: { onEnd: close, onError: close, onAbort: close },
    [Symbol.asyncDispose]: close,
  };
}

/** The host's runner, with the same skills and tools for the agent that it runs. */
function forkOf<TOOLS extends ToolSet, Context>(
  parts: SkillsParts<TOOLS, Context>,
  approvalAbove: () => AiSdkOwnApproval | undefined,
): RunFork | undefined {
  const { fork } = parts.options;
  if (fork === undefined) return undefined;
  return (skillFork: SkillFork, call) => {
    // Without a fork of its own, it reads every other skill itself; so no agent can call itself again, however deep.
    const inner = {
      ...parts,
      options: { ...parts.options, fork: undefined },
      state: stateInFork(parts.skillset, skillFork),
      close: async () => {},
      approvalAbove,
    };
    const alone = { ...inner, catalog: onlyShowing(parts.catalog, skillFork), toolCatalog: onlyShowing(parts.toolCatalog, skillFork) };
    const build = (of: typeof inner) => buildSkills<TOOLS, Context>(of) as unknown as AiSdkSkills;
    return fork(skillFork, { ...call, skills: build(alone), allSkills: build(inner) });
  };
}

/** A catalog of one skill, with nothing to tell of it: its text is what the agent was asked. */
function onlyShowing<Context>(catalog: SkillCatalog<Context>, { skill }: SkillFork): SkillCatalog<Context> {
  const listed = catalog.listed.filter(({ name }) => name === skill);
  return { ...catalog, skills: listed.slice(0, 1), listed, text: '', toolText: '' };
}

function asText(text: string): ToolResultPart['output'] {
  return { type: 'text', value: text };
}

function mapTools(tools: ToolSet, map: (name: string, tool: ToolSet[string]) => ToolSet[string]): ToolSet {
  return Object.fromEntries(Object.entries(tools).map(([name, tool]) => [name, map(name, tool)]));
}

function assertCanRefuse(tools: ToolSet, { lockable }: ToolRules): void {
  for (const [name, openedBy] of lockable) {
    if (tools[name]?.execute !== undefined) continue;
    throw new SkillError(
      'invalid-options',
      `The tool ${JSON.stringify(name)} is to be locked until the skill ${openedBy.map((skill) => JSON.stringify(skill)).join(' or ')} is loaded, but it has no execute in which it could refuse. Give aiSdkSkills the option gate: 'active', or keep the tool out of its tools.`,
    );
  }
}

/** The second would stand in the place of the first, which refuses while it is locked. */
function assertNotTwice(names: readonly string[], hostTools: ToolSet): void {
  const twice = names.find((name) => Object.hasOwn(hostTools, name));
  if (twice !== undefined) {
    throw new SkillError(
      'invalid-options',
      `The tool ${JSON.stringify(twice)} was given to aiSdkSkills and to agentSettings. Give it to one of them.`,
    );
  }
}
