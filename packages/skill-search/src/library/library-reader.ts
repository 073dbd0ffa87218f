import type { SkillMetadata, SkillProvider } from '@repertoire/skills-core';
import { decodeText, readListing, scanFrontmatter } from '@repertoire/skills-core/provider';

/** A listing for search: every version, because a session may see an older one only. */
export interface LibraryListing {
  readonly skills: readonly SkillMetadata[];
  /** Whether the listing is complete. */
  readonly complete: boolean;
}

/** Reads a provider for one index. Only this file calls a provider. */
export class LibraryReader {
  readonly #provider: SkillProvider;
  /** Sources that have no `SKILL.md` of their skills, so that it is asked for once. */
  readonly #withoutSkillMd: Set<string> = new Set();

  constructor(provider: SkillProvider) {
    this.#provider = provider;
  }

  /** Lists all versions of the skills, newest first. */
  async list(signal: AbortSignal | undefined): Promise<LibraryListing> {
    const { skills, complete } = await readListing(this.#provider, { signal });
    return { skills, complete };
  }

  /**
   * The body of a listed skill; `null` if it no longer exists. It is taken from `SKILL.md` where
   * the source has that file, because `getSkill` also lists the files of the skill, which costs
   * several times as much in a folder.
   */
  async readBody(skill: SkillMetadata, signal: AbortSignal | undefined): Promise<string | null> {
    const { name, version } = skill;
    const source = skill.origin?.label ?? '';
    const asksFile = !this.#withoutSkillMd.has(source);
    const file = asksFile ? await this.#provider.readResource(name, 'SKILL.md', { version, signal }) : null;
    const body = file === null ? null : bodyOf(file.bytes);
    if (body !== null) return body;
    const read = await this.#provider.getSkill(name, { version, signal });
    if (asksFile && file === null && read !== null) this.#withoutSkillMd.add(source);
    return read === null ? null : read.body;
  }
}

/** The version in results: `null` for none. */
export function versionOf(skill: SkillMetadata): string | null {
  return skill.version;
}

/** The body as `getSkill` gives it; `null` where only a full YAML parser can find it. */
function bodyOf(bytes: Uint8Array): string | null {
  const text = decodeText(bytes);
  const scan = text === null ? null : scanFrontmatter(text);
  if (text === null || scan?.status !== 'complete') return null;
  return text.slice(scan.end).replace(/\r\n?/g, '\n').trim();
}
