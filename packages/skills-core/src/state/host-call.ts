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

/** Whether an id is of the form that `hostCallId` gives. */
export function isHostCallId(id: string): boolean {
  return /^s[a-zA-Z0-9]{8}$/.test(id);
}

/**
 * Providers and models that sign what they think. With manual thinking, Anthropic refuses a last
 * turn of the assistant that begins with a call and not with thinking; Gemini refuses a call
 * without a signature in the turn that is going on. A host cannot sign, so its calls must stand in
 * a turn that is over.
 */
export const signingModels: RegExp = /anthropic|claude|google|gemini|vertex|bedrock/i;
