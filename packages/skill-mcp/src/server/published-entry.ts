import { SkillError, type Skill, type SkillMetadata, type SkillProvider } from '@repertoire/skills-core';
import { compareResources, sha256Hex } from '@repertoire/skills-core/provider';
import { scanFrontmatter, serializeSkillMd } from '@repertoire/skills-core/skill-md';
import { parse } from 'yaml';
import type { McpSkillFile } from '../protocol/skills-extension.ts';
import { uriInSkill } from '../protocol/skill-uri.ts';

/** A skill as it is published. */
export interface PublishedEntry {
  readonly name: string;
  readonly version: string | undefined;
  /** The URI of its folder, with a slash at its end. */
  readonly root: string;
  /** The entry of `skills/list`. */
  readonly entry: {
    readonly uri: string;
    readonly frontmatter: Readonly<Record<string, unknown>>;
    readonly resources: readonly McpSkillFile[];
  };
  /** Its files by path, `SKILL.md` among them. */
  readonly files: ReadonlyMap<string, McpSkillFile>;
}

/**
 * Makes the entry of a skill. Every file is read once, one after another, for its digest; none is kept.
 *
 * @returns `null` where the skill is gone by now
 * @throws {SkillError} `resource-not-found` for a listed file that cannot be read as a whole; what the provider rejects with
 */
export async function publishedEntry(
  provider: SkillProvider,
  { name, version }: SkillMetadata,
  root: string,
): Promise<PublishedEntry | null> {
  const skill = await provider.getSkill(name, { version });
  if (skill === null) return null;
  if (skill.version !== version) {
    throw new SkillError('unsupported', `It has no version beside others that have one, so nobody can ask for it`, {
      skill: name,
      source: provider.label,
    });
  }
  const text = skillMdOf(skill);
  const files = new Map<string, McpSkillFile>([['SKILL.md', await promise(uriInSkill(root, 'SKILL.md'), new TextEncoder().encode(text))]]);
  for (const { path, size, digest } of [...skill.resources].sort(compareResources)) {
    const uri = uriInSkill(root, path);
    if (size !== undefined && digest !== undefined) {
      files.set(path, { uri, digest: `sha256:${digest}`, size });
      continue;
    }
    const resource = await provider.readResource(name, path, { version });
    if (resource === null || resource.bytes.length !== resource.size) {
      throw new SkillError('resource-not-found', `[skill-mcp] ${path} of skill "${name}" is listed, but could not be read as a whole.`, {
        skill: name,
        path,
        source: provider.label,
      });
    }
    files.set(path, await promise(uri, resource.bytes));
  }
  const scan = scanFrontmatter(text);
  const frontmatter =
    scan.status === 'complete'
      ? (parse(text.slice(scan.yamlStart, scan.yamlEnd), { schema: 'core', version: '1.2' }) as Record<string, unknown>)
      : {};
  return {
    name,
    version: skill.version,
    root,
    files,
    entry: { uri: uriInSkill(root, 'SKILL.md'), frontmatter, resources: [...files.values()] },
  };
}

/** The `SKILL.md` that is published: a provider hands out level 1 and a body, not the bytes that its author wrote. */
export function skillMdOf(skill: Skill): string {
  const { resources: _resources, origin: _origin, ...rest } = skill;
  return serializeSkillMd(rest);
}

async function promise(uri: string, bytes: Uint8Array): Promise<McpSkillFile> {
  return { uri, digest: `sha256:${await sha256Hex(bytes)}`, size: bytes.length };
}
