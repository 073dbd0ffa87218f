import { SkillError, type SkillDiagnostic, type SkillMetadata } from '@repertoire/skills-core';
import { parsePlainSkillMd } from '@repertoire/skills-core/internal';
import { decodeText } from '@repertoire/skills-core/provider';
import type { ParsedSkillMd, ParseSkillMdOptions } from '@repertoire/skills-core/skill-md';
import { frontmatterExtensionUri, metadataOfCard, metadataWithCard } from './card-metadata.ts';
import { maxCardCharacters, parseSkillCard } from './parse-skill-card.ts';
import { resolveCardBase, resolveCardFile, type ResolveCardBaseOptions, type SkillCardBase } from './resolve-card-base.ts';
import type { SkillCard } from './skill-card.ts';

/** Reads a file; `null` if it does not exist or may not be read. */
export type ReadCardFile = (
  location: URL,
  options: { readonly maxBytes: number; readonly signal?: AbortSignal | undefined },
) => Promise<Uint8Array | null>;

/** Where the files of a card are, and level 1 of its skill as far as the card says it. */
export interface OpenedCard {
  readonly base: SkillCardBase;
  readonly metadata: SkillMetadata;
  /** Whether the card carries all of level 1, also what its format has no place for. */
  readonly isComplete: boolean;
}

/** A card, and the `SKILL.md` that it leads to. */
export interface ReadCard extends OpenedCard {
  readonly card: SkillCard;
  readonly cardBytes: Uint8Array;
  /** `null` if no `SKILL.md` lies in the base. */
  readonly skillMd: Uint8Array | null;
  readonly body: string;
  readonly diagnostics: readonly SkillDiagnostic[];
}

/** Options of {@link readCard}. */
export interface ReadCardOptions extends ResolveCardBaseOptions {
  readonly readFile: ReadCardFile;
  readonly maxSkillBytes: number;
  /** How `SKILL.md` is parsed. */
  readonly parser?: ParseSkillMdOptions | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** Returns the first extension that a reader has to know and that is not known here. */
export function unknownExtension(card: SkillCard, known: readonly string[] = []): string | undefined {
  return card.extensions.find(({ uri, required }) => required && uri !== frontmatterExtensionUri && !known.includes(uri))?.uri;
}

/**
 * Decides whether a card may be used, and where its files are.
 *
 * @throws {SkillError} `invalid-skill` for a required extension that is not known; `invalid-path`
 *   for a base that leads out
 */
export function openCard(card: SkillCard, url: string, { within }: ResolveCardBaseOptions = {}): OpenedCard {
  const unknown = unknownExtension(card);
  if (unknown !== undefined)
    throw new SkillError(
      'invalid-skill',
      `it requires the extension ${JSON.stringify(unknown)}, which is not known here. Use the skill where it is known.`,
    );
  const isComplete = card.extensions.some(({ uri }) => uri === frontmatterExtensionUri);
  return { base: resolveCardBase(card, url, { within }), metadata: metadataOfCard(card), isComplete };
}

/**
 * Reads a card and the `SKILL.md` that it leads to. `null` if there is no card.
 *
 * @throws {SkillError} what `openCard` throws, and `invalid-skill` for a card or a `SKILL.md` that
 *   cannot be used; `limit-exceeded` for one that is too long
 */
export async function readCard(location: URL, options: ReadCardOptions): Promise<ReadCard | null> {
  const read = async (url: URL, maxBytes: number): Promise<Uint8Array | null> => {
    const bytes = await options.readFile(url, { maxBytes: maxBytes + 1, signal: options.signal });
    options.signal?.throwIfAborted();
    if (bytes !== null && bytes.length > maxBytes) throw new SkillError('limit-exceeded', `${url.href} has more than ${maxBytes} bytes.`);
    return bytes;
  };
  options.signal?.throwIfAborted();
  const cardBytes = await read(location, maxCardCharacters);
  if (cardBytes === null) return null;
  const { card, diagnostics } = parseSkillCard(decodeText(cardBytes) ?? '', { url: location.href });
  if (card === null) throw new SkillError('invalid-skill', firstError(diagnostics));
  const opened = openCard(card, location.href, options);
  const place = new URL(resolveCardFile(opened.base, 'SKILL.md'));
  const skillMd = await read(place, options.maxSkillBytes);
  const parsed = skillMd === null ? null : await parseSkillMd(skillMd, { directoryName: card.id, ...options.parser });
  return {
    ...opened,
    metadata: parsed?.metadata ? metadataWithCard(parsed.metadata, opened.metadata) : opened.metadata,
    card,
    cardBytes,
    skillMd,
    body: parsed?.body ?? '',
    diagnostics: [...diagnostics, ...(parsed?.diagnostics ?? [])].map((diagnostic) => ({ ...diagnostic, skill: card.id })),
  };
}

async function parseSkillMd(bytes: Uint8Array, options: ParseSkillMdOptions): Promise<ParsedSkillMd> {
  // Few frontmatters need the parser of YAML, which takes long to load.
  const parsed = parsePlainSkillMd(bytes, options) ?? (await import('@repertoire/skills-core/skill-md')).parseSkillMd(bytes, options);
  const { metadata, diagnostics } = parsed;
  // The card identifies the skill, so SKILL.md need not. One whose frontmatter cannot be read is
  // refused: it may say what a card cannot, that no model may start the skill.
  if (metadata === null && !diagnostics.some(({ code }) => code === 'frontmatter-missing'))
    throw new SkillError('invalid-skill', `its SKILL.md cannot be used: ${firstError(diagnostics)}`);
  return { ...parsed, diagnostics: diagnostics.filter(({ code }) => !/^(?:name-|description-|frontmatter-missing)/.test(code)) };
}

function firstError(diagnostics: readonly SkillDiagnostic[]): string {
  return diagnostics.find(({ severity }) => severity === 'error')?.message ?? 'it cannot be read';
}
