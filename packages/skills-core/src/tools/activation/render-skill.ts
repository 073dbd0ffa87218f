import { compareResources } from '../../contract/order.ts';
import { applyArguments } from '../arguments/apply-arguments.ts';
import type { Skill } from '../../contract/skill-provider.ts';
import { insideElement, oneLine } from '../../prompt/escape.ts';
import { contentElement, frame } from '../../prompt/frames.ts';
import { compatibilityText, emptyBodyText, filesText, moreFilesText, untrustedContentText } from '../../prompt/model-texts.ts';
import { isTrusted } from '../../contract/is-trusted.ts';

/** The most listed files and characters. Others can still be read. */
const maxListedFiles = 50;
const maxListedCharacters = 2_000;

/** What is rendered of a skill. A text without a source is rendered as one that is not trusted. */
export type SkillToRender = Pick<Skill, 'name' | 'body'> &
  Partial<Pick<Skill, 'version' | 'origin' | 'resources' | 'compatibility' | 'arguments' | 'argumentHint'>>;

/** What a rendering depends on besides the skill. */
export interface RenderSkillOptions {
  /** Arguments as typed. @default none */
  readonly arguments?: string | undefined;
  /** Name of the tool that reads the listed files. @default 'read_skill_file' */
  readonly fileReader?: string | undefined;
  /** Revision of the load, which a transcript claims. @default none: it counts as no load */
  readonly revision?: string | undefined;
  /** What to say of its scripts and its steps. @default nothing */
  readonly runs?: readonly string[] | undefined;
  /** The body, if it is not as its author wrote it: complete, with its arguments. */
  readonly body?: string | undefined;
}

/**
 * Returns what the model reads of a loaded skill: the body as its author wrote it, with its
 * arguments, inside an element that names the skill and its source; then the files that can be read
 * further. The contents of those files are never in it. A session renders what it loads by itself;
 * this is for a text outside of one.
 *
 * @throws {SkillError} `limit-exceeded` if arguments that the body repeats make it too long
 * @example
 * ```ts
 * import { renderSkill } from '@repertoire/skills-core/adapter';
 * import { parseSkillMd } from '@repertoire/skills-core/skill-md';
 *
 * export function textOf(skillMd: string, typed: string): string {
 *   const { body, metadata } = parseSkillMd(skillMd, { directoryName: 'fix-issue' });
 *   return renderSkill({ name: 'fix-issue', ...metadata, body }, { arguments: typed });
 * }
 * ```
 */
export function renderSkill(skill: SkillToRender, options: RenderSkillOptions = {}): string {
  const untrusted = !isTrusted(skill);
  const body = insideElement(options.body ?? applyArguments(skill, options.arguments));
  const { compatibility } = skill;
  const parts = [
    body.trim() === '' ? emptyBodyText : body,
    compatibility === undefined ? '' : compatibilityText(insideElement(oneLine(compatibility))),
    listFiles(skill, options.fileReader ?? 'read_skill_file'),
    ...(options.runs ?? []),
    untrusted ? untrustedContentText : '',
  ];
  return frame(contentElement, contentAttributes(skill, options.revision), parts.filter((part) => part !== '').join('\n\n'));
}

/** The attributes of a loaded skill's element, which a transcript claims. */
export function contentAttributes(skill: SkillToRender, revision: string | undefined): Readonly<Record<string, string | undefined>> {
  return {
    name: skill.name,
    version: skill.version ?? undefined,
    source: skill.origin?.label,
    revision,
    trust: isTrusted(skill) ? undefined : 'untrusted',
  };
}

function listFiles({ name, resources = [] }: SkillToRender, fileReader: string): string {
  if (resources.length === 0) return '';
  const lines: string[] = [];
  let characters = 0;
  for (const { path, description } of [...resources].sort(compareResources)) {
    const line = insideElement(oneLine(description === undefined ? path : `${path}: ${description}`));
    characters += line.length + 1;
    if (lines.length === maxListedFiles || characters > maxListedCharacters) break;
    lines.push(line);
  }
  const rest = resources.length - lines.length;
  if (rest > 0) lines.push(moreFilesText(rest));
  return frame('skill_files', {}, [filesText(name, fileReader), ...lines].join('\n'));
}
