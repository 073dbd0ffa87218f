import { nearNames } from '../contract/near-names.ts';
import type { Skill, SkillMetadata, SkillResource, SkillResourceEntry } from '../contract/skill-provider.ts';
import { SkillError } from '../errors/skill-error.ts';
import { oneLine } from '../prompt/escape.ts';
import { isResourcePath, normalizeResourcePath } from '../contract/resource-path.ts';
import { loadedSkill } from '../state/skill-state.ts';
import type { SkillToolContext } from './skill-tool.ts';
import type { ToolEnvironment } from './tool-environment.ts';

/** The most paths that an error names. */
const maxPaths = 50;

/** Which of a skill's files a tool is about. */
export type ResourceFilter = (entry: Pick<SkillResourceEntry, 'path' | 'kind'>) => boolean;

/**
 * Reads a file of a skill, trying what its path may have meant: as written, as a Markdown link has it, and behind the skill's own name. The version is the loaded
 * one, else that of the catalog.
 *
 * @throws {SkillError} `invalid-path`, `permission-denied`, or `resource-not-found` with near paths and what there is
 */
export async function findResource(
  environment: ToolEnvironment,
  skill: SkillMetadata,
  path: string,
  context: SkillToolContext,
  only: ResourceFilter = () => true,
): Promise<SkillResource> {
  const { provider, limits } = environment;
  const { name } = skill;
  const options = { version: versionInForce(skill, context), signal: context.signal };
  const normalized = normalizeResourcePath(path);
  const candidates = new Set([path, normalized, normalized.startsWith(`${name}/`) ? normalized.slice(name.length + 1) : normalized]);
  for (const candidate of candidates) {
    if (!isResourcePath(candidate)) continue;
    await environment.assertAllowed('read', skill, candidate);
    const resource = await provider.readResource(name, candidate, { ...options, maxBytes: limits.maxResourceBytes });
    if (resource !== null) return resource;
  }
  throw resourceNotFound(await provider.getSkill(name, options), name, path, normalized, only);
}

/** Level 2 of a skill, in the version that is loaded. */
export function versionInForce(skill: SkillMetadata, { state }: SkillToolContext): string | undefined {
  return loadedSkill(state, skill.name)?.version ?? skill.version;
}

function resourceNotFound(skill: Skill | null, name: string, path: string, normalized: string, only: ResourceFilter): SkillError {
  const quoted = JSON.stringify(oneLine(path));
  const paths = skill?.resources.filter(only).map((entry) => oneLine(entry.path)) ?? [];
  const inFolder = paths.filter((candidate) => candidate.startsWith(`${normalized}/`));
  const message = () => {
    if (normalized === 'SKILL.md') return `SKILL.md is what loading the skill returns; its other files are: ${listed(paths)}.`;
    if (inFolder.length > 0) return `${quoted} is a folder. It holds: ${listed(inFolder)}.`;
    if (paths.length === 0) return `Skill ${JSON.stringify(name)} has no files to read besides its instructions.`;
    const near = nearNames(normalized, paths);
    const didYouMean = near.length === 0 ? '' : ` Did you mean ${near.map((candidate) => JSON.stringify(candidate)).join(' or ')}?`;
    return `Skill ${JSON.stringify(name)} has no file ${quoted}.${didYouMean} Its files: ${listed(paths)}.`;
  };
  return new SkillError('resource-not-found', message(), { skill: name, path });
}

function listed(paths: readonly string[]): string {
  const rest = paths.length - maxPaths;
  return paths.slice(0, maxPaths).join(', ') + (rest > 0 ? `, and ${rest} more` : '');
}
