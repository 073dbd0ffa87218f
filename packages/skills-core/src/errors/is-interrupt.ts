/**
 * Whether a thrown value is how a framework pauses a run to ask a person, and not a failure. It
 * must reach the framework unchanged, or nobody is asked. LangGraph's `interrupt` throws such an
 * object, marked by `is_bubble_up`, and calls the tool again with the answer.
 */
export function isInterrupt(thrown: unknown): boolean {
  return typeof thrown === 'object' && thrown !== null && (thrown as { readonly is_bubble_up?: unknown }).is_bubble_up === true;
}
