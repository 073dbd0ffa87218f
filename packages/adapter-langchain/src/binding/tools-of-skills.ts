import type { StructuredToolInterface } from '@langchain/core/tools';
import { SkillError, type SkillDiagnostic, type SkillMetadata } from '@repertoire/skills-core';
import type { LoadedTools } from '../state/skills-state.ts';
import type { SkillToolSource } from './skill-tool-source.ts';

/** What tools of skills need to know about a conversation. */
export interface ToolConversation {
  /** The key for connections; `undefined` if nothing identifies the conversation. */
  readonly id: string | undefined;
  /** Tool names by skill, from the state. */
  readonly loadedTools: LoadedTools;
  readonly signal: AbortSignal | undefined;
}

/** The tools of skills, by the name of the skill. */
export type ToolsBySkill = ReadonlyMap<string, readonly StructuredToolInterface[]>;

/** Opens and closes the tools of skills. */
export interface ToolsOfSkills {
  /** Whether there is any source. */
  readonly any: boolean;
  /**
   * Opens the tools of one skill. Returns the same ones if they are open already.
   *
   * @throws {SkillError} what a source throws. Nothing of the skill stays open then
   */
  open(skill: SkillMetadata, conversation: ToolConversation): Promise<readonly StructuredToolInterface[]>;
  /** The tools of these skills. If a source fails, its skill has none and `failed` is called. */
  of(
    skills: readonly SkillMetadata[],
    conversation: ToolConversation,
    failed?: (skill: string, error: unknown) => void,
  ): Promise<ToolsBySkill>;
  /** Closes the tools of one skill, or of the whole conversation. */
  close(id: string | undefined, skill?: string): Promise<void>;
}

export function createToolsOfSkills(
  sources: readonly SkillToolSource[],
  hostNames: readonly string[],
  report: (diagnostic: SkillDiagnostic) => void,
): ToolsOfSkills {
  async function close(id: string | undefined, skill?: string): Promise<void> {
    // Without an id, nothing can have been opened.
    if (id === undefined) return;
    await Promise.all(sources.map((source) => source.close(id, skill)));
  }

  async function open(skill: SkillMetadata, { id, loadedTools, signal }: ToolConversation): Promise<StructuredToolInterface[]> {
    // A later skill must not take names of others, also after a restart. Two that were loaded in
    // parallel may both have recorded a name, which is then the first one's.
    const loaded = Object.entries(loadedTools);
    const place = loaded.findIndex(([name]) => name === skill.name);
    const own = new Set(loaded[place]?.[1]);
    const others = loaded.flatMap(([, tools], index) =>
      index === place ? [] : (tools ?? []).filter((tool) => index < place || !own.has(tool)),
    );
    if (id === undefined && sources.some(({ stateless }) => stateless !== true)) {
      throw new SkillError(
        'invalid-options',
        'Skills that bring tools of their own need to know the conversation. Call the graph with configurable: { thread_id }.',
      );
    }
    const taken = new Set([...hostNames, ...others]);
    const tools: StructuredToolInterface[] = [];
    try {
      for (const source of sources) {
        const opened = await source.open(skill, { conversation: id ?? '', taken, signal, report });
        for (const { name } of opened) taken.add(name);
        tools.push(...opened);
      }
    } catch (error) {
      await close(id, skill.name);
      throw error;
    }
    return tools;
  }

  return {
    any: sources.length > 0,
    open,
    async of(skills, conversation, failed) {
      const tools = new Map<string, readonly StructuredToolInterface[]>();
      if (sources.length === 0) return tools;
      for (const skill of skills) {
        try {
          tools.set(skill.name, await open(skill, conversation));
        } catch (error) {
          conversation.signal?.throwIfAborted();
          failed?.(skill.name, error);
        }
      }
      return tools;
    },
    close,
  };
}
