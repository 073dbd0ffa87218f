import type { SkillAnswer, SkillQuestion } from '@repertoire/skills-core';
import { createElement as h, useId, useState, type ReactNode } from 'react';

const answers: readonly (readonly [SkillAnswer['answer'], string])[] = [
  ['once', 'Once'],
  ['conversation', 'For this conversation'],
  ['content', 'For this content'],
  ['never', 'Never'],
  ['no', 'Not now'],
];

/** What {@link SkillQuestionCard} shows. */
export interface SkillQuestionCardProps {
  readonly question: SkillQuestion;
  /** Called once. */
  readonly answer: (said: SkillAnswer['answer']) => void;
}

/**
 * What a person is asked: which skill, from where, what it asks for, its files, and what changed
 * since the last yes. Words of skills are only ever text. Give it the id of the question as its
 * key, so that another question has buttons that were not pressed.
 */
export function SkillQuestionCard({ question, answer }: SkillQuestionCardProps): ReactNode {
  const { skills, asks = [], files = [], body = '', signer, changes, canRemember, kind, tool } = question;
  const [isAnswered, setAnswered] = useState(false);
  const title = useId();
  const [one] = skills;
  const names = skills.map(({ name }) => name).join(', ');
  const wanted = asks.map(({ grant, what }) => (what.length === 0 ? grant : `${grant}: ${what.join(', ')}`));
  const diff = changes?.diff ?? null;
  return h(
    'section',
    { className: 'skill-card', 'aria-labelledby': title },
    h('h2', { id: title }, kind === 'load' ? `May the skill ${names} be used?` : `May ${tool} be called while ${names} is in use?`),
    h('p', null, `From ${one?.source ?? ''} (${one?.place ?? ''}), ${signer === undefined ? 'not signed' : `signed by ${signer}`}`),
    wanted.length > 0 && h('p', null, `It asks for ${wanted.join('; ')}`),
    kind !== 'load' && h('pre', null, JSON.stringify(question.input, null, 1)),
    files.length > 0 && h('ul', null, ...files.map(({ path, size }) => h('li', { key: path }, `${path}, ${size ?? '?'} bytes`))),
    changes !== undefined && h('p', null, changedSince(changes)),
    diff === null ? body !== '' && h('pre', null, body) : diff !== '' && h(Diff, { text: diff }),
    h(
      'p',
      null,
      ...answers
        .filter(([said]) => canRemember || said !== 'content')
        .map(([said, words]) =>
          h(
            'button',
            {
              key: said,
              type: 'button',
              className: said === 'never' || said === 'no' ? 'skill-no' : 'skill-yes',
              disabled: isAnswered,
              onClick: () => {
                setAnswered(true);
                answer(said);
              },
            },
            words,
          ),
        ),
    ),
  );
}

function changedSince({ added, removed, changed, at }: NonNullable<SkillQuestion['changes']>): string {
  const told = [...changed, ...added.map((path) => `${path} (new)`), ...removed.map((path) => `${path} (removed)`)];
  return `It changed since you approved it at ${at}${told.length === 0 ? '' : `: ${told.join(', ')}`}`;
}

/** Lines that were added and removed. */
function Diff({ text }: { readonly text: string }): ReactNode {
  const lines = text
    .split('\n')
    .map((line, index) => h(line.startsWith('+') ? 'ins' : line.startsWith('-') ? 'del' : 'span', { key: index }, line));
  return h('div', { className: 'skill-diff' }, ...lines);
}
