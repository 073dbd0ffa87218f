import { SkillError, type SkillDefinition, type SkillProvider } from '@repertoire/skills-core';
import { assertKnownOptions, deepFreeze, fixedSkillProvider, type OptionRules } from '@repertoire/skills-core/internal';
import type { SkillCallOptions, SkillListing } from '@repertoire/skills-core/provider';
import { readCard, type ReadCard, type ReadCardFile } from './read-card.ts';
import { resolveCardFile } from './resolve-card-base.ts';

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

const knownOptions: OptionRules<SkillCardProviderOptions> = {
  location: '{}',
  readFile: '()',
  within: 'string[]',
  trusted: 'boolean',
  label: 'string',
};

const maxSkillBytes = 16 * 1024 * 1024;
const maxResourceBytes = 64 * 1024 * 1024;

/**
 * Reads one skill from its `skill-card.json`. Identity, files and tools come from the card,
 * and the instructions from the SKILL.md that the card lists. Each call reads the card again.
 *
 * Calls reject with `source-unavailable` if the card or SKILL.md cannot be read, and with
 * `invalid-skill` if they are invalid.
 *
 * @example
 * ```ts
 * import { skillCardProvider } from '@repertoire/skill-cards/provider';
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
export function skillCardProvider(options: SkillCardProviderOptions): SkillProvider {
  assertKnownOptions('skillCardProvider', options, knownOptions);
  const { location, readFile, within, trusted = false, label = 'card' } = options;
  let last: { readonly read: ReadCard; readonly provider: SkillProvider } | undefined;

  /** The current card. Unchanged answers stay the same objects. */
  async function current({ signal }: SkillCallOptions = {}): Promise<SkillProvider> {
    const read = await readCard(location, { readFile, within, maxSkillBytes, signal }).catch((error: unknown) => {
      if (!SkillError.isInstance(error)) throw error;
      throw new SkillError(error.code, `The card ${location.href} cannot be used: ${error.message}`, { source: label, cause: error });
    });
    if (read === null) throw unavailable('The text', location);
    const { skillMd } = read;
    if (skillMd === null) throw unavailable('SKILL.md', new URL(resolveCardFile(read.base, 'SKILL.md')));
    if (last === undefined || !isSame(last.read.cardBytes, read.cardBytes) || !isSame(last.read.skillMd, skillMd)) {
      const kept = { ...read, cardBytes: read.cardBytes.slice(), skillMd: skillMd.slice() };
      last = { read: kept, provider: providerOf(kept, kept.skillMd) };
    }
    return last.provider;
  }

  /** Apart from where the definition comes from, it behaves like a provider of skills in code. */
  function providerOf({ base, body, card, metadata, diagnostics }: ReadCard, skillMd: Uint8Array): SkillProvider {
    const { origin: _origin, ...levelOne } = metadata;
    const paths = card.files.filter((path) => path !== 'SKILL.md');
    const resources = Object.fromEntries(paths.map((path) => [path, () => readResource(new URL(resolveCardFile(base, path)), path)]));
    const definition: SkillDefinition = { ...levelOne, body, resources, skillMd };
    const provider = fixedSkillProvider([definition], { label, trusted, kind: 'card' });
    // The skill can be used as it is, so nothing about it is worse than a warning.
    const more = diagnostics.map((diagnostic) =>
      diagnostic.severity === 'error' ? { ...diagnostic, severity: 'warning' as const } : diagnostic,
    );
    let listing: SkillListing | undefined;
    return {
      ...provider,
      async listSkills(given) {
        const { diagnostics: own, ...rest } = await provider.listSkills(given);
        return (listing ??= deepFreeze({ ...rest, diagnostics: [...own, ...more] }));
      },
      async getSkill(name, given) {
        const skill = await provider.getSkill(name, given);
        return skill === null ? null : { ...skill, diagnostics: [...skill.diagnostics, ...more] };
      },
    };
  }

  async function readResource(url: URL, path: string): Promise<Uint8Array> {
    const bytes = await readFile(url, { maxBytes: maxResourceBytes + 1 });
    if (bytes === null) throw unavailable(path, url);
    if (bytes.length > maxResourceBytes)
      throw new SkillError('limit-exceeded', `${url.href} has more than ${maxResourceBytes} bytes.`, { source: label });
    return bytes;
  }

  function unavailable(what: string, url: URL): SkillError {
    const advice = /^https?:$/.test(url.protocol)
      ? `Check the URL ${url.href}, and that the host allows it: allowedOrigins: [${JSON.stringify(url.origin)}].`
      : 'Check the path, and that the host allows it.';
    return new SkillError('source-unavailable', `${what} of the card ${location.href} cannot be read. ${advice}`, { source: label });
  }

  return {
    label,
    listSkills: async (given) => (await current(given)).listSkills(given),
    getSkill: async (name, given) => (await current(given)).getSkill(name, given),
    readResource: async (name, path, given) => (await current(given)).readResource(name, path, given),
  };
}

function isSame(one: Uint8Array | null, other: Uint8Array): boolean {
  return one?.length === other.length && one.every((byte, index) => byte === other[index]);
}
