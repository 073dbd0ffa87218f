import type { Skill, SkillCallOptions, SkillResource } from '../../contract/skill-provider.ts';
import { SkillError } from '../../errors/skill-error.ts';
import { quoteWord } from '../../prompt/source-words.ts';
import { readSkillFiles, type WholeSkill } from '../../providers/digest/read-skill-files.ts';
import { sha256Hex } from '../../providers/digest/sha256-hex.ts';
import { identityOptions } from '../../contract/skill-identity.ts';
import type { ToolEnvironment } from '../tool-environment.ts';
import { changedSkill } from './skill-changed.ts';
import type { SkillInUse } from './skill-in-use.ts';

/** A file is compared as a whole, so a larger one cannot be read in parts. */
const maxComparedBytes = 64 * 1024 * 1024;

/**
 * A file of a skill: only one that its list names, and only the bytes that belong to the content of
 * the skill, which for a loaded one is what was loaded. Of an unpinned skill, the file as it is
 * now.
 *
 * @returns `null` for an unknown path
 * @throws {SkillError} `skill-changed` for other bytes, `limit-exceeded` for a file that is too
 *   large to compare
 */
export async function readPinnedFile(
  environment: ToolEnvironment,
  { skill, loaded }: SkillInUse,
  path: string,
  { maxBytes, signal }: { readonly maxBytes: number; readonly signal: AbortSignal | undefined },
): Promise<SkillResource | null> {
  const { provider } = environment;
  const identity = identityOptions(skill);
  const digest = digestOf(skill, path);
  if (digest === null) return null;
  if (digest === undefined) return await provider.readResource(skill.name, path, { ...identity, maxBytes, signal });
  const size = skill.resources.find((entry) => entry.path === path)?.size ?? 0;
  if (size > maxComparedBytes) throw tooLarge(skill.name, path);
  const ask = (most: number) => provider.readResource(skill.name, path, { ...identity, digest, maxBytes: most, signal });
  let file = await ask(size > maxBytes ? maxComparedBytes : maxBytes);
  if (file !== null && file.size > file.bytes.length) file = await ask(maxComparedBytes);
  if (file !== null && file.size > file.bytes.length) throw tooLarge(skill.name, path);
  if (file === null || (await sha256Hex(file.bytes)) !== digest) {
    throw await changedSkill(environment, { name: skill.name, loaded, reason: 'content', path }, signal);
  }
  return file.bytes.length > maxBytes ? { ...file, bytes: file.bytes.slice(0, maxBytes) } : file;
}

/**
 * All files of a skill, for a run: of a pinned one all of the pinned content, or none.
 *
 * @throws {SkillError} `skill-changed`, `limit-exceeded`
 */
export async function readPinnedFiles(
  environment: ToolEnvironment,
  { skill, loaded }: SkillInUse,
  { signal }: SkillCallOptions,
): Promise<WholeSkill> {
  const changed = (): Promise<SkillError> => changedSkill(environment, { name: skill.name, loaded, reason: 'content' }, signal);
  let whole: WholeSkill;
  try {
    whole = await readSkillFiles(environment.provider, skill, { signal });
  } catch (thrown) {
    // A listed file that is no longer there is a change, if it was pinned.
    if (typeof skill.content === 'string' && SkillError.isInstance(thrown) && thrown.code === 'resource-not-found') throw await changed();
    throw thrown;
  }
  if (typeof skill.content === 'string' && whole.digest !== skill.content) throw await changed();
  return whole;
}

/** The digest that a file must have; `null` if there is none, `undefined` for an unpinned skill. */
function digestOf({ content, resources }: Skill, path: string): string | null | undefined {
  if (content === null || content === undefined) return undefined;
  return resources.find((entry) => entry.path === path)?.digest ?? null;
}

function tooLarge(skill: string, path: string): SkillError {
  return new SkillError(
    'limit-exceeded',
    `${quoteWord(path)} of skill ${quoteWord(skill)} is larger than ${maxComparedBytes} bytes, so it cannot be compared with what was loaded.`,
    { skill, path },
  );
}
