import type { SkillDiagnostic, SkillState } from '@repertoire/skills-core';
import { openSkillset, stateOfTurns } from '@repertoire/skills-core/adapter';
import { turnsOfMessages } from '../messages/turns-of-messages.ts';
import { withRestored } from '../messages/with-restored.ts';
import { loadedSkillsUpdate, updateOf } from '../state/graph-state.ts';
import type { SkillsBinding } from './bind-skills.ts';
import type { SkillsConversation } from './skills-conversation.ts';
import { threadOf, type SkillsRun } from './skills-run.ts';
import type { ThreadSeal } from './thread-seal.ts';

/** What the conversations of a binding share. */
export interface ConversationParts<Context> extends Pick<
  SkillsBinding<Context>,
  'skillset' | 'options' | 'channels' | 'toolsOfSkills' | 'read'
> {
  readonly availableTools: readonly string[];
  readonly seal: ThreadSeal | undefined;
  /** The adapter's own listener, for sessions. */
  readonly onDiagnostic: ((diagnostic: SkillDiagnostic) => void) | undefined;
  /** The key under which a conversation's connections are kept. */
  idOf(state: unknown, run: SkillsRun): string | undefined;
}

/** What is loaded, according to the state. */
export async function loadedOf<Context>({ read, seal }: ConversationParts<Context>, state: unknown, run: SkillsRun): Promise<SkillState> {
  const { claimed } = read(state);
  return seal === undefined ? claimed : seal.open(claimed, run);
}

/** Opens the session of a run. See {@link SkillsBinding.enter}. */
export async function openConversation<Context>(
  parts: ConversationParts<Context>,
  state: unknown,
  run: SkillsRun,
  given: SkillState | undefined,
): Promise<SkillsConversation> {
  const { skillset, options, channels, toolsOfSkills, availableTools, seal, onDiagnostic } = parts;
  const { kept, messages: all, loadedTools } = parts.read(state);
  const loaded = given ?? (await loadedOf(parts, state, run));
  const { signal } = run;
  const context = options.context && { context: await options.context(run) };
  const session = await openSkillset(skillset, { ...context, conversation: threadOf(run), availableTools, kept, signal, onDiagnostic });
  const to = { id: parts.idOf(state, run), loadedTools, signal };
  return {
    ...to,
    run,
    session,
    messages: all,
    loaded,
    skills({ messages, state: known } = { messages: all, state: loaded }) {
      // Outside of a graph there are no messages to compare with.
      if (given !== undefined) return given;
      return stateOfTurns(session, turnsOfMessages(messages, session), known);
    },
    async shown(messages = all) {
      if (options.restore === false && !session.refreshes) return { messages, state: loaded };
      const room = options.restore === false ? { lost: false } : (options.restore ?? {});
      return withRestored(messages, { session, state: loaded, loadTool: skillset.toolNames.load, room, signal });
    },
    async toolsOfSkills(failed) {
      return toolsOfSkills.of(toolsOfSkills.any ? await session.active(loaded) : [], to, failed);
    },
    async update(events, tools) {
      const entries = loadedSkillsUpdate(session, loaded, events);
      return updateOf(channels, { loaded_skills: (await seal?.seal(entries, run)) ?? entries, loaded_tools: tools });
    },
  };
}
