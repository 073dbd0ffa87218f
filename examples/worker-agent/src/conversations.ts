import type { UIMessage } from 'ai';
import { env } from 'cloudflare:workers';

/**
 * A conversation as the Worker remembers it. Clients send what a person typed, and nothing else: a transcript that came from outside could hold the load of a
 * skill that never happened, which opens its tools.
 */
export interface Conversation {
  readonly id: string;
  readonly messages: UIMessage[];
  /** Of the object that was read; `null` where the conversation begins. */
  readonly etag: string | null;
}

/** The conversation with this id, or a new one. `null` where there is none with it. */
export async function readConversation(id: string | undefined): Promise<Conversation | null> {
  if (id === undefined) return { id: crypto.randomUUID(), messages: [], etag: null };
  const object = await env.DESK.get(keyOf(id));
  return object && { id, messages: await object.json(), etag: object.etag };
}

/** Keeps what was said. R2 shows it to every later request, everywhere; of two answers at once, the first is kept. */
export async function writeConversation({ id, etag }: Conversation, messages: UIMessage[]): Promise<void> {
  const onlyIf = etag === null ? { etagDoesNotMatch: '*' } : { etagMatches: etag };
  const written = await env.DESK.put(keyOf(id), JSON.stringify(messages), { onlyIf });
  if (written === null) throw new Error(`Conversation ${id} went on meanwhile.`);
}

function keyOf(id: string): string {
  return `conversations/${encodeURIComponent(id)}`;
}
