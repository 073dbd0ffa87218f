import { applyArguments } from '../arguments/apply-arguments.ts';
import type { Skill } from '../../contract/skill-provider.ts';
import { insideElement, oneLine } from '../../prompt/escape.ts';
import { contentElement, frame } from '../../prompt/frames.ts';
import { filesText, moreFilesText, untrustedContentText } from '../../prompt/model-texts.ts';
import { isTrusted } from '../../contract/is-trusted.ts';

/** The most files that a loaded skill lists, and the most characters of their list. The rest can still be read by path. */
const maxListedFiles = 50;
const maxListedCharacters = 2_000;

/** What a rendering depends on besides the skill. */
export interface RenderSkillOptions {
  /** Arguments as typed. @default none */
  readonly arguments?: string | undefined;
  /** Name of the tool that reads the listed files. */
  readonly fileReader: string;
}

/**
 * What the model reads of a loaded skill: the body as its author wrote it, with its arguments, inside an element that names the skill and its source; then the
 * files that can be read further. The contents of those files are never in it.
 */
export function renderSkill(skill: Skill, options: RenderSkillOptions): string {
  const untrusted = !isTrusted(skill);
  const parts = [
    insideElement(applyArguments(skill, options.arguments)),
    listFiles(skill, options.fileReader),
    untrusted ? untrustedContentText : '',
  ];
  return frame(
    contentElement,
    { name: skill.name, version: skill.version, source: skill.origin?.label, trust: untrusted ? 'untrusted' : undefined },
    parts.filter((part) => part !== '').join('\n\n'),
  );
}

function listFiles({ name, resources }: Skill, fileReader: string): string {
  if (resources.length === 0) return '';
  const lines: string[] = [];
  let characters = 0;
  for (const { path } of resources) {
    const line = insideElement(oneLine(path));
    characters += line.length + 1;
    if (lines.length === maxListedFiles || characters > maxListedCharacters) break;
    lines.push(line);
  }
  const rest = resources.length - lines.length;
  if (rest > 0) lines.push(moreFilesText(rest));
  return frame('skill_files', {}, [filesText(name, fileReader), ...lines].join('\n'));
}
