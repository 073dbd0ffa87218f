import type { SkillState } from '@repertoire/skills-core';
import type { UIDataTypes, UIMessage, UIMessageChunk, UITools } from 'ai';

/** What a data part says about the skills of a conversation: those that are loaded now. */
export interface SkillsData {
  readonly loaded: readonly { readonly name: string; readonly version: string | null; readonly inContext: boolean }[];
}

/** For `useChat<SkillUIMessage>()`. Add your data and tools as type parameters. */
export type SkillUIMessage<METADATA = unknown, DATA extends UIDataTypes = {}, TOOLS extends UITools = UITools> = UIMessage<
  METADATA,
  DATA & { skills: SkillsData },
  TOOLS
>;

/**
 * Returns a data part with the loaded skills. Write it to the UI message stream at the end of an
 * answer. A later one with the same id replaces it.
 *
 * @example
 * ```ts
 * import { skillsDataChunk, type SkillUIMessage } from '@repertoire/adapter-vercel-ai/ui';
 * import type { SkillState } from '@repertoire/skills-core';
 * import type { UIMessageStreamWriter } from 'ai';
 *
 * export function showLoaded(writer: UIMessageStreamWriter<SkillUIMessage>, state: SkillState): void {
 *   writer.write(skillsDataChunk(state));
 * }
 * ```
 */
export function skillsDataChunk(state: SkillState): Extract<UIMessageChunk<unknown, { skills: SkillsData }>, { type: 'data-skills' }> {
  const loaded = Object.entries(state.loaded)
    .toSorted(([, a], [, b]) => a.sequence - b.sequence)
    .map(([name, { version, inContext }]) => ({ name, version, inContext }));
  return { type: 'data-skills', id: 'skills', data: { loaded } };
}
