import { frame, insideElement, oneLine, withoutTrailing } from '@repertoire/skills-core/internal';
import type { SkillRunResult } from '@repertoire/skills-core/provider';
import { scriptTexts } from '../prompt/script-texts.ts';

/** What {@link formatScriptResult} needs. */
export interface FormatScriptResultOptions {
  /** Name of the skill. */
  readonly skill: string;
  /** Path of the script. */
  readonly script: string;
  /** Most characters of standard output; half as many of standard error. @default 20000 */
  readonly maxCharacters?: number | undefined;
}

const maxFiles = 50;

/**
 * What a model reads of a run: the exit code, standard output, standard error and the files that
 * were written, in an element `skill_script`. A long output keeps its beginning and its end, and
 * says how much is missing between them.
 */
export function formatScriptResult(result: SkillRunResult, options: FormatScriptResultOptions): string {
  const { skill, script, maxCharacters = 20_000 } = options;
  const output = shorten(result.stdout, maxCharacters);
  const errors = shorten(result.stderr, Math.floor(maxCharacters / 2));
  const parts = [
    scriptTexts.ends[result.endedBy],
    output === '' ? '' : `stdout:\n${output}`,
    errors === '' ? '' : `stderr:\n${errors}`,
    output === '' && errors === '' ? scriptTexts.noOutput : '',
    listFiles(result),
  ];
  return frame(
    'skill_script',
    {
      skill,
      script,
      exit: result.exitCode === null ? undefined : String(result.exitCode),
      ended: result.endedBy === 'exit' ? undefined : result.endedBy,
      truncated: result.truncated ? 'true' : undefined,
    },
    insideElement(parts.filter((part) => part !== '').join('\n\n')),
  );
}

/**
 * Keeps two thirds from the beginning and a third from the end, at line ends where they are near.
 */
function shorten(text: string, maxCharacters: number): string {
  const trimmed = withoutTrailing(text.replace(/\r\n/g, '\n'), '\n');
  if (trimmed.length <= maxCharacters) return trimmed;
  const tailLength = Math.floor(maxCharacters / 3);
  const head = untilLineEnd(wholeCharacters(trimmed.slice(0, maxCharacters - tailLength), 'end'));
  const tail = wholeCharacters(tailLength === 0 ? '' : trimmed.slice(-tailLength), 'start');
  return `${head}\n${scriptTexts.gap(trimmed.length - head.length - tail.length)}\n${tail}`;
}

function untilLineEnd(text: string): string {
  const lineFeed = text.lastIndexOf('\n');
  return lineFeed > text.length * 0.8 ? text.slice(0, lineFeed) : text;
}

/** Leaves out half of a surrogate pair at the cut. */
function wholeCharacters(text: string, cutAt: 'start' | 'end'): string {
  if (cutAt === 'end') return /[\uD800-\uDBFF]$/.test(text) ? text.slice(0, -1) : text;
  return /^[\uDC00-\uDFFF]/.test(text) ? text.slice(1) : text;
}

function listFiles({ filesWritten }: SkillRunResult): string {
  if (filesWritten.length === 0) return '';
  const lines = filesWritten.slice(0, maxFiles).map(({ path, size }) => `${oneLine(path)} (${size} bytes)`);
  return scriptTexts.filesWritten(lines, filesWritten.length - lines.length);
}
