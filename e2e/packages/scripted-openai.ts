import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';

/** A call of a tool that the model makes. */
export interface ScriptedCall {
  readonly tool: string;
  readonly input: Readonly<Record<string, unknown>>;
}

/** A server that speaks as OpenAI does, so that programs run as they are written. */
export interface ScriptedOpenAi {
  /** What makes OpenAI's clients call it. */
  readonly environment: Readonly<Record<string, string>>;
  /** Results of tools that the model was given, in the order of the conversation that is longest. */
  readonly results: () => readonly string[];
  close(): Promise<void>;
}

interface ModelRequest {
  readonly input?: readonly { readonly type?: string; readonly output?: unknown }[];
  readonly messages?: readonly { readonly role?: string; readonly content?: unknown }[];
}

/** Makes one call after the other, each as soon as the result of the one before is there; after the last it answers with the text. */
export async function openScriptedOpenAi(calls: readonly ScriptedCall[], text: string): Promise<ScriptedOpenAi> {
  let results: readonly string[] = [];
  let answers = 0;
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const body = (await json(request)) as ModelRequest;
    const found = resultsIn(body).map((result) => (typeof result === 'string' ? result : JSON.stringify(result)));
    if (found.length > results.length) results = found;
    answers += 1;
    const write = body.messages === undefined ? responseOf : completionOf;
    response.setHeader('content-type', 'application/json').end(JSON.stringify(write(answers, calls[found.length], text)));
  };
  const server = createServer((request, response) => void answer(request, response));
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    environment: { OPENAI_API_KEY: 'none', OPENAI_BASE_URL: `http://127.0.0.1:${port}/v1`, OPENAI_AGENTS_DISABLE_TRACING: '1' },
    results: () => results,
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => void server.close(resolve));
    },
  };
}

function resultsIn({ input, messages }: ModelRequest): readonly unknown[] {
  if (messages !== undefined) return messages.filter(({ role }) => role === 'tool').map(({ content }) => content);
  return (input ?? []).filter(({ type }) => type === 'function_call_output').map(({ output }) => output);
}

/** The answer of `/v1/responses`. */
function responseOf(id: number, call: ScriptedCall | undefined, text: string): object {
  const output =
    call === undefined
      ? {
          type: 'message',
          id: `msg_${id}`,
          role: 'assistant',
          status: 'completed',
          content: [{ type: 'output_text', text, annotations: [] }],
        }
      : {
          type: 'function_call',
          id: `fc_${id}`,
          call_id: `call_${id}`,
          name: call.tool,
          arguments: JSON.stringify(call.input),
          status: 'completed',
        };
  return {
    id: `resp_${id}`,
    object: 'response',
    created_at: 1,
    model: 'gpt-5.5',
    status: 'completed',
    output: [output],
    usage: { input_tokens: 1, output_tokens: 1, total_tokens: 2 },
  };
}

/** The answer of `/v1/chat/completions`. */
function completionOf(id: number, call: ScriptedCall | undefined, text: string): object {
  const calls =
    call === undefined
      ? []
      : [{ id: `call_${id}`, type: 'function', function: { name: call.tool, arguments: JSON.stringify(call.input) } }];
  return {
    id: `chatcmpl_${id}`,
    object: 'chat.completion',
    created: 1,
    model: 'gpt-5.5',
    choices: [
      {
        index: 0,
        finish_reason: call === undefined ? 'stop' : 'tool_calls',
        message: call === undefined ? { role: 'assistant', content: text } : { role: 'assistant', content: null, tool_calls: calls },
      },
    ],
    usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
  };
}
