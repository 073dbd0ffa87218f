import type { SkillAnswer, SkillQuestion } from '@repertoire/skills-core';
import { convertToModelMessages, type UIMessage } from 'ai';
import { openChatSkills } from './answer-chat.ts';
import type { ChatKey, ChatSnapshot } from './chat-store.ts';
import type { ChatWriter } from './chat-writer.ts';
import { isCall, toolOf } from './settle-messages.ts';
import type { SkillChatOptions } from './skill-chat.ts';

/** The answers that a person can give. */
const kinds: ReadonlySet<unknown> = new Set<SkillAnswer['answer']>(['once', 'conversation', 'content', 'never', 'no']);

/**
 * Records what a person says on a card. It is an answer to the question that it names, and to no
 * other one: if the skill has changed meanwhile, the page is given the question as it is now, and
 * nothing is answered.
 */
export async function answerQuestion<Context>(
  options: SkillChatOptions<Context>,
  {
    key,
    request,
    writer,
    snapshot,
  }: { readonly key: ChatKey; readonly request: Request; readonly writer: ChatWriter; readonly snapshot: ChatSnapshot },
  { call, question: id, answer, grants }: Readonly<Record<string, unknown>>,
): Promise<Response> {
  const done = async (body: object, changed: readonly UIMessage[] = []): Promise<Response> => {
    if (changed.length === 0) await writer.release();
    else await writer.put(changed, { release: true });
    return Response.json(body, { headers: { 'cache-control': 'private, no-store' } });
  };
  const last = snapshot.messages.at(-1);
  const part = last?.parts.find((each) => isCall(each) && each.toolCallId === call && each.state === 'approval-requested');
  if (last === undefined || part === undefined || !isCall(part) || typeof id !== 'string' || !kinds.has(answer))
    return await done({ runs: false });
  const { skills } = await openChatSkills(options, { key, request, writer, events: snapshot.events });
  try {
    const history = await convertToModelMessages([...snapshot.messages], { tools: skills.tools, ignoreIncompleteToolCalls: true });
    const asked = await skills.question({ toolName: toolOf(part), toolCallId: part.toolCallId, input: part.input }, history);
    // Answered meanwhile, with another call.
    if (asked === undefined) return await done({ runs: answer !== 'no' && answer !== 'never' });
    if (asked.id !== id) return await done({ runs: false, again: asked }, [withQuestion(last, part.toolCallId, asked)]);
    const given: SkillAnswer = {
      answer: answer as SkillAnswer['answer'],
      ...(Array.isArray(grants) && { grants: grants as NonNullable<SkillAnswer['grants']> }),
    };
    const runs = (await skills.session.approvals?.answer(asked.id, given, key.person)) === true;
    // A no is a no to the call, whatever a page says of it later.
    return await done({ runs }, runs ? [] : [withNo(last, part.toolCallId)]);
  } finally {
    await skills.close();
  }
}

function withNo(message: UIMessage, call: string): UIMessage {
  const parts = message.parts.map((part) =>
    isCall(part) && part.toolCallId === call && part.state === 'approval-requested'
      ? ({ ...part, state: 'approval-responded', approval: { ...part.approval, approved: false } } as unknown as typeof part)
      : part,
  );
  return { ...message, parts };
}

function withQuestion(message: UIMessage, call: string, data: SkillQuestion): UIMessage {
  const parts = message.parts.map((part) => (part.type === 'data-question' && 'id' in part && part.id === call ? { ...part, data } : part));
  return { ...message, parts };
}
