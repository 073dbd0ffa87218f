/** A tiny invented agent framework: a loop that a plugin can change. It knows nothing of skills. */

export interface LoopCall {
  readonly id: string;
  readonly tool: string;
  readonly input: Readonly<Record<string, unknown>>;
}

export interface LoopMessage {
  readonly role: 'user' | 'assistant' | 'tool';
  readonly text: string;
  /** What the assistant calls. */
  readonly calls?: readonly LoopCall[];
  /** The call that a tool answers. */
  readonly answers?: LoopCall;
}

export interface LoopTool {
  readonly name: string;
  readonly description: string;
  readonly schema: unknown;
  run(input: Readonly<Record<string, unknown>>, callId: string): string | Promise<string>;
}

export interface LoopRequest {
  readonly system: string;
  readonly messages: readonly LoopMessage[];
}

export interface LoopPlugin {
  readonly tools: readonly LoopTool[];
  /** Changes what the model is given in the next call, and nothing of what is kept. */
  beforeModel(request: LoopRequest): Promise<LoopRequest>;
}

export type LoopModel = (request: LoopRequest & { readonly tools: readonly LoopTool[] }) => Promise<Pick<LoopMessage, 'text' | 'calls'>>;

/** Runs an agent until its model calls no tool, and returns all messages. */
export async function runLoop(model: LoopModel, plugin: LoopPlugin, { system, messages }: LoopRequest): Promise<LoopMessage[]> {
  const all = [...messages];
  for (;;) {
    const { text, calls = [] } = await model({ ...(await plugin.beforeModel({ system, messages: all })), tools: plugin.tools });
    all.push({ role: 'assistant', text, calls });
    if (calls.length === 0) return all;
    for (const call of calls) {
      const tool = plugin.tools.find(({ name }) => name === call.tool);
      const output = tool === undefined ? `There is no tool ${call.tool}.` : await tool.run(call.input, call.id);
      all.push({ role: 'tool', text: output, answers: call });
    }
  }
}
