/** A tool call of a model, as opposed to bare arguments. */
export interface CalledTool {
  readonly id?: string | undefined;
  readonly name: string;
  readonly args: Record<string, unknown>;
}

export function isToolCall(input: unknown): input is CalledTool {
  return typeof input === 'object' && input !== null && (input as { readonly type?: unknown }).type === 'tool_call';
}
