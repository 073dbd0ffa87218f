import { contentElement, frame, readFrame } from '../prompt/frames.ts';
import { withdrawnText } from '../prompt/model-texts.ts';
import type { SkillEvent } from './skill-state.ts';

/** A mark for messages with instructions, for pages and summarizers. */
export interface SkillInjectionTag {
  readonly skillInjection: true;
  /** Names of the skills whose text the message holds. */
  readonly skillIds: readonly string[];
}

/**
 * Returns the mark of a tool result, by its events; `null` for one that carries no instructions.
 */
export function skillInjectionTag(events: readonly SkillEvent[]): SkillInjectionTag | null {
  const skillIds = events.flatMap((event) => (event.type === 'loaded' ? [event.name] : []));
  return skillIds.length === 0 ? null : { skillInjection: true, skillIds };
}

/**
 * Takes the instructions out of the result of a load call, for skills that were unloaded. It frees
 * the room they took; what follows in the conversation is no longer the cached prefix, so the next
 * request pays for it once. Other texts come back as they are.
 *
 * @example
 * ```ts
 * import { withdrawSkillText } from '@repertoire/skills-core/adapter';
 *
 * const output = '<skill_content name="tone" source="code" revision="1b">\nWarm and short.\n</skill_content>';
 * withdrawSkillText(output).includes('Warm'); // false
 * withdrawSkillText('Sunny.'); // 'Sunny.'
 * ```
 */
export function withdrawSkillText(output: string): string {
  const attributes = readFrame(contentElement, output);
  return attributes === null
    ? output
    : frame(contentElement, { ...attributes, withdrawn: 'true' }, withdrawnText(attributes['name'] ?? ''));
}
