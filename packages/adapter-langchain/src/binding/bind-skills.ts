import type { StructuredToolInterface } from '@langchain/core/tools';
import type { SkillDiagnostic, SkillProvider, Skillset, SkillState } from '@repertoire/skills-core';
import {
  adapterReporter,
  assertNoReservedToolNames,
  skillsetOf,
  skillStateSeal,
  toolsInCode,
  type SkillCallVerdict,
} from '@repertoire/skills-core/adapter';
import { judgeBrought, openSkillset, stateOfTurns, type JudgedCall, type LoadedSkill } from '@repertoire/skills-core/internal';
import { turnsOfMessages } from '../messages/turns-of-messages.ts';
import { withPutBack } from '../messages/with-put-back.ts';
import { loadedSkillsUpdate, readGraphState, updateOf, type GraphState } from '../state/graph-state.ts';
import { channelsOf, type LoadedSkills, type SkillsChannels } from '../state/skills-state.ts';
import { isLangChainTool } from '../tools/is-langchain-tool.ts';
import { broughtTools, type BroughtTools } from './brought-tools.ts';
import type { SkillsConversation } from './skills-conversation.ts';
import type { SkillsOptions } from './skills-options.ts';
import { threadOf, type SkillsRun } from './skills-run.ts';

/** A skillset and how a graph uses it. It stores nothing about a conversation. */
export interface SkillsBinding<Context> {
  readonly skillset: Skillset<Context>;
  readonly options: SkillsOptions<Context>;
  readonly channels: SkillsChannels;
  readonly hostTools: readonly StructuredToolInterface[];
  readonly brought: BroughtTools;
  /** Reads a state without asking the source. */
  read(state: unknown): GraphState;
  /** The key under which a conversation's connections are kept. */
  idOf(state: unknown, run: SkillsRun): string | undefined;
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
  report(diagnostic: SkillDiagnostic): void;
}

/** A run without a thread has no name, so all such runs are one conversation for the seal. */
const sealWithoutThread: SkillDiagnostic = {
  code: 'state-secret-without-thread',
  severity: 'warning',
  message: '`stateSecret` seals what is loaded, but this run has no thread_id: every run without one accepts the sealed entries.',
  fix: 'Call the graph with `configurable: { thread_id }`, one for each conversation.',
};

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
  const { namespace } = options;
  const handed = options.tools ?? [];
  const handedNames = [...handed.map(({ name }) => name), ...(options.otherTools ?? [])];
  const hostTools = [...handed, ...Object.values(toolsInCode(skillset.provider, isLangChainTool, handedNames))];
  const names = [...hostTools.map(({ name }) => name), ...(options.otherTools ?? [])];
  assertNoReservedToolNames(names, skillset.toolNames);
  const channels = channelsOf(namespace);
  const seal = options.stateSecret === undefined ? undefined : skillStateSeal(options.stateSecret);
  const { own, report } = adapterReporter(skillset, options.onDiagnostic);
  const brought = broughtTools(options.toolSources ?? [], [...Object.values(skillset.toolNames), ...names], report);
  const read = (state: unknown): GraphState => readGraphState(state, channels);
  /** A sealed entry counts only in its thread and namespace. */
  const scopeOf = (run: SkillsRun) => JSON.stringify([threadOf(run) ?? null, namespace ?? null]);
  const loadedOf = async (state: unknown, run: SkillsRun): Promise<SkillState> => {
    const { claimed } = read(state);
    return seal === undefined ? claimed : seal.open(claimed, scopeOf(run));
  };
  const sealed = async (entries: LoadedSkills, run: SkillsRun): Promise<LoadedSkills> => {
    if (seal === undefined) return entries;
    if (threadOf(run) === undefined) report(sealWithoutThread);
    const loaded = Object.fromEntries(Object.entries(entries).filter((entry): entry is [string, LoadedSkill] => entry[1] !== null));
    return { ...entries, ...(await seal.seal({ loaded }, scopeOf(run))).loaded };
  };
  const idOf = (state: unknown, run: SkillsRun): string | undefined => read(state).run ?? threadOf(run) ?? conversation;

  async function enter(state: unknown, run: SkillsRun, given?: SkillState): Promise<SkillsConversation> {
    const { kept, messages: all, loadedTools } = read(state);
    const loaded = given ?? (await loadedOf(state, run));
    const context = options.context && { context: await options.context(run) };
    const session = await openSkillset(skillset, { ...context, availableTools: names, kept, signal: run.signal, onDiagnostic: own });
    const to = { id: idOf(state, run), loadedTools, signal: run.signal };
    return {
      ...to,
      run,
      session,
      messages: all,
      loaded,
      skills({ messages, kept: known } = { messages: all, kept: loaded }) {
        // Outside of a graph there are no messages to compare with.
        if (given !== undefined) return given;
        return stateOfTurns(session, turnsOfMessages(messages, session), known);
      },
      async shown(messages = all) {
        if (options.putBack === false && !session.refreshes) return { messages, kept: loaded };
        const room = options.putBack === false ? { lost: false } : (options.putBack ?? {});
        return withPutBack(messages, { session, kept: loaded, loadTool: skillset.toolNames.load, room, signal: run.signal });
      },
      async broughtTools(failed) {
        return brought.of(brought.any ? await session.active(loaded) : [], to, failed);
      },
      async update(events, tools) {
        const entries = await sealed(loadedSkillsUpdate(session, loaded, events), run);
        return updateOf(channels, { loaded_skills: entries, loaded_tools: tools });
      },
    };
  }

  return {
    skillset,
    options,
    channels,
    hostTools,
    brought,
    read,
    idOf,
    enter,
    async judge(call, state, run, given) {
      const loaded = given ?? (await loadedOf(state, run));
      const open = async () => (await enter(state, run, loaded)).session;
      return await judgeBrought(skillset, open, call, { state: loaded, canFork: options.fork !== undefined, signal: run.signal });
    },
    report,
  };
}
