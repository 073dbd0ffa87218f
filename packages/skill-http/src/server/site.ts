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
import type { PublishedSkill, PublishedSkills } from './read-skills.ts';
import { fileCost, packingPace } from './packing-pace.ts';

/** Something that is served. */
export interface SiteFile {
  readonly bytes: Uint8Array;
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

/** Everything that is published at one time: what the indexes say is what the other paths serve. */
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
  const notes = [...diagnostics];
  const files = new Map<string, SiteFile>();
  const packed = new Map<string, PackedSkill>();
  const root = `${settings.basePath}/${discoveryFolder}`;
  const pace = packingPace();
  const put = (path: string, bytes: Uint8Array, mediaType: string, digest: string, skill?: string, immutable = false): void => {
    files.set(path, { bytes, mediaType, digest, immutable, isStored: false, skill });
  };
  const putJson = async (path: string, bytes: Uint8Array): Promise<void> => put(path, bytes, 'application/json', await sha256Hex(bytes));

  /** Readers of cards know nothing of archives, so each file is published. */
  const putCard = ({ metadata: { name }, files: all, digests }: PublishedSkill): void => {
    const card = all.get(cardFile);
    const why = card === undefined ? 'it has none' : whyNotCard(card, name);
    if (why !== undefined) {
      notes.push({
        code: 'card-not-published',
        severity: 'warning',
        message: `${JSON.stringify(name)} is published without its skill-card.json: ${why}.`,
        skill: name,
        fix: 'Correct the card, or remove it: then one is written.',
      });
      return;
    }
    for (const [path, bytes] of all) put(`${root}/${name}/${path}`, bytes, textType(path), digests.get(path) ?? '', name);
  };

  const artifact = async (skill: PublishedSkill, isNewest: boolean): Promise<DiscoveryEntry> => {
    const { name } = skill.metadata;
    const main = skill.files.get('SKILL.md') ?? new Uint8Array(0);
    const description = shortened(skill.metadata.description);
    const rest = { name, description, [extensionField]: { metadata: levelOneToJson(skill.metadata, description) } } as const;
    const mainDigest = skill.digests.get('SKILL.md') ?? '';
    if (isNewest) put(`${root}/${name}/SKILL.md`, main, textType('SKILL.md'), mainDigest, name);
    if (isNewest && settings.cards) putCard(skill);
    if (skill.files.size === 1) {
      const file = `${name}.${mainDigest.slice(0, 16)}.md`;
      put(`${root}/${file}`, main, textType(file), mainDigest, name, true);
      return { ...rest, type: 'skill-md', url: encodeURIComponent(file), digest: `sha256:${mainDigest}` };
    }
    const archive = previous?.packed.get(skill.digest) ?? (await packSkill(skill.files, settings.compress, pace));
    packed.set(skill.digest, archive);
    const { bytes, extension, mediaType, digest } = archive;
    const file = `${name}.${digest.slice(0, 16)}.${extension}`;
    const served = { bytes, mediaType, digest, isStored: !settings.compress, skill: name };
    if (isNewest) files.set(`${root}/${name}.${extension}`, { ...served, immutable: false });
    files.set(`${root}/${file}`, { ...served, immutable: true });
    return { ...rest, type: 'archive', url: encodeURIComponent(file), digest: `sha256:${digest}` };
  };

  const entries: DiscoveryEntry[] = [];
  const legacy: LegacyEntry[] = [];
  for (const [newest, ...older] of byName(skills)) {
    if (newest === undefined) continue;
    const entry = await artifact(newest, true);
    const versions: DiscoveryEntry[] = [];
    for (const skill of older) versions.push(await artifact(skill, false));
    entries.push(versions.length === 0 ? entry : { ...entry, [extensionField]: { ...entry[extensionField], versions } });

    const { name } = newest.metadata;
    if (!settings.legacy) continue;
    const why = whyNotLegacy(newest);
    if (why !== undefined) {
      notes.push({
        code: 'skill-not-legacy',
        severity: 'info',
        message: `${JSON.stringify(name)} is published in the layout 0.2.0 only: ${why}.`,
        skill: name,
      });
      continue;
    }
    for (const [path, bytes] of newest.files) {
      put(`${settings.basePath}/${legacyFolder}/${name}/${path}`, bytes, textType(path), newest.digests.get(path) ?? '', name);
      await pace.spend(fileCost);
    }
    // Clients of this layout fetch again when the version changes.
    const version = [newest.metadata.version, newest.digest.slice(0, 16)].filter((part) => part !== null).join('+');
    const { description, [extensionField]: extension } = entry;
    legacy.push({ name, description, version, files: [...newest.files.keys()], [extensionField]: extension });
  }
  const bytes = await jsonWithList({ $schema: discoverySchema }, 'skills', entries);
  const digest = await sha256Hex(bytes);
  if (settings.signIndex !== undefined) await putJson(`${root}/${signatureFile(digest)}`, await settings.signIndex({ digest }));
  put(`${root}/${indexFile}`, bytes, 'application/json', digest);
  if (settings.legacy) await putJson(`${settings.basePath}/${legacyFolder}/${indexFile}`, await jsonWithList({}, 'skills', legacy));
  return { files, skills, diagnostics: notes, complete, packed };
}

/** Versions of one name together, newest first. */
function byName(skills: readonly PublishedSkill[]): Iterable<readonly PublishedSkill[]> {
  const groups = new Map<string, PublishedSkill[]>();
  for (const skill of skills) {
    const versions = groups.get(skill.metadata.name);
    if (versions === undefined) groups.set(skill.metadata.name, [skill]);
    else versions.push(skill);
  }
  return groups.values();
}

/** Readers of the old layout refuse the whole index for one entry that they do not like. */
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
