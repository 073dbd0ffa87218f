import type { SkillAnswer, SkillQuestion } from '@repertoire/skills-core';

/** Options of {@link skillInboxClient}. */
export interface SkillInboxClientOptions {
  /** Where `skillChat` is mounted. @default '/api/chat' */
  readonly api?: string | undefined;
  /** Sends the requests. @default the global `fetch` */
  readonly fetch?: typeof globalThis.fetch | undefined;
}

/**
 * The questions that wait for staff. Each rejects if the server does not answer, or if whoever asks
 * may not.
 */
export interface SkillInboxClient {
  /** The oldest first. Long lists and texts are cut. */
  questions(): Promise<readonly { readonly question: SkillQuestion; readonly conversation: string | null; readonly at: string }[]>;
  /** A question as it was asked, whole; `undefined` if it does not wait any more. */
  question(id: string): Promise<SkillQuestion | undefined>;
  /** Whether it was a yes to a question that waited. */
  answer(id: string, answer: SkillAnswer): Promise<boolean>;
}

/**
 * The inbox of a chat, for a page of the host's own people.
 *
 * @example
 * ```ts
 * import { skillInboxClient, type SkillInboxClient } from '@repertoire/adapter-vercel-ai/chat/client';
 *
 * export const inbox: SkillInboxClient = skillInboxClient({ api: '/api/chat' });
 * ```
 */
export function skillInboxClient({ api = '/api/chat', fetch: given }: SkillInboxClientOptions = {}): SkillInboxClient {
  const ask = async (query: string, body?: object): Promise<unknown> => {
    const url = `${api}${api.includes('?') ? '&' : '?'}view=inbox${query}`;
    const init = body && { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) };
    const response = await (given ?? globalThis.fetch)(url, init);
    if (response.status === 404) return undefined;
    if (!response.ok) throw new Error(`${response.status} ${await response.text()}`);
    return await response.json();
  };
  return {
    questions: async () =>
      ((await ask('')) as { questions: Awaited<ReturnType<SkillInboxClient['questions']>> } | undefined)?.questions ?? [],
    question: async (id) => (await ask(`&question=${encodeURIComponent(id)}`)) as SkillQuestion | undefined,
    answer: async (id, answer) => ((await ask('', { question: id, ...answer })) as { runs: boolean } | undefined)?.runs === true,
  };
}
