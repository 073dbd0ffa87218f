import type { SkillAnswer, SkillApprovals } from '@repertoire/skills-core';
import { isObject, parseJson, readText, refused, type AllLimits, type Refusal } from './read-request.ts';

/** Who of the host's own people answers questions. */
export interface SkillChatStaff<Context> {
  /** Those of the skillset, with `askWhom`. */
  readonly approvals: SkillApprovals<Context>;
  /** Who may answer, by the request; nothing if whoever asks may not. It is told as `by`. */
  readonly who: (request: Request) => string | null | undefined | Promise<string | null | undefined>;
}

const kinds: ReadonlySet<unknown> = new Set<SkillAnswer['answer']>(['once', 'conversation', 'content', 'never', 'no']);

/** Lists the questions that wait for staff, shows one whole, and takes an answer. */
export async function answerInbox<Context>(
  request: Request,
  { approvals, who }: SkillChatStaff<Context>,
  contextOf: (by: string) => Promise<Context>,
  limits: AllLimits,
): Promise<Refusal | object> {
  const by = await who(request);
  if (typeof by !== 'string' || by === '') return refused(403, 'Only staff answers these questions.');
  const inbox = approvals.inbox(await contextOf(by));
  const id = new URL(request.url).searchParams.get('question');
  if (request.method === 'GET' && id === null) return { questions: await inbox.questions() };
  if (request.method === 'GET') return (await inbox.question(id ?? '')) ?? refused(404, 'This question does not wait for an answer.');
  if (request.method !== 'POST') return refused(405, 'GET or POST.');
  const text = await readText(request, limits.requestBytes);
  if (text === undefined) return refused(413, `A request has at most ${limits.requestBytes} bytes.`);
  const given = parseJson(text);
  if (!isObject(given) || typeof given['question'] !== 'string' || !kinds.has(given['answer']))
    return refused(400, 'The request is no answer.');
  const { question, answer, grants } = given;
  const said: SkillAnswer = {
    answer: answer as SkillAnswer['answer'],
    ...(Array.isArray(grants) && { grants: grants as NonNullable<SkillAnswer['grants']> }),
  };
  return { runs: await inbox.answer(question, said, by) };
}
