import { hashText } from '../providers/digest/hash-text.ts';

/**
 * Returns the id of a call of a skill tool that the host made in the model's place: nine letters
 * and digits, which every provider accepts. The same call at the same place has the same id in
 * every request, so that a node that runs twice adds nothing twice.
 *
 * @param place a name for where in the conversation the call stands
 */
export function hostCallId(place: string, tool: string, input: unknown): string {
  return `s${hashText(JSON.stringify([place, tool, input]))
    .replace(/[-_]/g, '0')
    .slice(0, 8)}`;
}
