import type { Skill, SkillDiagnostic, SkillMetadata, SkillProvider } from '@repertoire/skills-core';
import { compareVersionsNewestFirst, deepFreeze } from '@repertoire/skills-core/internal';
import {
  forEachBounded,
  wrapProvider,
  type GetSkillOptions,
  type ReadResourceOptions,
  type SkillCallOptions,
  type SkillListing,
} from '@repertoire/skills-core/provider';
import { metadataOfCard, metadataWithCard } from './card-metadata.ts';
import { maxCardCharacters, parseSkillCard } from './parse-skill-card.ts';
import { unknownExtension } from './read-card.ts';

const cardPath = 'skill-card.json';
const concurrency = 16;

/**
 * Reads the card beside each `SKILL.md` of a source: folders, storage, anything that lists a
 * `skill-card.json` among a skill's files. Where both say something, the card wins: its `id` is the
 * name of the skill, its `version` the version, its `name` the title for people. Its servers and
 * local tools come with the skill, as far as the host trusts the source. What only the `SKILL.md`
 * says stays. Each listing reads one small file of each skill.
 *
 * The card is one of the skill's files, so locks and signatures that wrap the source cover it: put
 * this around them. `base_uri` and `files` are not followed, and the bytes of `SKILL.md` stay its
 * author's. If a card cannot be read, only the card is ignored, not the skill; a diagnostic says
 * so. A skill whose card requires an extension that is not known here is not listed.
 *
 * @example
 * ```ts
 * import { withSkillCards } from '@repertoire/skill-cards';
 * import type { SkillProvider } from '@repertoire/skills-core';
 *
 * export const carded = (folders: SkillProvider) => withSkillCards(folders);
 * ```
 */
export function withSkillCards(provider: SkillProvider): SkillProvider {
  let last: Carded | undefined;

  const carded = async (options: SkillCallOptions): Promise<Carded> => {
    const listing = await provider.listSkills(options);
    const cards = await readCards(provider, listing, options.signal);
    const key = JSON.stringify(cards);
    if (last?.of !== listing || last.key !== key) last = { of: listing, key, ...merge(listing, cards) };
    return last;
  };

  const find = async (name: string, options: GetSkillOptions): Promise<CardedSkill | undefined> => {
    const { skills } = await carded(options);
    const versions = skills.filter(({ metadata }) => metadata.name === name);
    return options.version === undefined ? versions[0] : versions.find(({ metadata }) => metadata.version === options.version);
  };

  return wrapProvider(provider, {
    async listSkills(options = {}) {
      return (await carded(options)).listing;
    },

    async getSkill(name, options = {}): Promise<Skill | null> {
      const found = await find(name, options);
      if (found === undefined) return null;
      const skill = await provider.getSkill(found.inner.name, { ...options, version: found.inner.version });
      if (skill === null) return null;
      return deepFreeze({
        ...structuredClone(placed(metadataWithCard(skill, found.card), skill)),
        diagnostics: [...skill.diagnostics, ...found.diagnostics],
      });
    },

    async readResource(name, path, options: ReadResourceOptions = {}) {
      const found = await find(name, options);
      if (found === undefined) return null;
      return await provider.readResource(found.inner.name, path, { ...options, version: found.inner.version });
    },

    // A card changes level 1, and neither body nor files.
    ...(provider.contentOf !== undefined && {
      async contentOf(name: string, options: GetSkillOptions = {}) {
        const found = await find(name, options);
        return found && (await provider.contentOf?.(found.inner.name, { ...options, version: found.inner.version }));
      },
    }),
  });
}

interface ReadCard {
  readonly card: SkillMetadata | null;
  readonly diagnostics: readonly SkillDiagnostic[];
  /** Whether the card requires what is not known here, so that its skill is not listed. */
  readonly isLeftOut?: boolean | undefined;
}

interface CardedSkill extends ReadCard {
  /** As the source lists it. */
  readonly inner: SkillMetadata;
  /** As it is listed here. */
  readonly metadata: SkillMetadata;
}

interface Carded {
  readonly of: SkillListing;
  readonly key: string;
  readonly listing: SkillListing;
  /** Newest first. */
  readonly skills: readonly CardedSkill[];
}

const without: ReadCard = { card: null, diagnostics: [] };

async function readCards(provider: SkillProvider, { skills }: SkillListing, signal: AbortSignal | undefined): Promise<readonly ReadCard[]> {
  const cards: ReadCard[] = skills.map(() => without);
  await forEachBounded(
    skills.map((skill, index) => ({ skill, index })),
    concurrency,
    async ({ skill, index }) => {
      cards[index] = await readCard(provider, skill, signal);
    },
    signal ?? new AbortController().signal,
  );
  return cards;
}

async function readCard(provider: SkillProvider, { name, version }: SkillMetadata, signal: AbortSignal | undefined): Promise<ReadCard> {
  const file = await provider.readResource(name, cardPath, { version, maxBytes: maxCardCharacters + 1, signal });
  if (file === null) return without;
  const { card, diagnostics } = parseSkillCard(new TextDecoder().decode(file.bytes), { url: `${name}/${cardPath}` });
  // The skill stands without its card, so nothing about the card is worse than a warning.
  const milder = diagnostics.map((diagnostic) => ({
    ...diagnostic,
    skill: name,
    severity: diagnostic.severity === 'error' ? ('warning' as const) : diagnostic.severity,
  }));
  const unknown = card === null ? undefined : unknownExtension(card);
  if (unknown !== undefined) return { card: null, diagnostics: [...milder, leftOut(name, unknown)], isLeftOut: true };
  return { card: card === null ? null : metadataOfCard(card), diagnostics: milder };
}

function merge(listing: SkillListing, cards: readonly ReadCard[]): Pick<Carded, 'listing' | 'skills'> {
  const seen = new Set<string>();
  const doubles: SkillDiagnostic[] = [];
  const skills: CardedSkill[] = [];
  for (const [index, inner] of listing.skills.entries()) {
    const read = cards[index] ?? without;
    if (read.isLeftOut === true) continue;
    const metadata = placed(metadataWithCard(inner, read.card), inner);
    const key = JSON.stringify([metadata.name, metadata.version]);
    if (seen.has(key)) doubles.push(doubleOf(metadata, inner));
    else skills.push({ ...read, inner, metadata });
    seen.add(key);
  }
  skills.sort((a, b) => compareVersionsNewestFirst(a.metadata.version, b.metadata.version));
  // The id of a card is the name, so that of its SKILL.md is for people and may be any text.
  const left = listing.diagnostics.filter(
    ({ code, skill }) =>
      code !== 'card-not-read' && !(code.startsWith('name-') && skills.some(({ card, inner }) => card && inner.name === skill)),
  );
  const diagnostics = [...left, ...cards.flatMap((card) => card.diagnostics), ...doubles];
  return {
    skills,
    listing: deepFreeze(structuredClone({ skills: skills.map(({ metadata }) => metadata), diagnostics, complete: listing.complete })),
  };
}

/** A skill renamed by its card keeps its place. */
function placed<Metadata extends SkillMetadata>(metadata: Metadata, { name, origin }: SkillMetadata): Metadata {
  if (metadata.name === name || origin === undefined || origin.place !== undefined) return metadata;
  return { ...metadata, origin: { ...origin, place: name } };
}

function leftOut(skill: string, extension: string): SkillDiagnostic {
  return {
    code: 'card-extension',
    severity: 'error',
    message: `The card of skill ${JSON.stringify(skill)} requires the extension ${JSON.stringify(extension)}, which is not known here. The skill is not listed.`,
    skill,
    path: `${skill}/${cardPath}`,
    fix: 'Use the skill where the extension is known.',
  };
}

function doubleOf({ name, version }: SkillMetadata, inner: SkillMetadata): SkillDiagnostic {
  return {
    code: 'skill-duplicate',
    severity: 'warning',
    message: `The card of skill ${JSON.stringify(inner.name)} gives it the name ${JSON.stringify(name)}${version === null ? '' : ` and the version ${JSON.stringify(version)}`}, which another skill has. It is not listed.`,
    skill: inner.name,
    path: `${inner.name}/${cardPath}`,
    fix: 'Give each card an id of its own.',
  };
}
