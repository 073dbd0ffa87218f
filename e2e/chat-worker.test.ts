import { join } from 'node:path';
import type { UIMessage } from 'ai';
import { describe, expect, it, onTestFailed } from 'vitest';
import { answered } from './chat/shop-chat.ts';
import { ownWranglerFolder } from './own-wrangler-folder.ts';
import type { RunningWorker } from './wrangler-dev.ts';

describe('a chat under wrangler dev', () => {
  it('HST-2: in a Durable Object and over D1, a call is asked about, survives that workerd is killed, and is made once', async () => {
    await using own = await ownWranglerFolder(join(import.meta.dirname, 'chat/worker'));
    const first = await own.start();
    onTestFailed(() => console.error(first.output()));
    const places = ['object', 'd1'] as const;
    for (const place of places) {
      const asked = await send(first, place, { message: said(`Refund ${place}-1.`, 'm1') });
      expect([asked.status, asked.text.includes('tool-approval-request')]).toEqual([200, true]);
    }
    await first.kill();

    const second = await own.start();
    for (const place of places) {
      const waiting = (await messages(second, place)).at(-1) as UIMessage;
      const paid = await send(second, place, { message: answered(waiting, true) });
      expect(paid.text).toContain(`Refunded ${place}-1.`);
      expect((await send(second, place, { message: answered(waiting, true) })).status).toBe(409);
      expect((await send(second, place, { message: answered(waiting, true) }, 'bob')).status).toBe(400);
      expect((await send(second, place, { message: said('x', 'm') }, '')).status).toBe(401);
      // This one never answers.
      await send(second, place, { message: said(`Refund SLOW-${place}.`, 'm2') });
      const slow = (await messages(second, place)).at(-1) as UIMessage;
      void send(second, place, { message: answered(slow, true) }).catch(() => undefined);
      await expect.poll(() => paidIn(second)).toContain(`SLOW-${place}`);
    }
    await second.kill();

    await using third = await own.start();
    for (const place of places) {
      await expect
        .poll(async () => JSON.stringify((await messages(third, place)).at(-1)))
        .toContain('The outcome of this call is unknown.');
      const on = await send(third, place, { message: said('Did it work?', 'm3') });
      expect(on.text).toContain('Nobody');
    }
    expect((await paidIn(third)).toSorted()).toEqual(['SLOW-d1', 'SLOW-object', 'd1-1', 'object-1']);
  });
});

const said = (text: string, id: string): UIMessage => ({ id, role: 'user', parts: [{ type: 'text', text }] });

async function send(
  { url }: RunningWorker,
  place: string,
  body: object,
  person = 'ann',
): Promise<{ readonly status: number; readonly text: string }> {
  const response = await fetch(`${url}/${place}?id=one`, {
    method: 'POST',
    headers: { 'x-signed-in': person },
    body: JSON.stringify(body),
  });
  return { status: response.status, text: await response.text() };
}

async function messages({ url }: RunningWorker, place: string): Promise<UIMessage[]> {
  const response = await fetch(`${url}/${place}?id=one`, { headers: { 'x-signed-in': 'ann' } });
  return ((await response.json()) as { messages: UIMessage[] }).messages;
}

async function paidIn({ url }: RunningWorker): Promise<string[]> {
  return ((await (await fetch(`${url}/paid`)).json()) as { what: string }[]).map(({ what }) => what);
}
