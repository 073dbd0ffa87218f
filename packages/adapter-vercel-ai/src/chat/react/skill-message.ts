import type { SkillAnswer, SkillQuestion } from '@repertoire/skills-core';
import type { UIMessage } from 'ai';
import { createElement as h, useState, type ReactNode } from 'react';
import { skillPartOf } from '../../ui/skill-part.ts';
import { isUnknownCall, type SkillChatTransport } from '../skill-chat-transport.ts';
import { SkillQuestionCard } from './skill-question-card.ts';

type Part = UIMessage['parts'][number];
type CallPart = Extract<Part, { toolCallId: string }>;

/** What {@link SkillMessage} shows, and what it answers by. */
export interface SkillMessageProps<MESSAGE extends UIMessage = UIMessage> {
  readonly message: MESSAGE;
  /** What `useChat` returned. */
  readonly chat: {
    readonly id: string;
    readonly messages: readonly MESSAGE[];
    readonly setMessages: (change: (messages: MESSAGE[]) => MESSAGE[]) => void;
    readonly addToolApprovalResponse: (answer: { id: string; approved: boolean }) => void | PromiseLike<void>;
  };
  readonly transport: SkillChatTransport<MESSAGE>;
  /**
   * Shows a part in its own way; `undefined` leaves it to the default. @default the default for all
   */
  readonly part?: ((part: MESSAGE['parts'][number]) => ReactNode | undefined) | undefined;
}

/**
 * A message: its texts, a line for each call, and a card for each question that waits for the
 * person.
 */
export function SkillMessage<MESSAGE extends UIMessage>({ message, chat, transport, part: own }: SkillMessageProps<MESSAGE>): ReactNode {
  const isLast = chat.messages.at(-1)?.id === message.id;

  async function answer(part: CallPart, question: SkillQuestion, said: SkillAnswer['answer']): Promise<void> {
    const { runs, again } = await transport.answer(chat.id, { call: part.toolCallId, question: question.id, answer: said });
    if (again === undefined) await chat.addToolApprovalResponse({ id: part.approval?.id ?? '', approved: runs });
    else
      chat.setMessages((messages) => messages.map((each) => (each.id === message.id ? withQuestion(each, part.toolCallId, again) : each)));
  }

  return h(
    'article',
    { className: `skill-message skill-${message.role}` },
    ...message.parts.map((part, index) => {
      const shown = own?.(part);
      if (shown !== undefined) return h('div', { key: index }, shown);
      if (part.type === 'text') return h('p', { key: index }, part.text);
      if (!('toolCallId' in part)) return null;
      if (part.state !== 'approval-requested' || !isLast) return h(CallLine, { key: index, part, isLast });
      const asked = message.parts.find((each) => each.type === 'data-question' && 'id' in each && each.id === part.toolCallId);
      const question = asked !== undefined && 'data' in asked ? (asked.data as SkillQuestion) : undefined;
      return question === undefined
        ? h(CallCard, {
            key: index,
            part,
            answer: (approved: boolean) => void chat.addToolApprovalResponse({ id: part.approval.id, approved }),
          })
        : h(SkillQuestionCard, { key: question.id, question, answer: (said) => void answer(part, question, said) });
    }),
  );
}

function toolOf(part: CallPart): string {
  return part.type === 'dynamic-tool' ? part.toolName : part.type.slice('tool-'.length);
}

/**
 * One line: a skill that was loaded, a file that was read, a tool that ran, and what nobody knows.
 */
function CallLine({ part, isLast }: { readonly part: CallPart; readonly isLast: boolean }): ReactNode {
  const skill = skillPartOf(part);
  if (skill !== null) return h('div', { className: 'skill-line', 'data-state': skill.state }, skill.label, skill.byUser && ' by you');
  const [state, words] = isUnknownCall(part)
    ? ['unknown', 'nobody knows whether it happened']
    : (outcomes[part.state] ?? (isLast ? ['running', '…'] : interrupted));
  return h('div', { className: 'skill-line', 'data-state': state }, `${toolOf(part)} ${JSON.stringify(part.input ?? {})}: ${words}`);
}

/** The page lost its server. How the call ended is shown when the page is loaded again. */
const interrupted = ['unknown', 'interrupted'];

const outcomes: Readonly<Partial<Record<CallPart['state'], readonly [state: string, words: string]>>> = {
  'output-available': ['done', 'done'],
  'output-error': ['failed', 'failed'],
  'output-denied': ['denied', 'not run'],
};

/** A call that the host asks about. */
function CallCard({ part, answer }: { readonly part: CallPart; readonly answer: (approved: boolean) => void }): ReactNode {
  const [isAnswered, setAnswered] = useState(false);
  const button = (approved: boolean, words: string): ReactNode =>
    h(
      'button',
      {
        type: 'button',
        className: approved ? 'skill-yes' : 'skill-no',
        disabled: isAnswered,
        onClick: () => (setAnswered(true), answer(approved)),
      },
      words,
    );
  return h(
    'section',
    { className: 'skill-card', 'aria-label': `May ${toolOf(part)} be called?` },
    h('h2', null, `May ${toolOf(part)} be called?`),
    h('pre', null, JSON.stringify(part.input, null, 1)),
    h('p', null, button(true, 'Yes'), button(false, 'No')),
  );
}

function withQuestion<MESSAGE extends UIMessage>(message: MESSAGE, call: string, data: SkillQuestion): MESSAGE {
  return {
    ...message,
    parts: message.parts.map((part) => (part.type === 'data-question' && 'id' in part && part.id === call ? { ...part, data } : part)),
  };
}
