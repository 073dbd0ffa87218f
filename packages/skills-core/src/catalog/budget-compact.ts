import type { SkillMetadata } from '../contract/skill-provider.ts';
import { escapeAttribute, escapeText } from '../prompt/escape.ts';
import { summaryOf } from './render-catalog.ts';

/** Names that can stand without quotes: none of them can be taken for the colon behind a name. */
const plainName = /^[\p{L}\p{N}_][\p{L}\p{N}_./@-]*$/u;

/**
 * The list of skills in the fewest tokens that still read well, for catalogs under pressure: `name: description`, or the name alone, one a line. It stands
 * inside the same element as the ordinary list, and is escaped as strictly.
 */
export function renderCompactSkillList(entries: readonly SkillMetadata[]): string {
  return ['<available_skills>', ...entries.map(lineOf), '</available_skills>'].join('\n');
}

function lineOf(entry: SkillMetadata): string {
  const name = plainName.test(entry.name) ? entry.name : `"${escapeAttribute(entry.name)}"`;
  const summary = summaryOf(entry);
  return summary === '' ? name : `${name}: ${escapeText(summary)}`;
}
