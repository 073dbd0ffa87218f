import { shortenDescription, whenStartOf } from '../../catalog/shorten-description.ts';
import { summaryOf } from '../../catalog/render-catalog.ts';
import { shownSource } from '../../catalog/shown-source.ts';
import { isTrusted } from '../../contract/is-trusted.ts';
import type { SkillMetadata } from '../../contract/skill-provider.ts';
import type { SkillCandidate, SkillSearchField } from '../../contract/skill-search.ts';
import { escapeAttribute, escapeText } from '../../prompt/escape.ts';
import { plainWord } from '../../prompt/source-words.ts';

/** A skill of the session that a search found. */
export interface FoundSkill {
  /** As the session knows it. The search's values for trust and description are ignored. */
  readonly skill: SkillMetadata;
  readonly candidate: SkillCandidate;
}

/** The most characters of a description, and the most words that are given as the reason. */
const maxDescription = 300;
const maxReasons = 8;

const fieldWords: Readonly<Record<SkillSearchField, string>> = {
  name: 'name',
  description: 'description',
  headings: 'headings',
  body: 'instructions',
  references: 'references',
};

/** A candidate's name, reason and description, escaped and bounded. */
export function candidateLine({ skill, candidate }: FoundSkill): string {
  const reason = reasonOf(candidate);
  const source = shownSource(skill);
  const attributes = [
    `name="${escapeAttribute(skill.name)}"`,
    ...(source === undefined ? [] : [`source="${escapeAttribute(source)}"`]),
    ...(isTrusted(skill) ? [] : ['trust="untrusted"']),
    ...(reason === '' ? [] : [`found="${escapeAttribute(reason)}"`]),
  ];
  const summary = summaryOf(skill);
  return `<skill ${attributes.join(' ')}>${escapeText(shortenDescription(summary, maxDescription, whenStartOf(skill, summary)))}</skill>`;
}

/** Why it was found, such as `invoice (name, description), gap (instructions)`. */
function reasonOf({ matches, by }: SkillCandidate): string {
  if (!Array.isArray(matches)) return '';
  const words = matches.slice(0, maxReasons).flatMap(({ text, fields }: SkillCandidate['matches'][number]) => {
    if (typeof text !== 'string') return [];
    const where = (Array.isArray(fields) ? fields : []).flatMap((field: SkillSearchField) =>
      Object.hasOwn(fieldWords, field) ? [fieldWords[field]] : [],
    );
    return [where.length === 0 ? plainWord(text) : `${plainWord(text)} (${[...new Set(where)].join(', ')})`];
  });
  return [...words, ...(by === 'words' ? [] : ['a like meaning'])].join('; ');
}
