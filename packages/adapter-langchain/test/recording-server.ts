import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { ChatAnthropic } from '@langchain/anthropic';
import type { BaseChatModel } from '@langchain/core/language_models/chat_models';
import { ChatOpenAI } from '@langchain/openai';
import type { Call } from './scripts.ts';

/** A request as it came over the wire, parsed. */
export type Body = Readonly<Record<string, unknown>> & { readonly messages: readonly unknown[] };

/** A model class of a provider, talking to a server here that plays a script and keeps what it was sent. */
export interface RecordedModel extends AsyncDisposable {
  readonly bodies: readonly Body[];
  readonly model: BaseChatModel;
}

export async function anthropicModel(script: readonly (Call | null)[]): Promise<RecordedModel> {
  const server = await recordingServer(script, (call, step) => ({
    type: 'message',
    id: `message-${step}`,
    role: 'assistant',
    model: 'a-model',
    content: [
      call === null ? { type: 'text', text: 'Refunded.' } : { type: 'tool_use', id: `call-${step}`, name: call[0], input: call[1] },
    ],
    stop_reason: call === null ? 'end_turn' : 'tool_use',
    stop_sequence: null,
    usage: { input_tokens: 1, output_tokens: 1 },
  }));
  return {
    ...server,
    model: new ChatAnthropic({ model: 'claude-sonnet-4-5', apiKey: 'none', anthropicApiUrl: server.url, maxRetries: 0 }),
  };
}

export async function openaiModel(script: readonly (Call | null)[]): Promise<RecordedModel> {
  const server = await recordingServer(script, (call, step) => ({
    id: `response-${step}`,
    object: 'chat.completion',
    created: 0,
    model: 'a-model',
    choices: [
      {
        index: 0,
        message: {
          role: 'assistant',
          content: call === null ? 'Refunded.' : null,
          ...(call !== null && {
            tool_calls: [{ id: `call-${step}`, type: 'function', function: { name: call[0], arguments: JSON.stringify(call[1]) } }],
          }),
        },
        finish_reason: call === null ? 'stop' : 'tool_calls',
      },
    ],
    usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
  }));
  return {
    ...server,
    model: new ChatOpenAI({ model: 'gpt-4o', apiKey: 'none', configuration: { baseURL: `${server.url}/v1` }, maxRetries: 0 }),
  };
}

async function recordingServer(script: readonly (Call | null)[], answer: (call: Call | null, step: number) => object) {
  const bodies: Body[] = [];
  const server = createServer((request, response) => {
    void respond(request, response);
  });
  async function respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
    bodies.push(JSON.parse(await text(request)) as Body);
    response.setHeader('content-type', 'application/json').end(JSON.stringify(answer(script[bodies.length - 1] ?? null, bodies.length)));
  }
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  return {
    bodies,
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
