import type { Skill, SkillProvider } from '@repertoire/skills-core';
import { type SkillResourceEntry, decodeText } from '@repertoire/skills-core/provider';
import { compareText } from '@repertoire/skills-core/internal';
import { longestText } from '../text/skill-text.ts';
import { entryKey } from './library-entry.ts';

/** What is read of references. The rest is not searched. */
export const referenceLimits: {
  readonly fileBytes: number;
  readonly skillFiles: number;
  readonly skillBytes: number;
  readonly bytes: number;
} = {
  fileBytes: 65_536,
  skillFiles: 32,
  skillBytes: longestText.references,
  bytes: 67_108_864,
};

const textTypes: ReadonlySet<string> = new Set(['text/markdown', 'text/plain']);

/** Reads the references of skills, within {@link referenceLimits}. */
export class ReferenceReader {
  readonly #provider: SkillProvider;
  /** Bytes of the references of each skill, or what they may have while they are read. */
  readonly #bytes: Map<string, number> = new Map();
  #total = 0;
  readonly #cut: Set<string> = new Set();

  constructor(provider: SkillProvider) {
    this.#provider = provider;
  }

  /** Number of skills with references beyond the limits. */
  get cut(): number {
    return this.#cut.size;
  }

  /** The references of a skill as one text, in the order of their paths. */
  async read(skill: Skill, signal: AbortSignal | undefined): Promise<string> {
    const key = entryKey(skill);
    this.forget(key);
    const files = skill.resources.filter(isReferenceText).sort((a, b) => compareText(a.path, b.path));
    if (files.length === 0) return '';
    const room = Math.min(referenceLimits.skillBytes, referenceLimits.bytes - this.#total);
    this.#take(key, room);
    const texts: string[] = [];
    let [taken, isCut] = [0, files.length > referenceLimits.skillFiles];
    try {
      for (const { path } of files.slice(0, referenceLimits.skillFiles)) {
        signal?.throwIfAborted();
        const maxBytes = Math.min(referenceLimits.fileBytes, room - taken);
        const file =
          maxBytes > 0 ? await this.#provider.readResource(skill.name, path, { version: skill.version, maxBytes, signal }) : null;
        // If a file is gone by now, the skill has changed and will be read again.
        if (file !== null) {
          const bytes = file.bytes.subarray(0, maxBytes);
          const isFileCut = file.size > bytes.length;
          texts.push(decodeText(bytes, isFileCut) ?? '');
          taken += bytes.length;
          isCut ||= isFileCut;
        }
        isCut ||= maxBytes <= 0;
      }
    } finally {
      this.#take(key, taken);
    }
    if (isCut) this.#cut.add(key);
    return texts.join('\n');
  }

  /** Makes room for others when a skill is gone. */
  forget(key: string): void {
    this.#take(key, 0);
    this.#cut.delete(key);
  }

  #take(key: string, bytes: number): void {
    this.#total += bytes - (this.#bytes.get(key) ?? 0);
    if (bytes === 0) this.#bytes.delete(key);
    else this.#bytes.set(key, bytes);
  }
}

function isReferenceText({ kind, mediaType }: SkillResourceEntry): boolean {
  return kind === 'reference' && textTypes.has(mediaType.split(';', 1)[0] ?? '');
}
