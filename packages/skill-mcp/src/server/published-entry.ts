import { SkillError, type Skill, type SkillDiagnostic, type SkillMetadata, type SkillProvider } from '@repertoire/skills-core';
import { isJsonObject, readListedFile, type SkillMdBytes } from '@repertoire/skills-core/internal';
import { compareResources, readSkillMd, scanFrontmatter, sha256Hex, decodeText } from '@repertoire/skills-core/provider';
import { parseSkillFrontmatter, serializeSkillMd } from '@repertoire/skills-core/skill-md';
import { startOfMessage } from '../provider/mcp-call.ts';
import { readCoreYaml } from '../provider/read-core-yaml.ts';
import type { McpSkillFile } from '../protocol/skills-extension.ts';
import { uriInSkill } from '../protocol/skill-uri.ts';

/** A published skill. */
export interface PublishedEntry {
  readonly name: string;
  readonly version: string | null;
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
  /** Descriptions of files, from the source. */
  readonly descriptions: ReadonlyMap<string, string>;
  /** The start of its published `SKILL.md`, for checks of its form. It is not kept afterwards. */
  readonly head: string;
  /** Why parsers disagree about its frontmatter. */
  readonly problems: readonly string[];
  /** What cannot be used, such as a file that the provider does not list. */
  readonly faults: readonly SkillDiagnostic[];
}

/** As many as a `SKILL.md` has, nearly always. */
const skillMdBytes = 65_536;
const maxFrontmatterCharacters = 65_536;

/**
 * Builds the entry of a skill. Every file is read once for its digest, one after another, and none
 * is kept.
 *
 * @returns `null` if the skill no longer exists
 * @throws {SkillError} `resource-not-found` for a listed file that cannot be read completely; what
 *   the provider rejects with
 */
export async function publishedEntry(
  provider: SkillProvider,
  { name, version }: Pick<SkillMetadata, 'name' | 'version'>,
  root: string,
  rewriteSkillMd: boolean,
): Promise<PublishedEntry | null> {
  const skill = await provider.getSkill(name, { version, withBytes: skillMdBytes });
  if (skill === null || skill.version !== version) return null;
  const { bytes: skillMd, digest: known } = await publishedSkillMd(provider, skill, rewriteSkillMd);
  const files = new Map<string, McpSkillFile>([['SKILL.md', await promise(uriInSkill(root, 'SKILL.md'), skillMd, known)]]);
  for (const listed of [...skill.resources].sort(compareResources)) {
    const { path, size, digest } = listed;
    const uri = uriInSkill(root, path);
    if (size !== undefined && digest !== undefined) {
      files.set(path, { uri, digest: `sha256:${digest}`, size });
      continue;
    }
    const resource = await readListedFile(provider, skill, listed);
    if (resource === null || resource.bytes.length !== resource.size) {
      throw new SkillError('resource-not-found', `[skill-mcp] ${path} of skill "${name}" is listed, but could not be read as a whole.`, {
        skill: name,
        path,
        source: provider.label,
      });
    }
    files.set(path, await promise(uri, resource.bytes, resource.digest));
  }
  const { frontmatter, problems, head = '' } = frontmatterOf(skillMd);
  return {
    name,
    version,
    root,
    files,
    descriptions: new Map(skill.resources.flatMap(({ path, description }) => (description === undefined ? [] : [[path, description]]))),
    entry: { uri: uriInSkill(root, 'SKILL.md'), frontmatter, resources: [...files.values()] },
    head,
    problems,
    faults: skill.diagnostics.filter(({ severity }) => severity === 'error'),
  };
}

/** The `SKILL.md` that is published: the author's bytes, unless the host wants a rewritten file. */
export async function publishedSkillMd(
  provider: SkillProvider,
  skill: Skill,
  rewriteSkillMd: boolean,
): Promise<Omit<SkillMdBytes, 'isOriginal'>> {
  if (!rewriteSkillMd) return await readSkillMd(provider, skill);
  const {
    resources: _resources,
    files: _files,
    origin: _origin,
    content: _content,
    diagnostics: _diagnostics,
    fields = {},
    ...rest
  } = skill;
  // Derived from `fields`: there, every value is text.
  const { metadata: _written, ...others } = fields;
  return { bytes: new TextEncoder().encode(serializeSkillMd({ ...rest, fields: others })) };
}

/** The frontmatter by YAML's core schema; of invalid YAML, our lenient reading. */
function frontmatterOf(bytes: Uint8Array): {
  readonly frontmatter: Readonly<Record<string, unknown>>;
  readonly problems: readonly string[];
  /** To the end of the frontmatter, where there is one. */
  readonly head?: string;
} {
  const text = decodeText(bytes);
  if (text === null) return { frontmatter: {}, problems: ['its SKILL.md is no UTF-8'] };
  const scan = scanFrontmatter(text);
  if (scan.status !== 'complete') return { frontmatter: {}, problems: ['its SKILL.md has no frontmatter'] };
  if (scan.yamlEnd - scan.yamlStart > maxFrontmatterCharacters)
    return { frontmatter: {}, problems: [`its frontmatter has more than ${maxFrontmatterCharacters} characters`] };
  try {
    const read = readCoreYaml(text.slice(scan.yamlStart, scan.yamlEnd));
    if (!isJsonObject(read)) return { frontmatter: {}, problems: ['its frontmatter is no mapping'] };
    // Decoded from UTF-16 it is a text, too, and only ours.
    const problems = bytes[0] === 0xff || bytes[0] === 0xfe ? ['its SKILL.md is no UTF-8'] : [];
    return { frontmatter: read, problems, head: text.slice(0, scan.end) };
  } catch (error) {
    const { frontmatter } = parseSkillFrontmatter(text);
    return { frontmatter, problems: [`its frontmatter is no valid YAML: ${startOfMessage(error).slice(0, 200)}`] };
  }
}

async function promise(uri: string, bytes: Uint8Array, known: string | undefined): Promise<McpSkillFile> {
  return { uri, digest: `sha256:${known ?? (await sha256Hex(bytes))}`, size: bytes.length };
}
