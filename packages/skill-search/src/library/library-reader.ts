import type { SkillMetadata, SkillProvider } from '@repertoire/skills-core';
import { messageOf } from '@repertoire/skills-core/internal';
import { scanFrontmatter, decodeText } from '@repertoire/skills-core/provider';
import { ReferenceReader } from './reference-reader.ts';

/** What is searched of a skill besides level 1. */
export interface ReadSkill {
  readonly body: string;
  /** `null` if they were not asked for, or could not be read. */
  readonly references: string | null;
  /** Why references could not be read. */
  readonly failure?: string | undefined;
}

/** Reads a provider for one index. Only this folder calls a provider. */
export class LibraryReader {
  readonly #provider: SkillProvider;
  /** Sources that have no `SKILL.md` of their skills, so that it is asked for once. */
  readonly #withoutSkillMd: Set<string> = new Set();
  readonly references: ReferenceReader;

  constructor(provider: SkillProvider) {
    this.#provider = provider;
    this.references = new ReferenceReader(provider);
  }

  /** What is searched of a listed skill; `null` if it no longer exists. */
  async read(skill: SkillMetadata, withReferences: boolean, signal: AbortSignal | undefined): Promise<ReadSkill | null> {
    if (!withReferences) {
      const body = await this.#readBody(skill, signal);
      return body === null ? null : { body, references: null };
    }
    const whole = await this.#provider.getSkill(skill.name, { version: skill.version, signal });
    if (whole === null) return null;
    try {
      return { body: whole.body, references: await this.references.read(whole, signal) };
    } catch (error) {
      signal?.throwIfAborted();
      return { body: whole.body, references: null, failure: messageOf(error) };
    }
  }

  /**
   * Reads the body of a listed skill; `null` if it no longer exists. It is taken from `SKILL.md`
   * where the source has that file, because `getSkill` also lists the files of the skill, which
   * costs several times as much in a folder.
   */
  async #readBody(skill: SkillMetadata, signal: AbortSignal | undefined): Promise<string | null> {
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

/** Returns the body as `getSkill` gives it; `null` where only a full YAML parser can find it. */
function bodyOf(bytes: Uint8Array): string | null {
  const text = decodeText(bytes);
  const scan = text === null ? null : scanFrontmatter(text);
  if (text === null || scan?.status !== 'complete') return null;
  return text.slice(scan.end).replace(/\r\n?/g, '\n').trim();
}
