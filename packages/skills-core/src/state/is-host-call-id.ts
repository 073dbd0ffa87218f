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
