import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ownWranglerFolder } from './own-wrangler-folder.ts';
import type { RunningWorker } from './wrangler-dev.ts';

const example = join(import.meta.dirname, '../examples/chat-route');

/** A chunk of an answer, as far as it is looked at here. */
interface Chunk {
  readonly type: string;
  readonly messageId?: string;
  readonly toolCallId?: string;
  readonly approvalId?: string;
  readonly delta?: string;
  readonly output?: unknown;
}

describe('examples/chat-route under wrangler dev', () => {
  it('ADP-4, GOV-1, GOV-10: a Durable Object asks a person, is killed, and pays what was approved, once', async () => {
    await using own = await ownWranglerFolder(example);
    const variables = { APPROVAL_SECRET: 'a secret of at least 32 characters' };
    const start = () => own.start({ variables });

    const first = await start();
    const asked = await send(first, { id: 'm1', role: 'user', parts: [{ type: 'text', text: 'Refund A-1.' }] });
    const question = asked.chunks.find(({ type }) => type === 'tool-approval-request');
    expect([asked.status, question?.approvalId]).toEqual([200, expect.any(String)]);
    await first.kill();

    await using second = await start();
    const answer = (approved: boolean, id: string | undefined) => ({
      id: 'any',
      role: 'assistant',
      parts: [
        {
          type: 'tool-process_refund',
          toolCallId: 'x',
          state: 'approval-responded',
          input: { orderId: 'EVIL' },
          approval: { id, approved },
        },
      ],
    });
    expect((await send(second, answer(true, 'forged'))).status).toBe(409);
    expect((await send(second, answer(true, question?.approvalId), { person: 'bob' })).status).toBe(400);
    const paid = await send(second, answer(true, question?.approvalId));
    expect(paid.chunks.find(({ type }) => type === 'tool-output-available')?.output).toBe('Refunded A-1.');
    expect(paid.chunks.map(({ delta = '' }) => delta).join('')).toBe('It is done.');
    expect((await send(second, answer(true, question?.approvalId))).status).toBe(409);
    expect((await send(second, undefined, { method: 'GET' })).status).toBe(204);
    expect((await send(second, undefined, { person: '' })).status).toBe(401);
  });
});

async function send(
  { url }: RunningWorker,
  message: unknown,
  { person = 'ann', method = 'POST' } = {},
): Promise<{ readonly status: number; readonly chunks: readonly Chunk[] }> {
  const response = await fetch(`${url}/api/chat/one`, {
    method,
    headers: { 'x-signed-in': person },
    ...(method === 'POST' && { body: JSON.stringify({ message }) }),
  });
  const text = await response.text();
  const chunks = text.split('\n').flatMap((line) => (line.startsWith('data: {') ? [JSON.parse(line.slice(6)) as Chunk] : []));
  return { status: response.status, chunks };
}
