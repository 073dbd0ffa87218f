import type { Skill } from '@repertoire/skills-core';
import { frame, insideElement, oneLine, type SkillInUse, type SkillToolHost } from '@repertoire/skills-core/internal';
import { forEachBounded, type SkillResourceEntry } from '@repertoire/skills-core/provider';
import { scriptTexts } from '../prompt/script-texts.ts';
import { scriptHeadBytes, scriptSummary } from './script-summary.ts';

const scriptExtensions: readonly string[] = ['.bash', '.cjs', '.js', '.mjs', '.py', '.sh'];
/** The most listed scripts, and characters of their list. The rest can be run by path. */
const maxListedScripts = 50;
const maxListedCharacters = 4_000;

/** The list of scripts behind a body, and how to run them. Empty if none can be run. */
export async function listScripts(
  host: SkillToolHost,
  use: SkillInUse,
  extensions: readonly string[] | undefined,
  signal: AbortSignal | undefined,
): Promise<string> {
  const { doors, names } = host;
  const { skill } = use;
  const scripts = await runnable(host, skill, extensions);
  if (scripts.length === 0) return '';
  const read = async (path: string, maxBytes: number): Promise<Uint8Array | null> =>
    (await doors.readFile(use, path, { maxBytes, signal }))?.bytes ?? null;
  const described = await describeScripts(scripts.slice(0, maxListedScripts), read, signal);
  return frame('skill_scripts', {}, [scriptTexts.list(skill.name, names.runScript), ...linesOf(described, scripts.length)].join('\n'));
}

/** Returns the scripts that this request may read, and so run. Hidden ones are left out. */
async function runnable(
  { audience }: SkillToolHost,
  skill: Skill,
  extensions: readonly string[] | undefined,
): Promise<readonly SkillResourceEntry[]> {
  const scripts = skill.resources.filter((entry) => isScript(entry, extensions));
  const allowed = await Promise.all(scripts.map(({ path }) => audience.mayDo('read', skill, path)));
  return scripts.filter((_, index) => allowed[index]);
}

function linesOf(scripts: readonly SkillScript[], total: number): readonly string[] {
  const lines: string[] = [];
  let characters = 0;
  for (const { path, description } of scripts) {
    const line = insideElement(oneLine(description === null ? path : `${path}: ${description}`));
    characters += line.length + 1;
    if (characters > maxListedCharacters) break;
    lines.push(line);
  }
  return total > lines.length ? [...lines, scriptTexts.more(total - lines.length)] : lines;
}

/** A script of a skill, as a model sees it. */
export interface SkillScript {
  /** Path inside the skill. */
  readonly path: string;
  /** Its own description; `null` if it has none, or could not be read. */
  readonly description: string | null;
}

/**
 * Scripts with their first comment.
 *
 * @param read reads the start of a file; `null` if missing. On failure, such as for a file that
 *   changed since the skill was loaded, the script has no description
 */
export async function describeScripts(
  scripts: readonly SkillResourceEntry[],
  read: (path: string, maxBytes: number) => Promise<Uint8Array | null>,
  signal?: AbortSignal,
): Promise<readonly SkillScript[]> {
  const described: SkillScript[] = [];
  const describe = async ({ path }: SkillResourceEntry, index: number): Promise<void> => {
    const bytes = await read(path, scriptHeadBytes).catch(() => null);
    described[index] = { path, description: bytes === null ? null : scriptSummary(bytes) };
  };
  await forEachBounded(scripts, 8, describe, signal);
  return described;
}

/** Whether a file is a script that can be run. Parts of Python packages are not. */
export function isScript(
  { path, kind }: Pick<SkillResourceEntry, 'path' | 'kind'>,
  extensions: readonly string[] = scriptExtensions,
): boolean {
  if (kind !== 'script') return false;
  const file = path.slice(path.lastIndexOf('/') + 1).toLowerCase();
  return file !== '__init__.py' && extensions.some((extension) => file.length > extension.length && file.endsWith(extension));
}
