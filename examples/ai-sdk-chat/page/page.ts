/** The page: it sends what is typed and shows the answer, with a line for each skill call. */
import { skillPartOf } from '@repertoire/adapter-vercel-ai/ui';
import { DefaultChatTransport, readUIMessageStream } from 'ai';
import type { ChatMessage } from '../src/answer-chat.ts';

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

async function ask(text: string): Promise<void> {
  messages.push({ id: crypto.randomUUID(), role: 'user', parts: [{ type: 'text', text }] });
  show();
  try {
    const stream = await transport.sendMessages({
      chatId: id,
      messages,
      trigger: 'submit-message',
      messageId: undefined,
      abortSignal: undefined,
    });
    const index = messages.length;
    for await (const message of readUIMessageStream<ChatMessage>({ stream })) {
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

function bubble(message: ChatMessage): HTMLElement {
  const article = element('article', message.role, '');
  for (const part of message.parts) {
    const skill = skillPartOf(part);
    if (skill !== null) {
      const chip = element('div', 'skill', skill.label);
      chip.dataset['state'] = skill.state;
      article.append(chip);
    } else if (part.type === 'text') {
      article.append(element('p', 'text', part.text));
    } else if (part.type === 'tool-process_refund') {
      // The input and the output have the types of the tool.
      const outcome =
        part.state === 'output-available' ? `paid back ${part.output.refunded}` : part.state === 'output-error' ? 'refused' : '…';
      article.append(element('div', 'tool', `Refund for order ${part.input?.order ?? '…'}: ${outcome}`));
    }
  }
  return article;
}

function element(tag: string, name: string, text: string): HTMLElement {
  const made = document.createElement(tag);
  made.className = name;
  made.textContent = text;
  return made;
}

function find(name: string): HTMLElement {
  const found = document.getElementById(name);
  if (found === null) throw new Error(`The page has no element ${name}.`);
  return found;
}
