import type { StructuredToolInterface } from '@langchain/core/tools';
import type { SkillEvent, SkillMetadata } from '@repertoire/skills-core';
import type { SkillsBinding } from '../binding/bind-skills.ts';
import type { SkillsConversation } from '../binding/skills-conversation.ts';
import type { LoadedTools } from '../state/skills-state.ts';

/** The tools that one call opened before its skill counted as loaded. */
export interface OpenedOnLoad {
  /** Pass it as `onLoad`. It rejects with what a source of tools throws. */
  onLoad(skill: SkillMetadata): Promise<void>;
  /** The tools, by the name of the skill. */
  readonly tools: ReadonlyMap<string, readonly StructuredToolInterface[]>;
}

/** Opens the tools of a skill when it is about to be loaded. */
export function openOnLoad<Context>(
  { toolsOfSkills }: SkillsBinding<Context>,
  { id, session, signal, loadedTools }: SkillsConversation,
): OpenedOnLoad {
  const tools = new Map<string, readonly StructuredToolInterface[]>();
  return {
    tools,
    async onLoad({ name, version }) {
      const skill = session.catalog.listed.find((listed) => listed.name === name && listed.version === version);
      if (skill !== undefined) tools.set(name, await toolsOfSkills.open(skill, { id, signal, loadedTools }));
    },
  };
}

/**
 * The update of `loaded_tools` for events. It opens and closes what skills bring.
 *
 * @throws {SkillError} what a source of tools throws
 */
export async function toolsOfEvents<Context>(
  { toolsOfSkills, hostTools }: SkillsBinding<Context>,
  { id, session, signal, loadedTools }: SkillsConversation,
  events: readonly SkillEvent[],
  openedBefore: OpenedOnLoad['tools'],
): Promise<LoadedTools> {
  const tools: Record<string, readonly string[] | null> = {};
  for (const event of events) {
    if (event.type === 'compacted') continue;
    const version = event.type === 'loaded' ? (event.version ?? null) : null;
    const skill = session.catalog.listed.find((listed) => listed.name === event.name && listed.version === version);
    if (event.type === 'unloaded' || skill === undefined) {
      await toolsOfSkills.close(id, event.name);
      tools[event.name] = null;
      continue;
    }
    const named = hostTools.map((tool) => tool.name).filter((name) => skill.tools?.includes(name));
    const opened =
      openedBefore.get(event.name) ?? (await toolsOfSkills.open(skill, { id, signal, loadedTools: { ...loadedTools, ...tools } }));
    tools[event.name] = [...new Set([...named, ...opened.map((tool) => tool.name)])];
  }
  return tools;
}
