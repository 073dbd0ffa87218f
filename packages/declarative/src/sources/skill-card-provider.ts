import {
  metadataOfCard,
  parseSkillCard,
  resolveCardBase,
  resolveCardFile,
  type SkillCard,
  type SkillCardBase,
} from '@repertoire/skill-cards';
import { frontmatterExtensionUri, maxCardCharacters } from '@repertoire/skill-cards/internal';
import { SkillError, type SkillDefinition, type SkillDiagnostic, type SkillMetadata, type SkillProvider } from '@repertoire/skills-core';
import { deepFreeze, fixedSkillProvider } from '@repertoire/skills-core/internal';
import { type SkillCallOptions, type SkillListing, decodeText } from '@repertoire/skills-core/provider';
import { parseSkillMd } from '@repertoire/skills-core/skill-md';

/** Reads a file; `null` if it does not exist or may not be read. */
export type ReadCardFile = (
  location: URL,
  options: { readonly maxBytes: number; readonly signal?: AbortSignal | undefined },
) => Promise<Uint8Array | null>;

/** Options of {@link skillCardProvider}. */
export interface SkillCardProviderOptions {
  /** URL of the card. Its files are found from there, by its `base_uri`. */
  readonly location: URL;
  /** Reads the card and the files that it lists, and decides which locations may be read. */
  readonly readFile: ReadCardFile;
  /** Folders, as URLs, that `base_uri` may lead to. @default the folder of the card */
  readonly within?: readonly string[] | undefined;
  /** Whether the host trusts the card and its files. @default false */
  readonly trusted?: boolean | undefined;
  /** Names the source. @default 'card' */
  readonly label?: string | undefined;
}

const maxSkillBytes = 16 * 1024 * 1024;
const maxResourceBytes = 64 * 1024 * 1024;

/**
 * A source of one skill, from its `skill-card.json`. Identity, files and tools come from the card,
 * and the instructions from the SKILL.md that the card lists. Each call reads the card again.
 *
 * Calls reject with `source-unavailable` if the card or SKILL.md cannot be read, and with
 * `invalid-skill` if they are invalid.
 *
 * @example
 * ```ts
 * import { skillCardProvider } from '@repertoire/declarative';
 *
 * const files = new Map([
 *   ['skill-card.json', '{"id":"haiku","version":"1.0.0","name":"Haiku","description":"Writes haiku.","base_uri":".","files":["SKILL.md"]}'],
 *   ['SKILL.md', '---\nname: haiku\ndescription: Writes haiku.\n---\nFive, seven, five.'],
 * ]);
 *
 * export const provider = skillCardProvider({
 *   location: new URL('app:///haiku/skill-card.json'),
 *   readFile: async ({ pathname }) => {
 *     const text = files.get(pathname.split('/').at(-1) ?? '');
 *     return text === undefined ? null : new TextEncoder().encode(text);
 *   },
 * });
 * ```
 */
export function skillCardProvider({
  location,
  readFile,
  within,
  trusted = false,
  label = 'card',
}: SkillCardProviderOptions): SkillProvider {
  const source: CardSource = { location, readFile, within, trusted, label };
  let last: { readonly card: Uint8Array; readonly skillMd: Uint8Array; readonly provider: SkillProvider } | undefined;

  /** The current card. Unchanged answers stay the same objects. */
  async function current({ signal }: SkillCallOptions = {}): Promise<SkillProvider> {
    signal?.throwIfAborted();
    const bytes = await readBytes(source, location, maxCardCharacters, 'The text', signal);
    const { card, diagnostics } = readCard(source, textOf(source, bytes, location));
    const base = resolveCardBase(card, location.href, { within });
    const skillMd = await readBytes(source, new URL(resolveCardFile(base, 'SKILL.md')), maxSkillBytes, 'SKILL.md', signal);
    if (last === undefined || !isSame(last.card, bytes) || !isSame(last.skillMd, skillMd)) {
      const kept = { card: bytes.slice(), skillMd: skillMd.slice() };
      last = { ...kept, provider: cardProvider(source, card, base, kept.skillMd, diagnostics) };
    }
    return last.provider;
  }

  return {
    label,
    listSkills: async (options) => (await current(options)).listSkills(options),
    getSkill: async (name, options) => (await current(options)).getSkill(name, options),
    readResource: async (name, path, options) => (await current(options)).readResource(name, path, options),
  };
}

type CardSource = SkillCardProviderOptions & { readonly trusted: boolean; readonly label: string };

async function readBytes(
  source: CardSource,
  url: URL,
  maxBytes: number,
  what: string,
  signal: AbortSignal | undefined,
): Promise<Uint8Array> {
  const bytes = await source.readFile(url, { maxBytes: maxBytes + 1, signal });
  signal?.throwIfAborted();
  if (bytes === null) throw unavailable(source, what, url);
  if (bytes.length > maxBytes)
    throw new SkillError('limit-exceeded', `${url.href} has more than ${maxBytes} bytes.`, { source: source.label });
  return bytes;
}

function unavailable({ location, label }: CardSource, what: string, url: URL): SkillError {
  const isRemote = /^https?:$/.test(url.protocol);
  const advice = isRemote
    ? `Check the URL ${url.href}, and that the host allows it: allowedOrigins: [${JSON.stringify(url.origin)}].`
    : 'Check the path, and that the host allows it.';
  return new SkillError('source-unavailable', `${what} of the card ${location.href} cannot be read. ${advice}`, { source: label });
}

function textOf({ label }: CardSource, bytes: Uint8Array, url: URL): string {
  const text = decodeText(bytes);
  if (text === null) throw new SkillError('invalid-skill', `${url.href} is not text in UTF-8.`, { source: label });
  return text;
}

function readCard(
  { location, label }: CardSource,
  text: string,
): { readonly card: SkillCard; readonly diagnostics: readonly SkillDiagnostic[] } {
  const { card, diagnostics } = parseSkillCard(text, { url: location.href });
  if (card === null) {
    const why = diagnostics.map(({ message }) => message).join(' ');
    throw new SkillError('invalid-skill', `The card ${location.href} is wrong: ${why}`, { source: label });
  }
  const strange = card.extensions.find(({ uri, required }) => required && uri !== frontmatterExtensionUri);
  if (strange !== undefined) {
    const message = `The card ${location.href} requires the extension ${JSON.stringify(strange.uri)}, which is not known here. Use the skill where it is known.`;
    throw new SkillError('invalid-skill', message, { source: label });
  }
  return { card, diagnostics };
}

/** Apart from where the definition comes from, it behaves like a provider of skills in code. */
function cardProvider(
  source: CardSource,
  card: SkillCard,
  base: SkillCardBase,
  skillMd: Uint8Array,
  found: readonly SkillDiagnostic[],
): SkillProvider {
  // The card identifies the skill, so SKILL.md may have another name or no frontmatter.
  const parsed = parseSkillMd(textOf(source, skillMd, new URL(resolveCardFile(base, 'SKILL.md'))));
  const said = parsed.diagnostics.filter(({ code }) => !/^(?:name|description|frontmatter-missing)/.test(code));
  const more = [...found, ...said].map((diagnostic) => ({
    ...diagnostic,
    skill: card.id,
    severity: diagnostic.severity === 'error' ? ('warning' as const) : diagnostic.severity,
  }));
  const { trusted, label } = source;
  const definition = { ...fieldsOf(card, parsed.metadata), body: parsed.body ?? '', resources: resourcesOf(source, card, base), skillMd };
  const provider = fixedSkillProvider([definition], { label, trusted, kind: 'card' });
  let listing: SkillListing | undefined;
  return {
    ...provider,
    async listSkills(options) {
      const { diagnostics, ...rest } = await provider.listSkills(options);
      return (listing ??= deepFreeze({ ...rest, diagnostics: [...diagnostics, ...more] }));
    },
    async getSkill(name, options) {
      const skill = await provider.getSkill(name, options);
      return skill === null ? null : { ...skill, diagnostics: [...skill.diagnostics, ...more] };
    },
  };
}

function fieldsOf(card: SkillCard, metadata: Partial<SkillMetadata> | null): Omit<SkillDefinition, 'body'> {
  const { origin: _origin, ...fields }: Partial<SkillMetadata> = metadata ?? {};
  const own = metadataOfCard(card);
  const tools = [...new Set([...(fields.tools ?? []), ...(own.tools ?? [])])];
  return { ...fields, ...own, ...(tools.length > 0 && { tools }) };
}

function resourcesOf(source: CardSource, card: SkillCard, base: SkillCardBase): NonNullable<SkillDefinition['resources']> {
  const paths = card.files.filter((path) => path !== 'SKILL.md');
  return Object.fromEntries(
    paths.map((path) => {
      const url = new URL(resolveCardFile(base, path));
      return [path, async () => readBytes(source, url, maxResourceBytes, path, undefined)];
    }),
  );
}

function isSame(one: Uint8Array, other: Uint8Array): boolean {
  return one.length === other.length && one.every((byte, index) => byte === other[index]);
}
