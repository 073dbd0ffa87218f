import {
  inCodeSkillProvider,
  SkillError,
  type SkillCallOptions,
  type SkillDefinition,
  type SkillProvider,
  type SkillResourceSource,
} from '@repertoire/skills-core';
import { maxCardCharacters, metadataOfCard, parseSkillCard, resolveCardBase, resolveCardFile } from '@repertoire/skills-core/cards';
import { decodeText } from '@repertoire/skills-core/provider';
import { parseSkillMd } from '@repertoire/skills-core/skill-md';

/** Reads a file for {@link skillCardProvider}: `null` where there is none, or where it may not be read. */
export type ReadCardFile = (
  location: URL,
  options: { readonly maxBytes: number; readonly signal?: AbortSignal | undefined },
) => Promise<Uint8Array | null>;

/** Options of {@link skillCardProvider}. */
export interface SkillCardProviderOptions {
  /** Where the card is. Its files are found from there, by its `base_uri`. */
  readonly location: URL;
  /** Reads the card and the files that it lists. It decides which places may be read. */
  readonly readFile: ReadCardFile;
  /** Whether the host vouches for the card and its files. @default false */
  readonly trusted?: boolean | undefined;
  /** Names the source. @default 'card' */
  readonly label?: string | undefined;
}

const maxSkillBytes = 16 * 1024 * 1024;
const maxResourceBytes = 64 * 1024 * 1024;

/**
 * One skill by its `skill-card.json`: its identity, files and tools are those of the card, its instructions those of the SKILL.md that the card lists. Each call reads the
 * card anew.
 *
 * Calls reject with `source-unavailable` where card or SKILL.md cannot be read, and with `invalid-skill` where they are wrong.
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
export function skillCardProvider({ location, readFile, trusted = false, label = 'card' }: SkillCardProviderOptions): SkillProvider {
  const unavailable = (what: string): SkillError =>
    new SkillError(
      'source-unavailable',
      `${what} of the card ${location.href} cannot be read. Check the path, and that the host allows it.`,
      { source: label },
    );

  async function readText(url: URL, maxBytes: number, what: string, signal: AbortSignal | undefined): Promise<string> {
    const bytes = await readFile(url, { maxBytes: maxBytes + 1, signal });
    signal?.throwIfAborted();
    if (bytes === null) throw unavailable(what);
    if (bytes.length > maxBytes) throw new SkillError('limit-exceeded', `${url.href} has more than ${maxBytes} bytes.`, { source: label });
    const text = decodeText(bytes);
    if (text === null) throw new SkillError('invalid-skill', `${url.href} is not text in UTF-8.`, { source: label });
    return text;
  }

  async function definitionOf(signal: AbortSignal | undefined): Promise<SkillDefinition> {
    const { card, diagnostics } = parseSkillCard(await readText(location, maxCardCharacters, 'The text', signal), { url: location.href });
    if (card === null) {
      const why = diagnostics.map(({ message }) => message).join(' ');
      throw new SkillError('invalid-skill', `The card ${location.href} is wrong: ${why}`, { source: label });
    }
    const base = resolveCardBase(card, location.href);
    const main = await readText(new URL(resolveCardFile(base, 'SKILL.md')), maxSkillBytes, 'SKILL.md', signal);
    // The card says who the skill is, so it may lack a frontmatter.
    const { metadata, body } = parseSkillMd(main);
    const resources: Record<string, SkillResourceSource> = Object.create(null) as Record<string, SkillResourceSource>;
    for (const path of card.files) {
      if (path === 'SKILL.md') continue;
      resources[path] = async () => {
        const url = new URL(resolveCardFile(base, path));
        const bytes = await readFile(url, { maxBytes: maxResourceBytes + 1, signal });
        if (bytes === null) throw unavailable(path);
        if (bytes.length > maxResourceBytes)
          throw new SkillError('limit-exceeded', `${url.href} has more than ${maxResourceBytes} bytes.`, { source: label });
        return bytes;
      };
    }
    const { origin: _origin, ...written } = metadata ?? metadataOfCard(card);
    const tools = [...new Set([...(written.tools ?? []), ...(metadataOfCard(card).tools ?? [])])];
    return { ...written, ...metadataOfCard(card), ...(tools.length > 0 && { tools }), body: body ?? '', resources };
  }

  // The rules of a provider are those of skills in code; only where the definition comes from is special.
  async function provider(options: SkillCallOptions = {}): Promise<SkillProvider> {
    options.signal?.throwIfAborted();
    return inCodeSkillProvider([await definitionOf(options.signal)], { label, trusted, kind: 'card' });
  }

  return {
    label,
    listSkills: async (options) => (await provider(options)).listSkills(options),
    getSkill: async (name, options) => (await provider(options)).getSkill(name, options),
    readResource: async (name, path, options) => (await provider(options)).readResource(name, path, options),
  };
}
