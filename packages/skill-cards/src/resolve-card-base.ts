import { assertKnownOptions, isInsideUrl, type OptionRules } from '@repertoire/skills-core/internal';
import { SkillError } from '@repertoire/skills-core';
import { isResourcePath } from '@repertoire/skills-core/provider';
import type { SkillCard } from './skill-card.ts';

/** The folder that the files of a card lie in. */
export interface SkillCardBase {
  /** Whether `base_uri` is relative to the card, an absolute path, or a URL. */
  readonly kind: 'relative' | 'local' | 'remote';
  /** URL of the folder; ends with `/`. */
  readonly url: string;
  /** Whether it has the card's origin. Others need the host's permission. */
  readonly sameOrigin: boolean;
}

/** Options of {@link resolveCardBase}. */
export interface ResolveCardBaseOptions {
  /** Folders, as URLs, that the base may lie in. @default the folder of the card */
  readonly within?: readonly string[] | undefined;
}

const knownOptions: OptionRules<ResolveCardBaseOptions> = {
  within: 'string[]',
};

/**
 * Resolves where the files of a card are. `base_uri` has three senses:
 *
 * | written | sense | allowed |
 * |---|---|---|
 * | `https://…`, `http://…` | remote | always; look at `sameOrigin` |
 * | `/srv/skills/weather`, `C:\skills`, `file:///…` | local | for cards with a `file:` URL, inside `within` |
 * | anything else: `.`, `./weather` | relative to the card | inside `within` |
 *
 * @throws {SkillError} `invalid-path` for a base that leaves `within`, hides its path behind
 *   escapes, carries credentials, or has another scheme; `invalid-options` where `cardUrl` is no
 *   absolute URL
 * @example
 * ```ts
 * import { resolveCardBase, resolveCardFile } from '@repertoire/skill-cards';
 *
 * const base = resolveCardBase({ baseUri: '.' }, 'https://skills.example.com/weather/skill-card.json');
 * resolveCardFile(base, 'references/api.md'); // 'https://skills.example.com/weather/references/api.md'
 * ```
 */
export function resolveCardBase(
  { baseUri }: Pick<SkillCard, 'baseUri'>,
  cardUrl: string,
  options: ResolveCardBaseOptions = {},
): SkillCardBase {
  assertKnownOptions('resolveCardBase', options, knownOptions);
  if (!URL.canParse(cardUrl))
    throw new SkillError(
      'invalid-options',
      `The card's URL ${JSON.stringify(cardUrl)} is not absolute. Give one such as file:///srv/skills/weather/skill-card.json.`,
    );
  const card = new URL(cardUrl);
  const written = baseUri.trim();
  // URL parsers drop or reinterpret these, so another path would be checked.
  if (/[\u0000-\u001F\u007F]/.test(written) || /%(?:2e|2f|5c|00)/i.test(written)) throw refused(baseUri, 'it hides a part of the path');

  if (/^https?:\/\//i.test(written)) return remoteBase(written, card, baseUri);
  const local = localUrl(written, baseUri);
  if (local !== undefined && card.protocol !== 'file:')
    throw refused(baseUri, 'it is a path of a machine, and the card comes from elsewhere');
  const url = local ?? relativeUrl(written, card, baseUri);
  const folders = options.within ?? [new URL('.', card).href];
  if (!folders.some((folder) => isInside(url, folder))) throw refused(baseUri, `it leaves ${folders.join(', ')}`);
  return { kind: local === undefined ? 'relative' : 'local', url: url.href, sameOrigin: sameOrigin(url, card) };
}

/**
 * Returns the URL of one file of a card.
 *
 * @throws {SkillError} `invalid-path` for a path that is not inside the skill
 * @example
 * ```ts
 * import { resolveCardFile } from '@repertoire/skill-cards';
 *
 * const base = { url: 'https://skills.example.com/weather/' };
 * resolveCardFile(base, 'assets/rain map.png'); // 'https://skills.example.com/weather/assets/rain%20map.png'
 * ```
 */
export function resolveCardFile(base: Pick<SkillCardBase, 'url'>, path: string): string {
  if (!isResourcePath(path) || !path.isWellFormed()) {
    throw new SkillError('invalid-path', `Path ${JSON.stringify(path)} is not inside the skill. Give one such as "references/guide.md".`, {
      path,
    });
  }
  return new URL(path.split('/').map(encodeURIComponent).join('/'), base.url).href;
}

function remoteBase(written: string, card: URL, baseUri: string): SkillCardBase {
  if (!URL.canParse(written) || !URL.canParse(asFolder(written))) throw refused(baseUri, 'it is no valid URL');
  const url = new URL(asFolder(written));
  if (url.username !== '' || url.password !== '') throw refused(baseUri, 'it carries credentials');
  if (url.search !== '' || url.hash !== '') throw refused(baseUri, 'it has a query or a fragment, and files are found below a folder');
  return { kind: 'remote', url: url.href, sameOrigin: sameOrigin(url, card) };
}

function localUrl(written: string, baseUri: string): URL | undefined {
  if (/^file:/i.test(written)) {
    if (!URL.canParse(asFolder(written))) throw refused(baseUri, 'it is no valid URL');
    const url = new URL(asFolder(written));
    if (url.search !== '' || url.hash !== '') throw refused(baseUri, 'it has a query or a fragment, and files are found below a folder');
    if (url.host !== '') throw refused(baseUri, 'it is on another machine');
    return url;
  }
  const drive = /^[a-zA-Z]:[\\/]/.test(written);
  if (!drive && !(written.startsWith('/') && !written.startsWith('//'))) return undefined;
  const path = drive ? `/${written.replaceAll('\\', '/')}` : written;
  // A path is no URL: `%`, `#` and `?` are characters of names.
  return new URL(
    `file://${asFolder(
      path
        .split('/')
        .map((segment, index) => (drive && index === 1 ? segment : encodeURIComponent(segment)))
        .join('/'),
    )}`,
  );
}

function relativeUrl(written: string, card: URL, baseUri: string): URL {
  if (/^[a-zA-Z][\w+.-]*:/.test(written)) throw refused(baseUri, 'its scheme is none of http, https and file');
  if (/[\\?#]/.test(written)) throw refused(baseUri, 'it has a backslash, a query or a fragment');
  const reference = asFolder(written === '' ? '.' : written);
  if (reference.startsWith('//') || !URL.canParse(reference, card)) throw refused(baseUri, 'it names another machine');
  return new URL(reference, card);
}

function asFolder(path: string): string {
  return path.endsWith('/') ? path : `${path}/`;
}

function isInside(url: URL, folder: string): boolean {
  if (!URL.canParse(folder)) return false;
  return isInsideUrl(url, new URL(asFolder(folder)));
}

/** The origin of every `file:` URL is opaque, though they are all this machine's. */
function sameOrigin(a: URL, b: URL): boolean {
  return a.protocol === b.protocol && a.host === b.host;
}

function refused(baseUri: string, reason: string): SkillError {
  return new SkillError(
    'invalid-path',
    `The card's base_uri ${JSON.stringify(baseUri)} cannot be used: ${reason}. Give ".", or a folder that the reader of the card allows.`,
    { path: baseUri },
  );
}
