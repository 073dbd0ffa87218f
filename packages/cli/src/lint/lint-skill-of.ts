import { parseSkillMd } from '@repertoire/skills-core/skill-md';
import type { LintSkill } from './lint-rule.ts';

/** The most bytes of a `SKILL.md` that are looked at. */
export const maxSkillMdBytes: number = 16 * 2 ** 20;

const decoder = new TextDecoder('utf-8', { ignoreBOM: true });

/** What rules see of a `SKILL.md` with nothing beside it. It reads no file, so pages can use it. */
export function lintSkillOf(bytes: Uint8Array, directoryName: string, path: string): LintSkill {
  const options = { directoryName, path, maxBytes: maxSkillMdBytes };
  const parsed = parseSkillMd(bytes, options);
  const text = decoder.decode(bytes);
  return {
    path,
    name: parsed.metadata?.name ?? directoryName,
    text,
    parsed,
    strict: parseSkillMd(bytes, { ...options, profile: 'strict' }).diagnostics,
    bodyLine: bodyLineOf(text, parsed.body),
    folder: null,
    files: [],
    unread: [],
    leftOut: [],
  };
}

/**
 * The body is trimmed, with one form of line ends: if others were there, its first line is looked
 * for.
 */
function bodyLineOf(text: string, body: string): number {
  const start = text.lastIndexOf(body);
  if (body !== '' && start !== -1) return text.slice(0, start).split('\n').length;
  const first = body.slice(0, 200).split('\n', 1)[0] ?? '';
  if (first === '') return 1;
  const lines = text.split(/\r\n|\r|\n/);
  const closing = lines.findIndex((line, index) => index > 0 && line.trimEnd() === '---');
  const at = lines.findIndex((line, index) => index > closing && line.trim().startsWith(first.trim()));
  return at === -1 ? 1 : at + 1;
}
