import type { StructuredToolInterface } from '@langchain/core/tools';
import { SkillError, type SkillDiagnostic, type SkillMetadata, type SkillSession, type SkillState } from '@repertoire/skills-core';
import type { LoadedTools } from '../state/skills-state.ts';
import type { SkillToolSource } from './skill-tool-source.ts';
import { conversationOf, type SkillsRun } from './skills-run.ts';

/** A conversation as far as brought tools need to know it. */
export interface BroughtTo {
  readonly state: unknown;
  readonly run: SkillsRun;
  /** Names of tools by skill, as the state has them. */
  readonly loadedTools: LoadedTools;
}

/** Tools that skills bring with them. */
export interface BroughtTools {
  /** Whether there is any source of them. */
  readonly any: boolean;
  /**
   * The tools of one skill, opened if they are not.
   *
   * @throws {SkillError} what a source throws; nothing of the skill is open then
   */
  open(skill: SkillMetadata, conversation: BroughtTo): Promise<readonly StructuredToolInterface[]>;
  /** The tools of all loaded skills that are in force. A skill whose source fails now has none; `failed` is told why. */
  of(
    session: SkillSession,
    skills: SkillState,
    conversation: BroughtTo,
    failed?: (skill: string, error: unknown) => void,
  ): Promise<readonly StructuredToolInterface[]>;
  /** Closes those of one skill, or of the whole conversation. */
  close(state: unknown, run: SkillsRun, skill?: string): Promise<void>;
}

export function broughtTools(
  sources: readonly SkillToolSource[],
  hostNames: readonly string[],
  report: (diagnostic: SkillDiagnostic) => void,
): BroughtTools {
  async function close(state: unknown, run: SkillsRun, skill?: string): Promise<void> {
    const conversation = conversationOf(state, run);
    // Without one, nothing can have been opened.
    if (sources.length === 0 || conversation === undefined) return;
    await Promise.all(sources.map((source) => source.close(conversation, skill)));
  }

  async function open(skill: SkillMetadata, { state, run, loadedTools }: BroughtTo): Promise<StructuredToolInterface[]> {
    if (sources.length === 0) return [];
    // A skill that comes later gives way to the names of those before it, also after a restart.
    const others = Object.entries(loadedTools).flatMap(([name, tools]) => (name === skill.name ? [] : (tools ?? [])));
    const conversation = conversationOf(state, run);
    if (conversation === undefined) {
      throw new SkillError(
        'invalid-options',
        'Skills that bring tools of their own need to know the conversation. Call the graph with configurable: { thread_id }.',
      );
    }
    const taken = new Set([...hostNames, ...others]);
    const tools: StructuredToolInterface[] = [];
    try {
      for (const source of sources) {
        const opened = await source.open(skill, { conversation, taken, signal: run.signal, report });
        for (const { name } of opened) taken.add(name);
        tools.push(...opened);
      }
    } catch (error) {
      await close(state, run, skill.name);
      throw error;
    }
    return tools;
  }

  return {
    any: sources.length > 0,
    open,
    async of(session, skills, conversation, failed) {
      if (sources.length === 0) return [];
      const tools: StructuredToolInterface[] = [];
      for (const skill of await session.active(skills)) {
        try {
          tools.push(...(await open(skill, conversation)));
        } catch (error) {
          conversation.run.signal?.throwIfAborted();
          failed?.(skill.name, error);
        }
      }
      return tools;
    },
    close,
  };
}
