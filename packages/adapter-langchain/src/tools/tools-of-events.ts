import type { SkillEvent, SkillMetadata } from '@repertoire/skills-core';
import type { SkillsBinding } from '../binding/bind-skills.ts';
import type { SkillsConversation } from '../binding/skills-conversation.ts';
import type { LoadedTools } from '../state/skills-state.ts';

/**
 * Opens what a skill brings, before it counts as loaded: for `onLoad` of a load.
 *
 * @throws {SkillError} what a source of tools throws
 */
export async function openOnLoad<Context>(
  { brought }: SkillsBinding<Context>,
  { id, session, signal, loadedTools }: SkillsConversation,
  { name, version }: SkillMetadata,
): Promise<void> {
  const skill = session.catalog.listed.find((listed) => listed.name === name && listed.version === version);
  if (skill !== undefined) await brought.open(skill, { id, signal, loadedTools });
}

/**
 * The update of `loaded_tools` for events, with what skills bring opened and closed.
 *
 * @throws {SkillError} what a source of tools throws
 */
export async function toolsOfEvents<Context>(
  { brought, hostTools }: SkillsBinding<Context>,
  { id, session, signal, loadedTools }: SkillsConversation,
  events: readonly SkillEvent[],
): Promise<LoadedTools> {
  const tools: Record<string, readonly string[] | null> = {};
  for (const event of events) {
    if (event.type === 'compacted') continue;
    const version = event.type === 'loaded' ? (event.version ?? null) : null;
    const skill = session.catalog.listed.find((listed) => listed.name === event.name && listed.version === version);
    if (event.type === 'unloaded' || skill === undefined) {
      await brought.close(id, event.name);
      tools[event.name] = null;
      continue;
    }
    const named = hostTools.map((tool) => tool.name).filter((name) => skill.tools?.includes(name));
    const opened = await brought.open(skill, { id, signal, loadedTools: { ...loadedTools, ...tools } });
    tools[event.name] = [...new Set([...named, ...opened.map((tool) => tool.name)])];
  }
  return tools;
}
