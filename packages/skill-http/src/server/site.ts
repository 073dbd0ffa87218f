import { parseSkillCard } from '@repertoire/skill-cards';
import type { SkillDiagnostic } from '@repertoire/skills-core';
import { jsonWithList, type JsonObject } from '@repertoire/skills-core/internal';
import { mediaTypeOf, sha256Hex } from '@repertoire/skills-core/provider';
import {
  cardFile,
  discoveryFolder,
  discoverySchema,
  extensionField,
  indexFile,
  isDiscoveryName,
  legacyFolder,
  maxIndexDescription,
  signatureFile,
} from '../discovery/discovery-format.ts';
import { levelOneToJson } from '../discovery/level-one-to-json.ts';
import { packSkill, type PackedSkill } from './pack-skill.ts';
import type { PublishSettings } from './publish-options.ts';
import { Scratch } from './stored-gzip.ts';
import type { PublishedSkill, PublishedSkills } from './read-skills.ts';
import { fileCost, packingPace } from './packing-pace.ts';

/** Something that is served. */
export interface SiteFile {
  /** Its bytes, or what gets them: those of an archive are not kept. */
  readonly bytes: Uint8Array | (() => Promise<Uint8Array>);
  /** Number of its bytes. */
  readonly length: number;
  readonly mediaType: string;
  /** SHA-256 of the bytes. */
  readonly digest: string;
  /** Whether its path names its contents, so that they never change. */
  readonly immutable: boolean;
  /** Whether it is an archive that was not compressed. */
  readonly isStored: boolean;
  /** The skill that it belongs to; none for an index. */
  readonly skill: string | undefined;
}

/** The bytes of a file. */
export async function bytesOfFile({ bytes }: SiteFile): Promise<Uint8Array> {
  return typeof bytes === 'function' ? await bytes() : bytes;
}

/** Everything that is published at one time. The indexes and the other paths are consistent. */
export interface Site {
  /** By path, which is not percent-encoded. The indexes are the last. */
  readonly files: ReadonlyMap<string, SiteFile>;
  readonly skills: readonly PublishedSkill[];
  readonly diagnostics: readonly SkillDiagnostic[];
  /** Whether these are all skills that the provider has. */
  readonly complete: boolean;
  /** Archives by the digest of the skill, so that an unchanged skill is not packed again. */
  readonly packed: ReadonlyMap<string, PackedSkill>;
}

interface DiscoveryEntry {
  readonly name: string;
  readonly type: 'skill-md' | 'archive';
  readonly description: string;
  readonly url: string;
  readonly digest: string;
  readonly [extensionField]: { readonly metadata: JsonObject; readonly versions?: readonly DiscoveryEntry[] };
}

interface LegacyEntry {
  readonly name: string;
  readonly description: string;
  readonly version: string;
  readonly files: readonly string[];
  readonly [extensionField]: { readonly metadata: JsonObject };
}

/** Lays out artifacts, by contents and by guessable names, single files and indexes. */
export async function buildSite(
  { skills, diagnostics, complete }: PublishedSkills,
  settings: PublishSettings,
  previous: Site | null,
): Promise<Site> {
  const builder = new SiteBuilder(settings, previous, diagnostics);
  const { files, packed, notes, root } = builder;
  const entries: DiscoveryEntry[] = [];
  const legacy: LegacyEntry[] = [];
  // Versions of one name together, newest first.
  for (const [newest, ...older] of Map.groupBy(skills, ({ metadata }) => metadata.name).values()) {
    if (newest === undefined) continue;
    const entry = await builder.putArtifact(newest, true);
    const versions: DiscoveryEntry[] = [];
    for (const skill of older) versions.push(await builder.putArtifact(skill, false));
    entries.push(versions.length === 0 ? entry : { ...entry, [extensionField]: { ...entry[extensionField], versions } });
    const old = settings.legacy ? await builder.putLegacy(newest, entry) : null;
    if (old !== null) legacy.push(old);
  }
  const bytes = await jsonWithList({ $schema: discoverySchema }, 'skills', entries);
  const digest = await sha256Hex(bytes);
  if (settings.signIndex !== undefined) await builder.putJson(`${root}/${signatureFile(digest)}`, await settings.signIndex({ digest }));
  builder.put(`${root}/${indexFile}`, bytes, 'application/json', digest);
  if (settings.legacy) await builder.putJson(`${settings.basePath}/${legacyFolder}/${indexFile}`, await jsonWithList({}, 'skills', legacy));
  return { files, skills, diagnostics: notes, complete, packed };
}

/** A site that is being laid out. */
class SiteBuilder {
  readonly notes: SkillDiagnostic[];
  readonly files = new Map<string, SiteFile>();
  readonly packed = new Map<string, PackedSkill>();
  /** The folder of the index 0.2.0. */
  readonly root: string;
  readonly #settings: PublishSettings;
  readonly #previous: Site | null;
  readonly #pace = packingPace();
  readonly #scratch = new Scratch();

  constructor(settings: PublishSettings, previous: Site | null, diagnostics: readonly SkillDiagnostic[]) {
    this.notes = [...diagnostics];
    this.root = `${settings.basePath}/${discoveryFolder}`;
    this.#settings = settings;
    this.#previous = previous;
  }

  put(path: string, bytes: Uint8Array, mediaType: string, digest: string, skill?: string, immutable = false): void {
    this.files.set(path, { bytes, length: bytes.length, mediaType, digest, immutable, isStored: false, skill });
  }

  async putJson(path: string, bytes: Uint8Array): Promise<void> {
    this.put(path, bytes, 'application/json', await sha256Hex(bytes));
  }

  async putArtifact(skill: PublishedSkill, isNewest: boolean): Promise<DiscoveryEntry> {
    const { root } = this;
    const { compress, cards } = this.#settings;
    const { name } = skill.metadata;
    const main = skill.files.get('SKILL.md') ?? new Uint8Array(0);
    const description = shortened(skill.metadata.description);
    const rest = { name, description, [extensionField]: { metadata: levelOneToJson(skill.metadata, description) } } as const;
    const mainDigest = skill.digests.get('SKILL.md') ?? '';
    if (isNewest) this.put(`${root}/${name}/SKILL.md`, main, textType('SKILL.md'), mainDigest, name);
    if (isNewest && cards) this.#putCard(skill);
    if (skill.files.size === 1) {
      const file = `${name}.${mainDigest.slice(0, 16)}.md`;
      this.put(`${root}/${file}`, main, textType(file), mainDigest, name, true);
      return { ...rest, type: 'skill-md', url: encodeURIComponent(file), digest: `sha256:${mainDigest}` };
    }
    const archive = this.#previous?.packed.get(skill.digest) ?? (await packSkill(skill.files, compress, this.#pace, this.#scratch));
    this.packed.set(skill.digest, archive);
    const { read, length, extension, mediaType, digest } = archive;
    const file = `${name}.${digest.slice(0, 16)}.${extension}`;
    const served = { bytes: read, length, mediaType, digest, isStored: !compress, skill: name };
    if (isNewest) this.files.set(`${root}/${name}.${extension}`, { ...served, immutable: false });
    this.files.set(`${root}/${file}`, { ...served, immutable: true });
    return { ...rest, type: 'archive', url: encodeURIComponent(file), digest: `sha256:${digest}` };
  }

  /** The files by the layout 0.1.0; `null` for a skill that it cannot hold. */
  async putLegacy(
    skill: PublishedSkill,
    { description, [extensionField]: extension }: Pick<DiscoveryEntry, 'description' | typeof extensionField>,
  ): Promise<LegacyEntry | null> {
    const { name, version: own } = skill.metadata;
    const why = whyNotLegacy(skill);
    if (why !== undefined) {
      const message = `${JSON.stringify(name)} is published in the layout 0.2.0 only: ${why}.`;
      this.notes.push({ code: 'skill-not-legacy', severity: 'info', message, skill: name });
      return null;
    }
    for (const [path, bytes] of skill.files) {
      this.put(`${this.#settings.basePath}/${legacyFolder}/${name}/${path}`, bytes, textType(path), skill.digests.get(path) ?? '', name);
      await this.#pace.spend(fileCost);
    }
    // Clients of this layout fetch again when the version changes.
    const version = [own, skill.digest.slice(0, 16)].filter((part) => part !== null).join('+');
    return { name, description, version, files: [...skill.files.keys()], [extensionField]: extension };
  }

  /** Readers of cards know nothing of archives, so each file is published. */
  #putCard({ metadata: { name }, files, digests }: PublishedSkill): void {
    const card = files.get(cardFile);
    const why = card === undefined ? 'it has none' : whyNotCard(card, name);
    if (why !== undefined) {
      this.notes.push({
        code: 'card-not-published',
        severity: 'warning',
        message: `${JSON.stringify(name)} is published without its skill-card.json: ${why}.`,
        skill: name,
        fix: 'Correct the card, or remove it: then one is written.',
      });
      return;
    }
    for (const [path, bytes] of files) this.put(`${this.root}/${name}/${path}`, bytes, textType(path), digests.get(path) ?? '', name);
  }
}

/** Readers of the old layout refuse the whole index for one entry that they cannot use. */
function whyNotLegacy({ metadata: { name }, files }: PublishedSkill): string | undefined {
  if (!isDiscoveryName(name)) return 'its name has letters outside a-z';
  const path = [...files.keys()].find((candidate) => candidate.includes('..') || candidate.includes('\\'));
  return path === undefined ? undefined : `its file ${JSON.stringify(path)} has two dots in a row`;
}

/** Readers of a card find its files below `base_uri`, and refuse a `SKILL.md` of another name. */
function whyNotCard(bytes: Uint8Array, name: string): string | undefined {
  const { card } = parseSkillCard(new TextDecoder().decode(bytes));
  if (card === null) return 'it cannot be read';
  if (card.id !== name) return `its id is ${JSON.stringify(card.id)}`;
  return ['', '.', './'].includes(card.baseUri)
    ? undefined
    : `its base_uri is ${JSON.stringify(card.baseUri)}, and its files lie beside it`;
}

/** The format allows 1024 characters; the skill itself has all of them. */
function shortened(description: string): string {
  const all = description.trim();
  // Readers count UTF-16 units as often as characters, of which there are no more.
  if (all.length <= maxIndexDescription) return all;
  let short = '';
  for (const character of all) {
    if (short.length + character.length > maxIndexDescription - 1) break;
    short += character;
  }
  return `${short}…`;
}

function textType(path: string): string {
  const type = mediaTypeOf(path);
  return type.startsWith('text/') ? `${type}; charset=utf-8` : type;
}
