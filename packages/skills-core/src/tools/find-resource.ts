import { nearNames } from '../contract/near-names.ts';
import { isResourcePath, normalizeResourcePath } from '../contract/resource-path.ts';
import type { SkillResource, SkillResourceEntry } from '../contract/skill-provider.ts';
import { SkillError } from '../errors/skill-error.ts';
import { listWords, quoteWord } from '../prompt/source-words.ts';
import { readPinnedFile } from './pinned/pinned-files.ts';
import type { SkillInUse } from './pinned/skill-in-use.ts';
import type { SkillToolContext } from './skill-tool.ts';
import { siblingFile, siblingText, type SiblingFile } from './sibling-file.ts';
import type { ToolEnvironment } from './tool-environment.ts';

/** The most paths that an error names. */
const maxPaths = 50;

/** Which of a skill's files a tool is about. */
export type ResourceFilter = (entry: Pick<SkillResourceEntry, 'path' | 'kind'>) => boolean;

/**
 * Reads a file of a skill, trying what its path may have meant: as written, as a Markdown link has
 * it, and behind the skill's own name.
 *
 * @throws {SkillError} `invalid-path`, `permission-denied`, `skill-changed`, or
 *   `resource-not-found` with near paths and what there is
 */
export async function findResource(
  environment: ToolEnvironment,
  inUse: SkillInUse,
  path: string,
  context: SkillToolContext,
  only: ResourceFilter = () => true,
): Promise<SkillResource> {
  const { limits, hooks } = environment;
  const { skill } = inUse;
  const { signal } = context;
  const { name } = skill;
  // A link to another skill climbs out of this one, and the model can load that skill.
  const sibling = siblingFile(environment.catalog, path, name);
  if (sibling !== null && path.includes('..')) throw resourceElsewhere(environment, name, path, sibling);
  const normalized = normalizeResourcePath(path);
  const candidates = new Set([path, normalized, normalized.startsWith(`${name}/`) ? normalized.slice(name.length + 1) : normalized]);
  for (const candidate of candidates) {
    if (!mayBeRead(candidate)) continue;
    const wanted = (await hooks?.path(skill, candidate, signal)) ?? candidate;
    if (!mayBeRead(wanted)) continue;
    await environment.assertAllowed('read', skill, wanted);
    const resource = await readPinnedFile(environment, inUse, wanted, { maxBytes: limits.maxResourceBytes, signal });
    if (resource !== null) return (await hooks?.file(skill, resource, signal)) ?? resource;
  }
  if (sibling !== null) throw resourceElsewhere(environment, name, path, sibling);
  // Who may not load a skill does not learn its files from an error.
  const mayList = await environment.mayDo('load', skill);
  throw resourceNotFound(mayList ? skill.resources.filter(only) : null, name, path, normalized);
}

function resourceElsewhere({ names }: ToolEnvironment, skill: string, path: string, sibling: SiblingFile): SkillError {
  return new SkillError('resource-not-found', siblingText(path, sibling, names), { skill, path });
}

/** What loading returns has its arguments and its frame; the raw `SKILL.md` would have neither. */
function mayBeRead(path: string): boolean {
  return isResourcePath(path) && path !== 'SKILL.md';
}

function resourceNotFound(files: readonly SkillResourceEntry[] | null, name: string, path: string, normalized: string): SkillError {
  const paths = files?.map((entry) => entry.path).sort() ?? [];
  const inFolder = paths.filter((candidate) => candidate.startsWith(`${normalized}/`));
  const message = () => {
    if (normalized === 'SKILL.md' || normalized === `${name}/SKILL.md`)
      return `SKILL.md is what loading the skill returns.${paths.length === 0 ? '' : ` Its other files are: ${listWords(paths, maxPaths)}.`}`;
    if (files === null) return `Skill ${quoteWord(name)} has no file ${quoteWord(path)}.`;
    if (inFolder.length > 0) return `${quoteWord(path)} is a folder. It holds: ${listWords(inFolder, maxPaths)}.`;
    if (paths.length === 0) return `Skill ${quoteWord(name)} has no files to read besides its instructions.`;
    const near = nearNames(normalized, paths);
    const didYouMean = near.length === 0 ? '' : ` Did you mean ${near.map(quoteWord).join(' or ')}?`;
    return `Skill ${quoteWord(name)} has no file ${quoteWord(path)}.${didYouMean} Its files: ${listWords(paths, maxPaths)}.`;
  };
  return new SkillError('resource-not-found', message(), { skill: name, path });
}
