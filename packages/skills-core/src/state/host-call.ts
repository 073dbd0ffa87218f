import { hashText } from '../providers/digest/hash-text.ts';

/**
 * The id of a call of a skill tool that the host made in the model's place: nine letters and
 * digits, which every provider accepts. The same call at the same place has the same id in every
 * request, so that a node that runs twice adds nothing twice.
 *
 * @param place a name for where in the conversation the call stands
 * @example
 * ```ts
 * import { hostCallId } from '@repertoire/skills-core/adapter';
 *
 * export const id = hostCallId('user-4', 'load_skill', { name: 'billing' }); // the same for the same call
 * ```
 */
export function hostCallId(place: string, tool: string, input: unknown): string {
  return `s${hashText(JSON.stringify([place, tool, input]))
    .replace(/[-_]/g, '0')
    .slice(0, 8)}`;
}
