import type { SkillMetadata } from '../contract/skill-provider.ts';
import { escapeAttribute, escapeText, oneLine } from '../prompt/escape.ts';
import { guidanceTexts, type SkillGuidance } from '../prompt/model-texts.ts';
import type { SkillToolNames } from '../prompt/tool-names.ts';

/** How the catalog is written. */
export type SkillCatalogFormat = 'xml' | 'markdown' | 'json';

/** Options of the catalog's text. */
export interface RenderCatalogOptions {
  /** @default 'xml' */
  readonly format?: SkillCatalogFormat | undefined;
  /**
   * The sentences above the list: a style, or a function that writes your own with the names of the tools.
   * @default 'plain'
   */
  readonly guidance?: SkillGuidance | ((names: SkillToolNames) => string) | undefined;
}

/**
 * Level 1 as text for a system prompt: guidance, then one line a skill. The same skills give the same bytes. Everything that comes from a skill is escaped
 * for the format, on one line and without invisible characters. No skills give an empty string.
 */
export function renderCatalog(skills: readonly SkillMetadata[], names: SkillToolNames, options: RenderCatalogOptions = {}): string {
  if (skills.length === 0) return '';
  return `${renderGuidance(names, options.guidance)}\n\n${renderCatalogList(skills, options.format)}`;
}

/** The sentences above the list. */
export function renderGuidance(names: SkillToolNames, guidance: RenderCatalogOptions['guidance'] = 'plain'): string {
  return typeof guidance === 'function' ? guidance(names) : guidanceTexts[guidance](names);
}

/** The list alone, without guidance. A skill with an empty description is listed by its name. */
export function renderCatalogList(skills: readonly SkillMetadata[], format: SkillCatalogFormat = 'xml'): string {
  return renderers[format](skills);
}

const renderers: Readonly<Record<SkillCatalogFormat, (skills: readonly SkillMetadata[]) => string>> = {
  xml: (skills) => ['<available_skills>', ...skills.map(xmlLine), '</available_skills>'].join('\n'),
  // A bracket stays a bracket in Markdown, so it is escaped like in XML: no description can open or close an element of the prompt.
  markdown: (skills) => ['## Available skills', ...skills.map(markdownLine)].join('\n'),
  json: (skills) => `{"available_skills":[\n${skills.map(jsonLine).join(',\n')}\n]}`,
};

function xmlLine(skill: SkillMetadata): string {
  const name = escapeAttribute(skill.name);
  const summary = summaryOf(skill);
  return summary === '' ? `<skill name="${name}"/>` : `<skill name="${name}">${escapeText(summary)}</skill>`;
}

function markdownLine(skill: SkillMetadata): string {
  const name = escapeText(oneLine(skill.name)).replaceAll('`', "'");
  const summary = summaryOf(skill);
  return summary === '' ? `- \`${name}\`` : `- \`${name}\`: ${escapeText(summary)}`;
}

function jsonLine(skill: SkillMetadata): string {
  const summary = summaryOf(skill);
  return JSON.stringify({ name: oneLine(skill.name), ...(summary !== '' && { description: summary }) }).replace(/[<>&]/g, unicodeEscape);
}

/** What a catalog says of a skill: description and `when_to_use`, on one line. */
export function summaryOf({ description, whenToUse }: SkillMetadata): string {
  return oneLine(whenToUse === undefined ? description : `${description} ${whenToUse}`);
}

function unicodeEscape(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
}
