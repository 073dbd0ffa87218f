import { SkillError } from '@repertoire/skills-core';
import { isInsideUrl } from '@repertoire/skills-core/internal';

/** The folders that paths of a file may lead to, as URLs that end with `/`. */
export interface LocationBase {
  /** The base of relative paths; `undefined` if the host passed none. */
  readonly base: URL | undefined;
  readonly within: readonly URL[];
}

/** A location, or for the file's author why there is none and what to do. */
export type Location = { readonly url: URL } | { readonly reason: string; readonly fix: string };

/**
 * Reads `basePath` and `within`.
 *
 * @throws {SkillError} `invalid-options` for anything but an absolute path or a URL
 */
export function locationBase(basePath: string | URL | undefined, within: readonly (string | URL)[] | undefined): LocationBase {
  const base = basePath === undefined ? undefined : folderUrl(basePath, 'basePath');
  const folders = within?.map((folder) => folderUrl(folder, 'within')) ?? [];
  return { base, within: base === undefined ? folders : [base, ...folders] };
}

/** The URL of a path in the file. A path cannot leave `within`. */
export function resolvePath(path: string, { base, within }: LocationBase): Location {
  const url = absoluteUrl(path) ?? (base === undefined ? undefined : new URL(escapePath(path), base));
  if (url === undefined) {
    return {
      reason: `The path ${JSON.stringify(path)} is relative, and nothing says to what.`,
      fix: 'Give compileAgent a basePath: the folder of the file.',
    };
  }
  // What a file system would interpret differently from the check below.
  const hidden = /%(?:2f|5c|00)/i.test(url.pathname) || url.search !== '' || url.hash !== '' || url.username !== '' || url.password !== '';
  if (hidden) return { reason: `The path ${JSON.stringify(path)} hides a part of itself.`, fix: 'Write a plain path.' };
  if (within.some((folder) => isInsideUrl(url, folder))) return { url };
  return { reason: `The path ${JSON.stringify(path)} leads to ${url.href}, which this agent may not read.`, fix: fixOf(url, within) };
}

function fixOf(url: URL, within: readonly URL[]): string {
  if (/^https?:$/.test(url.protocol))
    return `The host can allow its origin: allowedOrigins: [${JSON.stringify(url.origin)}] of loadAgentFile, or within: [${JSON.stringify(`${url.origin}/`)}] of compileAgent.`;
  if (within.length === 0) return 'Give compileAgent a basePath or within: [...].';
  const folders = within.map(({ href }) => href).join(', ');
  return `Allowed are ${folders}. The host can add folders: within: [...].`;
}

/** A URL in the file. */
export function resolveUrl(written: string): Location {
  const url = URL.canParse(written) ? new URL(written) : undefined;
  if (url === undefined || (url.protocol !== 'https:' && url.protocol !== 'http:')) {
    return {
      reason: `${JSON.stringify(written)} is no URL of the web.`,
      fix: 'Write one that starts with https://. Paths go into `folder`.',
    };
  }
  if (url.username !== '' || url.password !== '') {
    return { reason: 'The URL carries a password.', fix: 'Leave it out: the host adds credentials in sources.url.' };
  }
  return { url };
}

function folderUrl(folder: string | URL, option: string): URL {
  const url = typeof folder === 'string' ? absoluteUrl(folder) : folder;
  if (url === undefined) {
    throw new SkillError(
      'invalid-options',
      `${option} is ${JSON.stringify(folder)}. Give an absolute path, or a URL such as new URL('.', import.meta.url).`,
    );
  }
  return url.href.endsWith('/') ? url : new URL(`${url.href}/`);
}

function absoluteUrl(written: string): URL | undefined {
  if (/^[A-Za-z]:[\\/]/.test(written)) return new URL(`file:///${escapePath(written)}`);
  if (/^[a-z][a-z0-9+.-]*:/i.test(written)) return URL.canParse(written) ? new URL(written) : undefined;
  // Two slashes would name a host.
  return written.startsWith('/') ? new URL(`file:///${escapePath(written.replace(/^[\\/]+/, ''))}`) : undefined;
}

/** A path is not a URL: `%`, `#` and `?` are characters of names. */
function escapePath(path: string): string {
  const escaped = path.replaceAll('\\', '/').replace(/[%#?]/g, encodeURIComponent);
  return escaped.startsWith('//') ? `./${escaped.replace(/^\/+/, '')}` : escaped;
}
