import { createElement as h, useEffect, useState, type ReactNode } from 'react';
import type { SkillInboxClient } from '../skill-chat-transport.ts';
import { SkillQuestionCard } from './skill-question-card.ts';

/** What {@link SkillInbox} shows. */
export interface SkillInboxProps {
  /** `skillInboxClient()`, made once. */
  readonly inbox: SkillInboxClient;
}

/** The questions that wait for staff, each as a card with what changed, and the answers. */
export function SkillInbox({ inbox }: SkillInboxProps): ReactNode {
  const [waiting, setWaiting] = useState<Awaited<ReturnType<SkillInboxClient['questions']>>>();
  const [failure, setFailure] = useState('');
  const look = (): void => {
    inbox.questions().then(
      (questions) => setWaiting(questions),
      (error: unknown) => setFailure(String(error)),
    );
  };
  useEffect(look, [inbox]);
  if (failure !== '') return h('p', { role: 'alert' }, failure);
  if (waiting?.length === 0) return h('p', null, 'No question waits.');
  return h(
    'section',
    { className: 'skill-inbox', 'aria-label': 'Questions' },
    ...(waiting ?? []).map(({ question, conversation, at }) =>
      h(
        'article',
        { key: question.id },
        h('p', null, `Asked at ${at}${conversation === null ? '' : ` in ${conversation}`}`),
        h(SkillQuestionCard, {
          question,
          answer: (said) => void inbox.answer(question.id, { answer: said }).then(look, (error: unknown) => setFailure(String(error))),
        }),
      ),
    ),
  );
}
