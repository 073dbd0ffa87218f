import type { StructuredToolInterface } from '@langchain/core/tools';
import type { SkillDiagnostic, SkillProvider, Skillset, SkillState } from '@repertoire/skills-core';
import {
  assertNoReservedToolNames,
  skillsetOf,
  toolsInCode,
  type SkillCallVerdict,
  toolList,
  judgeToolOfSkill,
  adapterReporter,
} from '@repertoire/skills-core/adapter';
import { type JudgedCall } from '@repertoire/skills-core/internal';
import { readGraphState, type GraphState } from '../state/graph-state.ts';
import { channelsOf, type SkillsChannels } from '../state/skills-state.ts';
import { isLangChainTool } from '../tools/is-langchain-tool.ts';
import { createToolsOfSkills, type ToolsOfSkills } from './tools-of-skills.ts';
import { loadedOf, openConversation, type ConversationParts } from './open-conversation.ts';
import type { SkillsConversation } from './skills-conversation.ts';
import type { SkillsOptions } from './skills-options.ts';
import { threadOf, type SkillsRun } from './skills-run.ts';
import { threadSeal } from './thread-seal.ts';

/** A skillset and how a graph uses it. It stores nothing about a conversation. */
export interface SkillsBinding<Context> {
  readonly skillset: Skillset<Context>;
  readonly options: SkillsOptions<Context>;
  readonly channels: SkillsChannels;
  readonly hostTools: readonly StructuredToolInterface[];
  readonly toolsOfSkills: ToolsOfSkills;
  /** Reads a state without asking the source. */
  read(state: unknown): GraphState;
  /**
   * Opens the session of a run. From the state it takes only what is loaded; everything else comes
   * from the source.
   *
   * @param loaded what is loaded, outside of a graph. @default what the state says
   * @throws {SkillError} what the provider rejects with
   */
  enter(state: unknown, run: SkillsRun, loaded?: SkillState): Promise<SkillsConversation>;
  /** Judges a call. If skills cannot be read, gated tools and tools of skills stay closed. */
  judge(call: JudgedCall, state: unknown, run: SkillsRun, loaded?: SkillState): Promise<SkillCallVerdict>;
  /** Closes what skills opened for a conversation. */
  close(state: unknown, run: SkillsRun): Promise<void>;
  report(diagnostic: SkillDiagnostic): void;
}

/**
 * @param conversation key for connections, if every use of the binding belongs to one conversation
 * @throws {SkillError} `reserved-tool-name` if a tool of the host has the name of a skill tool;
 *   `invalid-options`
 */
export function bindSkills<Context>(
  source: Skillset<Context> | SkillProvider,
  options: SkillsOptions<Context>,
  conversation?: string,
): SkillsBinding<Context> {
  const skillset = skillsetOf('The adapter', source);
  const { otherTools = [], namespace } = options;
  const handed = toolList(options.tools);
  const handedNames = [...handed.map(({ name }) => name), ...otherTools];
  const hostTools = [...handed, ...Object.values(toolsInCode(skillset.provider, isLangChainTool, handedNames))];
  const names = [...hostTools.map(({ name }) => name), ...otherTools];
  assertNoReservedToolNames(names, skillset.toolNames);
  const channels = channelsOf(namespace);
  const { own, report } = adapterReporter(skillset, options.onDiagnostic);
  const toolsOfSkills = createToolsOfSkills(options.toolSources ?? [], [...Object.values(skillset.toolNames), ...names], report);
  const read = (state: unknown): GraphState => readGraphState(state, channels);
  const idOf = (state: unknown, run: SkillsRun): string | undefined => read(state).run ?? threadOf(run) ?? conversation;
  const shared = { skillset, options, channels, toolsOfSkills, read };
  const parts: ConversationParts<Context> = {
    ...shared,
    availableTools: names,
    seal: threadSeal(options, report),
    onDiagnostic: own,
    idOf,
  };

  return {
    ...shared,
    hostTools,
    enter: async (state, run, loaded) => openConversation(parts, state, run, loaded),
    async judge(call, state, run, given) {
      const loaded = given ?? (await loadedOf(parts, state, run));
      const open = async () => (await openConversation(parts, state, run, loaded)).session;
      return await judgeToolOfSkill(skillset, open, call, { state: loaded, canFork: options.fork !== undefined, signal: run.signal });
    },
    close: async (state, run) => toolsOfSkills.close(idOf(state, run)),
    report,
  };
}
