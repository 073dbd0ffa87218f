import type { StructuredToolInterface } from '@langchain/core/tools';
import { SkillError, skillInForce, type SkillCatalog, type SkillDiagnostic, type SkillMetadata, type SkillState } from '@repertoire/skills-core';
import { loadedSkillNames } from '@repertoire/skills-core/state';
import type { SkillToolSource } from './skill-tool-source.ts';
import { conversationOf, type SkillsRun } from './skills-run.ts';

/** Tools that skills bring with them. */
export interface BroughtTools {
  /** Whether there is any source of them. */
  readonly any: boolean;
  /**
   * The tools of one skill, opened where they are not.
   *
   * @throws {SkillError} what a source throws; nothing of the skill is open then
   */
  open(skill: SkillMetadata, state: unknown, run: SkillsRun): Promise<readonly StructuredToolInterface[]>;
  /** The tools of all loaded skills. A skill whose source fails now has none; `failed` is told why. */
  of(
    catalog: SkillCatalog,
    skills: SkillState,
    state: unknown,
    run: SkillsRun,
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

  async function open(
    skill: SkillMetadata,
    state: unknown,
    run: SkillsRun,
    others: Iterable<string> = [],
  ): Promise<StructuredToolInterface[]> {
    if (sources.length === 0) return [];
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
    open: (skill, state, run) => open(skill, state, run, namesIn(state, skill.name)),
    async of(catalog, skills, state, run, failed) {
      if (sources.length === 0) return [];
      const tools: StructuredToolInterface[] = [];
      for (const name of loadedSkillNames(skills)) {
        const skill = skillInForce(catalog.listed, skills, name);
        if (skill === undefined) continue;
        try {
          tools.push(...(await open(skill, state, run, namesIn(state, name))));
        } catch (error) {
          run.signal?.throwIfAborted();
          failed?.(name, error);
        }
      }
      return tools;
    },
    close,
  };
}

/** Names of tools that other loaded skills opened: a skill that comes later gives way to them, also after a restart. */
function namesIn(state: unknown, own: string): string[] {
  const loaded = (state as { readonly loaded_tools?: Readonly<Record<string, readonly string[] | null>> } | undefined)?.loaded_tools ?? {};
  return Object.entries(loaded).flatMap(([skill, tools]) => (skill === own ? [] : (tools ?? [])));
}
