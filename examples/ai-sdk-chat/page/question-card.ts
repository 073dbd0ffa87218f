import type { SkillAnswer, SkillQuestion } from '@repertoire/skills-core';
import { element } from './element.ts';

const answers: readonly (readonly [SkillAnswer['answer'], string])[] = [
  ['once', 'Once'],
  ['conversation', 'For this conversation'],
  ['content', 'For this content'],
  ['never', 'Never'],
  ['no', 'Not now'],
];

/** What a person is asked: who, what for, with which files, and what changed since the last yes. */
export function questionCard(question: SkillQuestion, answer: (said: SkillAnswer['answer']) => void): HTMLElement {
  const { skills, asks = [], files = [], body = '', signer, changes, canRemember, tool } = question;
  const names = skills.map(({ name }) => name).join(', ');
  const [one] = skills;
  const card = element('section', 'card', '');
  card.setAttribute('aria-label', `Question about ${names}`);
  card.append(
    element('h2', '', question.kind === 'load' ? `May the skill ${names} be used?` : `May ${tool} be called while ${names} is in use?`),
    element('p', 'from', `From ${one?.source ?? ''} (${one?.place ?? ''}), ${signer === undefined ? 'not signed' : `signed by ${signer}`}`),
  );
  const wanted = asks.map(({ grant, what }) => (what.length === 0 ? grant : `${grant}: ${what.join(', ')}`));
  if (wanted.length > 0) card.append(element('p', 'asks', `It asks for ${wanted.join('; ')}`));
  if (files.length > 0)
    card.append(element('ul', 'files', '', ...files.map(({ path, size }) => element('li', '', `${path}, ${size ?? '?'} bytes`))));
  if (changes !== undefined) {
    const { added, removed, changed, at, diff } = changes;
    const told = [...changed, ...added.map((path) => `${path} (new)`), ...removed.map((path) => `${path} (removed)`)];
    card.append(element('p', 'changes', `It changed since you approved it at ${at}${told.length === 0 ? '' : `: ${told.join(', ')}`}`));
    if (diff !== null && diff !== '') card.append(element('div', 'diff', '', ...diff.split('\n').map(diffLine)));
  }
  if (changes?.diff === undefined || changes.diff === null) card.append(element('pre', 'body', body));
  const given = canRemember ? answers : answers.filter(([said]) => said !== 'content');
  const buttons = given.map(([said, title]) => {
    const button = element('button', said, title);
    button.addEventListener('click', () => {
      for (const each of buttons) (each as HTMLButtonElement).disabled = true;
      answer(said);
    });
    return button;
  });
  card.append(element('p', 'buttons', '', ...buttons));
  return card;
}

function diffLine(line: string): HTMLElement {
  return element(line.startsWith('+') ? 'ins' : line.startsWith('-') ? 'del' : 'span', '', line);
}
