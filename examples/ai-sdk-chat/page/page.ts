/** The page: it sends what is typed and shows the answer, with a line for each skill call. */
import { skillPartOf } from '@repertoire/adapter-vercel-ai/ui';
import { DefaultChatTransport, readUIMessageStream } from 'ai';
import type { SkillAnswer, SkillQuestion } from '@repertoire/skills-core';
import type { ChatMessage } from '../src/answer-chat.ts';
import type { AnswerRequest, AnswerResult } from '../src/answer-question.ts';
import { element } from './element.ts';
import { questionCard } from './question-card.ts';

const log = find('log');
const active = find('active');
const form = find('form');
const input = find('input') as HTMLInputElement;
const id = crypto.randomUUID();
const transport = new DefaultChatTransport<ChatMessage>({ api: '/api/chat' });
const messages: ChatMessage[] = [];

form.addEventListener('submit', (event) => {
  event.preventDefault();
  const text = input.value.trim();
  if (text === '') return;
  input.value = '';
  void ask(text);
});

find('change').addEventListener('click', () => void fetch('/api/partner', { method: 'POST' }));

async function ask(text: string): Promise<void> {
  messages.push({ id: crypto.randomUUID(), role: 'user', parts: [{ type: 'text', text }] });
  await send();
}

/** Sends the conversation. After a message of the person comes an answer; after an approval, the answer goes on. */
async function send(): Promise<void> {
  show();
  try {
    const stream = await transport.sendMessages({
      chatId: id,
      messages,
      trigger: 'submit-message',
      messageId: undefined,
      abortSignal: undefined,
    });
    const last = messages.at(-1);
    const before = last?.role === 'assistant' ? last : undefined;
    const index = before === undefined ? messages.length : messages.length - 1;
    for await (const message of readUIMessageStream<ChatMessage>({ stream, ...(before !== undefined && { message: before }) })) {
      messages[index] = { ...message, id: `answer-${index}` };
      show();
    }
  } catch (error) {
    log.append(element('p', 'error', String(error)));
  }
}

function show(): void {
  log.replaceChildren(...messages.map(bubble));
  const data = messages.flatMap(({ parts }) => parts).findLast((part) => part.type === 'data-skills');
  const names = data?.type === 'data-skills' ? data.data.loaded.map(({ name }) => name) : [];
  active.textContent = names.length === 0 ? 'No skill is loaded' : `Skills: ${names.join(', ')}`;
  log.scrollTop = log.scrollHeight;
}

type Part = ChatMessage['parts'][number];
type Asked = Extract<Part, { toolCallId: string; state: 'approval-requested' }>;

/** Brings the answer of a person to the server, and goes on if nothing else waits for one. */
async function decide(message: ChatMessage, part: Asked, question: SkillQuestion, answer: SkillAnswer['answer']): Promise<void> {
  const toolName = part.type === 'dynamic-tool' ? part.toolName : part.type.slice('tool-'.length);
  const call = { toolName, toolCallId: part.toolCallId, input: part.input };
  const request: AnswerRequest = { id, messages, call, answer: { question: question.id, answer } };
  const response = await fetch('/api/answer', { method: 'POST', body: JSON.stringify(request) });
  const { runs, again } = (await response.json()) as AnswerResult;
  const parts = message.parts.map((each): Part => {
    if (each.type === 'data-question' && each.id === part.toolCallId && again !== undefined) return { ...each, data: again };
    if (each !== part || again !== undefined) return each;
    return { ...part, state: 'approval-responded', approval: { id: part.approval.id, approved: runs } };
  });
  messages[messages.indexOf(message)] = { ...message, parts };
  const isWaiting = parts.some((each) => 'state' in each && each.state === 'approval-requested');
  if (isWaiting) show();
  else await send();
}

function bubble(message: ChatMessage): HTMLElement {
  const article = element('article', message.role, '');
  for (const part of message.parts) {
    const skill = skillPartOf(part);
    if ('toolCallId' in part && part.state === 'approval-requested') {
      const asked = message.parts.find((each) => each.type === 'data-question' && each.id === part.toolCallId);
      if (asked?.type === 'data-question')
        article.append(questionCard(asked.data, (answer) => void decide(message, part, asked.data, answer)));
    } else if (skill !== null) {
      const chip = element('div', 'skill', skill.label);
      chip.dataset['state'] = skill.state;
      article.append(chip);
    } else if (part.type === 'text') {
      article.append(element('p', 'text', part.text));
    } else if (part.type === 'tool-process_refund') {
      // The input and the output have the types of the tool.
      const outcome =
        part.state === 'output-available'
          ? `paid back ${part.output.refunded}`
          : part.state === 'output-error' || part.state === 'output-denied'
            ? 'refused'
            : '…';
      article.append(element('div', 'tool', `Refund for order ${part.input?.order ?? '…'}: ${outcome}`));
    }
  }
  return article;
}

function find(name: string): HTMLElement {
  const found = document.getElementById(name);
  if (found === null) throw new Error(`The page has no element ${name}.`);
  return found;
}
