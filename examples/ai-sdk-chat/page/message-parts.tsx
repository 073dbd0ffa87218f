import type { ReactNode } from 'react';
import type { SkillAnswer, SkillQuestion } from '@repertoire/skills-core';
import type { ChatMessage } from '../src/answer-chat.ts';
import { SkillLine } from './skill-line.tsx';
import { SkillQuestionCard } from './skill-question-card.tsx';

type Part = ChatMessage['parts'][number];

/** A call that waits for a person. */
export type AskedPart = Extract<Part, { toolCallId: string; state: 'approval-requested' }>;

interface MessagePartsProps {
  readonly message: ChatMessage;
  readonly decide: (part: AskedPart, question: SkillQuestion, answer: SkillAnswer['answer']) => Promise<void>;
}

/** What a message says and does: texts, lines about skills, questions, and what the tools of the shop did. */
export function MessageParts({ message: { parts }, decide }: MessagePartsProps): ReactNode {
  return parts.map((part, index) => {
    // Parts are only ever added, so their place names them.
    if (part.type === 'text') return <p key={index}>{part.text}</p>;
    if (!('toolCallId' in part)) return null;
    if (part.state === 'approval-requested') {
      const asked = parts.find((each) => each.type === 'data-question' && each.id === part.toolCallId);
      if (asked?.type !== 'data-question') return null;
      const { data } = asked;
      return <SkillQuestionCard key={data.id} question={data} answer={(said) => void decide(part, data, said)} />;
    }
    // A refused refund has a line as well, which says which skill was missing.
    if (part.type === 'tool-process_refund' && part.state !== 'output-error' && part.state !== 'output-denied') {
      // The input and the output have the types of the tool.
      const outcome = part.state === 'output-available' ? `paid back ${part.output.refunded}` : '…';
      return <div key={index} className="tool">{`Refund for order ${part.input?.order ?? '…'}: ${outcome}`}</div>;
    }
    return <SkillLine key={index} part={part} />;
  });
}
