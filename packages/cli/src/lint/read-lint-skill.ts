import { lstat, readFile } from 'node:fs/promises';
import path from 'node:path';
import { compareText, decodeText } from '@repertoire/skills-core/provider';
import { parseSkillMd } from '@repertoire/skills-core/skill-md';
import fastGlob from 'fast-glob';
import { readSkillFile } from '../source/read-skill-file.ts';
import type { SkillFolder } from '../source/find-skill-folders.ts';
import type { LintFile, LintSkill } from './lint-rule.ts';

/** Larger files are not looked into. */
const maxTextBytes = 2 ** 20;
/** Of all files of a skill together. */
const maxTotalBytes = 16 * 2 ** 20;
const maxSkillBytes = 16 * 2 ** 20;
/** A folder of more files is no skill. */
const maxFiles = 10_000;

/**
 * Reads a skill for rules. Links are not followed.
 *
 * @throws {SkillError} `limit-exceeded` for a SKILL.md of more than 16 MiB; `source-unavailable` for one that cannot be read
 */
export async function readLintSkill({ folder, shown, file }: SkillFolder & { readonly file: string }): Promise<LintSkill> {
  const full = path.join(folder, file);
  const bytes = await readSkillFile(full, maxSkillBytes);
  const parsed = parseSkillMd(bytes, { directoryName: path.basename(folder), path: path.join(shown, file), maxBytes: maxSkillBytes });
  const text = new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes);
  return {
    folder,
    path: path.join(shown, file),
    name: parsed.metadata?.name ?? path.basename(folder),
    text,
    parsed,
    bodyLine: bodyLineOf(text, parsed.body),
    ...(await filesIn(folder, file)),
  };
}

async function filesIn(folder: string, skillFile: string): Promise<Pick<LintSkill, 'files' | 'unread'>> {
  const files: LintFile[] = [];
  const paths = await fastGlob('**', {
    cwd: folder,
    dot: false,
    onlyFiles: false,
    followSymbolicLinks: false,
    suppressErrors: true,
    ignore: ['**/node_modules/**'],
  });
  const unread = paths.sort(compareText).splice(maxFiles);
  let left = maxTotalBytes;
  for (const file of paths) {
    if (file === skillFile) continue;
    const full = path.join(folder, file);
    const found = await lstat(full).catch(() => null);
    if (found === null || found.isDirectory()) continue;
    const isSmall = found.size <= Math.min(maxTextBytes, left);
    const bytes = found.isFile() && isSmall ? await readFile(full).catch(() => null) : null;
    if (bytes === null) unread.push(file);
    else left -= bytes.length;
    files.push({ path: file, isExecutable: (found.mode & 0o100) !== 0, text: bytes === null ? null : decodeText(bytes) });
  }
  return { files, unread };
}

/** The body is trimmed, with one form of line ends, so its place is found by its first line. */
function bodyLineOf(text: string, body: string): number {
  const first = body.slice(0, 200).split('\n', 1)[0] ?? '';
  if (first === '') return 1;
  const lines = text.split(/\r\n|\r|\n/);
  const closing = lines.findIndex((line, index) => index > 0 && line.trimEnd() === '---');
  const at = lines.findIndex((line, index) => index > closing && line.trim().startsWith(first.trim()));
  return at === -1 ? 1 : at + 1;
}
