import { SkillError } from '../errors/skill-error.ts';

/** The most UTF-16 units in a path, and in one segment of it (the limit of common file systems). */
const maxPathLength = 1024;
const maxSegmentLength = 255;

/**
 * Brings a path that a model or a caller wrote into the contract's form, or refuses it.
 *
 * Forgiving where it is harmless: `./`, doubled slashes, a trailing slash, an `#anchor` or `?query`
 * as Markdown links have them, percent encoding, surrounding spaces. Unforgiving where it is not:
 * absolute paths, `..` in any spelling, backslashes, drive letters, control characters.
 *
 * @throws {SkillError} `invalid-path`
 */
export function normalizeResourcePath(path: string): string {
  const decoded = decode(stripSuffix(path).trim(), path);
  const segments = decoded.split('/').filter((segment) => segment !== '' && segment !== '.');
  const reason = decoded.startsWith('/') ? 'it is absolute' : (whyHostile(decoded, segments) ?? whyHostile(segments.join('/'), segments));
  if (reason !== undefined) throw invalidPath(path, reason);
  return segments.join('/').normalize('NFC');
}

/**
 * Whether a path already is in the contract's form: what a provider checks of a path that it is
 * given, before touching anything. Literal `%`, `#` and `?` are fine here, since files may be named
 * so.
 *
 * @example
 * ```ts
 * import { isResourcePath } from '@repertoire/skills-core/provider';
 *
 * export const answers = [isResourcePath('references/guide.md'), isResourcePath('../secrets.env')]; // [true, false]
 * ```
 */
export function isResourcePath(path: string): boolean {
  // As nearly all are, which a tenth of the time tells.
  if (path.length <= maxSegmentLength && /^[\w./-]+$/.test(path) && !/(?:^|\/)(?:[./]|$)/.test(path)) return true;
  if (path === '' || path !== path.normalize('NFC')) return false;
  const segments = path.split('/');
  if (segments.some((segment) => segment === '' || segment === '.')) return false;
  return whyHostile(path, segments) === undefined;
}

/**
 * Whether a path has a name that Windows reads as something else: streams (`a.md:b`), trailing dots
 * and spaces (`SKILL.md.`), devices (`NUL`, `con.txt`). Whoever reads or writes files there refuses
 * it.
 */
export function isWindowsTrick(path: string): boolean {
  return path.split('/').some((segment) => /[:<>"|?*]|[. ]$|^(?:con|prn|aux|nul|com\d|lpt\d|conin\$|conout\$)(?:\.|$)/i.test(segment));
}

function whyHostile(path: string, segments: readonly string[]): string | undefined {
  if (segments.length === 0) return 'it names no file';
  if (segments.includes('..')) return 'it climbs out of the skill with ".."';
  // NFKC would turn these look-alikes into dots and slashes on a file system that folds names.
  if (segments.some((segment) => /^[.\u2024\uFF0E]{2}$|^\u2025$/u.test(segment))) return 'it climbs out of the skill';
  if (path.includes('\\')) return 'it contains a backslash; use "/"';
  if (/^[a-zA-Z]:|^[a-zA-Z][\w+.-]*:\//.test(path)) return 'it starts with a drive letter or a scheme';
  if (/[\u0000-\u001F\u007F]/.test(path)) return 'it contains a control character';
  if (path.length > maxPathLength || segments.some((segment) => segment.length > maxSegmentLength)) return 'it is too long';
  return undefined;
}

function stripSuffix(path: string): string {
  const suffix = path.search(/[#?]/);
  return suffix === -1 ? path : path.slice(0, suffix);
}

function decode(path: string, original: string): string {
  if (!path.includes('%')) return path;
  let decoded: string;
  try {
    decoded = decodeURIComponent(path);
  } catch {
    return path;
  }
  // What decodes to yet another escape of a separator or a dot was hidden on purpose.
  if (/%(?:2e|2f|5c|00|25)/i.test(decoded)) throw invalidPath(original, 'it is percent-encoded twice');
  return decoded;
}

function invalidPath(path: string, reason: string): SkillError {
  return new SkillError(
    'invalid-path',
    `Path ${JSON.stringify(path)} cannot be read: ${reason}. Give a path relative to the skill's folder, such as "references/guide.md".`,
    { path },
  );
}
