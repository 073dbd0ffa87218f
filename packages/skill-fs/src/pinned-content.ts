import type { Skill } from '@repertoire/skills-core';
import { skillDigestFromFileDigests } from '@repertoire/skills-core/provider';
import type { DiskReader } from './disk-steps.ts';
import type { FileDigests } from './file-digests.ts';
import type { FileSystemSettings } from './file-system-skill-provider-options.ts';
import { listResources } from './list-resources.ts';
import type { IndexedSkill } from './merge-skills.ts';
import { realSkillFile } from './read-skill.ts';
import { realFolderOf, type SkillFileRecord } from './skill-file-record.ts';
import type { SkillIndex } from './skill-index.ts';

interface KnownContent {
  readonly content: string | undefined;
  /** `SkillIndex.asked` when it was read. */
  readonly asked: number;
  readonly at: number;
}

/** The contents of skills, kept for as long as a listing is. */
export class PinnedContents {
  readonly #known = new WeakMap<SkillFileRecord, KnownContent>();
  readonly #index: SkillIndex;
  readonly #settings: FileSystemSettings;
  readonly #reader: DiskReader;
  readonly #digests: FileDigests;

  constructor(index: SkillIndex, settings: FileSystemSettings, reader: DiskReader, digests: FileDigests) {
    this.#index = index;
    this.#settings = settings;
    this.#reader = reader;
    this.#digests = digests;
  }

  /**
   * The content of a skill as it is on disk, no older than `staleAfterMs`, without reading a file
   * that looks as it did.
   *
   * @returns `undefined` where a file has no digest, or has no `SKILL.md`
   */
  async of(skill: IndexedSkill, signal: AbortSignal): Promise<string | undefined> {
    const known = this.#known.get(skill.record);
    if (known !== undefined && this.#isYoung(known)) return known.content;
    const began = this.begin();
    const [main, list] = await Promise.all([
      this.#mainDigest(skill),
      listResources(realFolderOf(skill.record), this.#settings, this.#reader, this.#digests, signal),
    ]);
    const content = main === undefined ? undefined : await contentOf(main, list.entries);
    this.note(skill, content, began);
    return content;
  }

  /** What a reading has to remember before it begins, for {@link note}. */
  begin(): Omit<KnownContent, 'content'> {
    return { asked: this.#index.asked, at: this.#settings.now() };
  }

  /** Remembers a content that was read: a load must not differ from what is told next. */
  note({ record }: IndexedSkill, content: string | undefined, began: Omit<KnownContent, 'content'>): void {
    this.#known.set(record, { content, ...began });
  }

  #isYoung({ asked, at }: KnownContent): boolean {
    const age = this.#settings.now() - at;
    // A clock that was set back proves nothing.
    return asked === this.#index.asked && age >= 0 && age < this.#settings.staleAfterMs;
  }

  async #mainDigest({ record, root }: IndexedSkill): Promise<string | undefined> {
    const real = await this.#reader.run(realSkillFile(record, root.realPath, this.#settings));
    if (real === null) return undefined;
    const steps = this.#digests.file(await this.#digests.prepare(), real, { maxBytes: Number.MAX_SAFE_INTEGER });
    return (await this.#reader.run(steps))?.digest ?? undefined;
  }
}

/** The content of a skill from the digests of its files; `undefined` where one has none. */
export async function contentOf(main: string, resources: Skill['resources']): Promise<string | undefined> {
  const digests: Record<string, string> = { 'SKILL.md': main };
  for (const { path, digest } of resources) {
    if (digest === undefined) return undefined;
    digests[path] = digest;
  }
  return await skillDigestFromFileDigests(digests);
}
