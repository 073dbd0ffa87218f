/** Exactly what one call of a model was given, as texts that can be compared byte by byte. */
export interface ModelRequest {
  /** The system prompt. */
  readonly system: string;
  /** The messages, each as JSON. */
  readonly messages: readonly string[];
  /** The tools, each as JSON, in their order. */
  readonly tools: readonly string[];
}

/** All of a request in one text. Two requests are the same exactly if these texts are. */
export function requestText({ system, messages, tools }: ModelRequest): string {
  return JSON.stringify([system, messages, tools]);
}
