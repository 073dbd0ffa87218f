import { SkillError, type SkillSession } from '@repertoire/skills-core';
import type { ToolResultPart, ToolSet } from 'ai';
import type { AiSdkOwnApproval, AiSdkPrepareStep, AiSdkToolApproval } from './ai-sdk-skills-options.ts';
import type { SkillsParts } from './build-skills.ts';
import type { RunFork } from './fork/run-fork.ts';
import { conversationState, type ConversationState } from './state/conversation-state.ts';
import { prepareStepOf } from './step/prepare-step.ts';
import { HostTools } from './tools/host-tools.ts';
import { toAiTool } from './tools/to-ai-tool.ts';
import { withToolReferences } from './tools/tool-references.ts';

/** What calls of the SDK get from a session: tools, and what goes with them. */
export class SkillsOfCalls<TOOLS extends ToolSet, Context> {
  readonly parts: SkillsParts<TOOLS, Context>;
  /** Runs a fork; `undefined` if the host runs none. */
  readonly fork: RunFork | undefined;
  readonly state: ConversationState;
  readonly hostTools: HostTools;
  readonly skillToolNames: readonly string[];
  /** The skill tools and the guarded tools of the host. */
  readonly tools: ToolSet;
  /** Converts the answer of a load to what the model gets. */
  readonly modelOutput: (text: string) => ToolResultPart['output'];
  readonly #deferred: readonly string[];
  #approval: AiSdkOwnApproval | undefined;

  /** @throws {SkillError} `invalid-options` for a shown, gated tool without `execute` */
  constructor(parts: SkillsParts<TOOLS, Context>, fork: RunFork | undefined) {
    const { skillset, options, session, report } = parts;
    this.parts = parts;
    this.fork = fork;
    this.state = conversationState(session, options.state);
    this.hostTools = new HostTools(session, this.state, report, fork !== undefined);
    this.skillToolNames = session.tools.map(({ name }) => name);
    this.#deferred = options.gate === 'defer' ? Object.keys(parts.tools).filter((name) => session.isGated(name)) : [];
    this.modelOutput = this.#deferred.length === 0 ? asText : withToolReferences(skillset, session, this.#deferred);
    const guarded = this.guard(parts.tools);
    this.tools = { ...this.#skillTools(), ...guarded };
  }

  /** What forked agents inherit. */
  get approval(): AiSdkOwnApproval | undefined {
    return this.#approval ?? this.parts.approvalAbove?.();
  }

  toolApproval(own: AiSdkOwnApproval | undefined): AiSdkToolApproval {
    this.#approval = own ?? this.#approval;
    // Running a script is judged like a call of a host tool.
    const { toolNames } = this.parts.skillset;
    const unjudged = Object.values(toolNames).filter((name) => name !== toolNames.runScript);
    return this.hostTools.toolApproval(unjudged, own);
  }

  /** Tools of the host as calls get them, without the hidden ones. */
  guard(tools: ToolSet): ToolSet {
    const { session, options } = this.parts;
    if ((options.gate ?? 'refuse') === 'refuse') assertCanRefuse(tools, session);
    return Object.fromEntries(
      Object.entries(tools)
        .filter(([name]) => !session.isHidden(name))
        .map(([name, tool]) => [name, this.hostTools.guard(name, tool, this.#deferred.includes(name))]),
    );
  }

  // Only the call knows its tool names; `never` fits them all.
  activeTools(names: readonly string[]): never[] {
    return [...new Set([...this.skillToolNames, ...names])] as never[];
  }

  /**
   * @param others tools of the call that are not in `tools`
   * @param active what the host shows of its tools. @default all of them
   */
  prepareStep(others: readonly string[], active?: readonly string[]): AiSdkPrepareStep {
    const { session, options } = this.parts;
    const isShown = (name: string): boolean =>
      !session.isHidden(name) && (active === undefined || this.skillToolNames.includes(name) || active.includes(name));
    return prepareStepOf(this, options.gate === 'hide' ? [...Object.keys(this.tools), ...others].filter(isShown) : undefined);
  }

  #skillTools(): ToolSet {
    const { session } = this.parts;
    const forks = session.catalog.listed.some(({ context }) => context === 'fork');
    return Object.fromEntries(
      session.tools.map((tool) => {
        const loads = tool.role === 'load';
        const made = toAiTool(tool, {
          state: this.state,
          refusal: this.hostTools.asksPerson ? this.hostTools.refusal.bind(this.hostTools) : undefined,
          fork: loads && forks ? this.fork : undefined,
          modelOutput: loads && this.#deferred.length > 0 ? this.modelOutput : undefined,
        });
        return [tool.name, made];
      }),
    );
  }
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
