import type { SkillMetadata } from '../contract/skill-provider.ts';
import { escapeAttribute, escapeText, oneLine } from '../prompt/escape.ts';
import { guidanceTexts, unlistedSkillsText, type SkillGuidance } from '../prompt/model-texts.ts';
import { shownSource } from './shown-source.ts';
import type { SkillToolNames } from '../prompt/tool-names.ts';

/** How the catalog is written. */
export type SkillCatalogFormat = 'xml' | 'markdown' | 'json';

/** Options of the catalog's text. */
export interface RenderCatalogOptions {
  /** @default 'xml' */
  readonly format?: SkillCatalogFormat | undefined;
  /**
   * The sentences above the list: a style, or a function that writes your own with the names of the
   * tools.
   * @default 'plain'
   */
  readonly guidance?: SkillGuidance | ((names: SkillToolNames) => string) | undefined;
  /** Whether the line of a skill shows its `argument-hint`. @default true */
  readonly argumentHints?: boolean | undefined;
}

/** Writes a catalog, line by line and as a whole. */
export interface CatalogWriter {
  /** The line of one skill, in fewer characters if need be; its name alone without a summary. */
  line(skill: SkillMetadata, summary: string, compact: boolean): string;
  /** The text around the lines. It says how many skills are not listed, and how they are found. */
  whole(lines: readonly string[], unlisted: number): string;
}

/** What a writer needs besides the options. */
export interface CatalogWriterRequest {
  readonly format: SkillCatalogFormat;
  /** @default true */
  readonly argumentHints?: boolean | undefined;
  /** The sentences above the list; none if empty. */
  readonly guidance: string;
  readonly names: SkillToolNames;
  /** Names of the tools that find skills which are not listed. */
  readonly finders: readonly string[];
}

/**
 * Level 1 as text for a system prompt: guidance, then one line per skill. The same skills give the
 * same bytes. Everything that comes from a skill is escaped for the format, on one line and without
 * invisible characters.
 */
export function catalogWriter({ format, argumentHints = true, guidance, names, finders }: CatalogWriterRequest): CatalogWriter {
  // Only this format gains from a compact form.
  const isCompact = (compact: boolean) => compact && format === 'xml';
  return {
    line(skill, summary, compact) {
      const hint = argumentHints && summary !== '' ? hintOf(skill) : '';
      return isCompact(compact) ? compactLine(skill, summary, hint) : lineOf[format](skill, summary, hint);
    },
    whole: (lines, unlisted) =>
      [guidance, listOf(lines, format), unlisted > 0 ? unlistedSkillsText(unlisted, names, finders) : '']
        .filter((part) => part !== '')
        .join('\n\n'),
  };
}

/** The sentences above the list. */
export function renderGuidance(names: SkillToolNames, guidance: RenderCatalogOptions['guidance'] = 'plain'): string {
  return typeof guidance === 'function' ? guidance(names) : guidanceTexts[guidance](names);
}

/** The list for a tool, with version and title, which a catalog leaves out to stay the same. */
export function renderDetailedList(skills: readonly SkillMetadata[]): string {
  return listOf(skills.map(detailedLine), 'xml');
}

function detailedLine(skill: SkillMetadata): string {
  const details = [
    ['name', skill.name],
    ['version', skill.version],
    ['title', skill.metadata?.['title']],
    ['source', shownSource(skill)],
    ['arguments', hintOf(skill) || undefined],
  ] as const;
  const attributes = details.flatMap(([key, value]) => (typeof value === 'string' ? [` ${key}="${escapeAttribute(oneLine(value))}"`] : []));
  const summary = summaryOf(skill);
  return summary === '' ? `<skill${attributes.join('')}/>` : `<skill${attributes.join('')}>${escapeText(summary)}</skill>`;
}

function listOf(lines: readonly string[], format: SkillCatalogFormat): string {
  switch (format) {
    case 'xml':
      return ['<available_skills>', ...lines, '</available_skills>'].join('\n');
    case 'markdown':
      return ['## Available skills', ...lines].join('\n');
    case 'json':
      return `{"available_skills":[\n${lines.join(',\n')}\n]}`;
  }
}

const lineOf: Readonly<Record<SkillCatalogFormat, (skill: SkillMetadata, summary: string, hint: string) => string>> = {
  xml: xmlLine,
  // Brackets are escaped in Markdown, too: no description can open or close an element.
  markdown: markdownLine,
  json: jsonLine,
};

const maxHintCharacters = 80;

/** A line for catalogs under pressure: `name: description`, or the name alone. */
function compactLine(skill: SkillMetadata, summary: string, hint: string): string {
  const from = shownSource(skill);
  const origin = from === undefined ? '' : ` [${escapeText(oneLine(from))}]`;
  // Without anything that could be mistaken for the colon behind a name. Nearly every name is of
  // the standard's characters, and the second pattern is slow to make.
  const isPlain = /^[a-z0-9][a-z0-9-]*$/.test(skill.name) || /^[\p{L}\p{N}_][\p{L}\p{N}_./@-]*$/u.test(skill.name);
  const name = isPlain ? skill.name : `"${escapeAttribute(skill.name)}"`;
  return summary === '' ? name + origin : `${name}${spaced(hint)}${origin}: ${escapeText(summary)}`;
}

function xmlLine(skill: SkillMetadata, summary: string, hint: string): string {
  const name = escapeAttribute(skill.name);
  const takes = hint === '' ? '' : ` arguments="${escapeAttribute(hint)}"`;
  const source = shownSource(skill);
  const from = source === undefined ? '' : ` source="${escapeAttribute(source)}"`;
  return summary === '' ? `<skill name="${name}"${from}/>` : `<skill name="${name}"${takes}${from}>${escapeText(summary)}</skill>`;
}

function markdownLine(skill: SkillMetadata, summary: string, hint: string): string {
  const name = escapeText(oneLine(skill.name)).replaceAll('`', "'");
  const source = shownSource(skill);
  const from = source === undefined ? '' : ` (source: ${escapeText(oneLine(source))})`;
  return summary === '' ? `- \`${name}\`${from}` : `- \`${name}\`${spaced(hint)}${from}: ${escapeText(summary)}`;
}

function jsonLine(skill: SkillMetadata, summary: string, hint: string): string {
  const source = shownSource(skill);
  const line = {
    name: oneLine(skill.name),
    ...(hint !== '' && { arguments: hint }),
    ...(source !== undefined && { source: oneLine(source) }),
    ...(summary !== '' && { description: summary }),
  };
  return JSON.stringify(line).replace(/[<>&]/g, unicodeEscape);
}

function spaced(hint: string): string {
  return hint === '' ? '' : ` ${escapeText(hint)}`;
}

/** How arguments look, in few characters: a hint is not the place for a second description. */
function hintOf({ argumentHint }: SkillMetadata): string {
  if (argumentHint === undefined) return '';
  const hint = oneLine(argumentHint.slice(0, maxHintCharacters * 2));
  return hint.length > maxHintCharacters ? `${hint.slice(0, maxHintCharacters - 1)}…` : hint;
}

/** What a catalog says of a skill: description and `when_to_use`, on one line. */
export function summaryOf({ description, whenToUse }: SkillMetadata): string {
  return oneLine(whenToUse === undefined ? description : `${description} ${whenToUse}`);
}

function unicodeEscape(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
}
