import { isResourcePath } from '@repertoire/skills-core/provider';

/** Location of a skill: the parts of the URI of its `SKILL.md`. */
export interface SkillUri {
  /** The URI of `SKILL.md`, as written. */
  readonly uri: string;
  /** The folder, with a slash at its end. */
  readonly root: string;
  /** The last folder, decoded. By the extension, this is the name of the skill. */
  readonly folder: string;
  /** All folders, decoded: `acme/billing/refunds`. */
  readonly path: string;
}

/** Schemes for local places, and for what a page would execute. */
const forbiddenScheme = /^(?:file|data|javascript|vbscript|blob):/i;

/** Parses the URI of a `SKILL.md`; `null` for others, `..`, queries and local places. */
export function parseSkillUri(uri: unknown): SkillUri | null {
  if (typeof uri !== 'string' || uri.length > 2_048 || forbiddenScheme.test(uri)) return null;
  const match = /^([a-z][a-z0-9+.-]*:\/\/)(.+)\/SKILL\.md$/i.exec(uri);
  if (match?.[1] === undefined || match[2] === undefined || !uri.endsWith('/SKILL.md')) return null;
  const segments = decodeSegments(match[2]);
  if (segments === null) return null;
  return { uri, root: `${match[1]}${match[2]}/`, folder: segments.at(-1) ?? '', path: segments.join('/') };
}

/** The path of a file in a skill; `null` outside of it. Compared decoded: encodings differ. */
export function pathInSkill(root: string, uri: unknown): string | null {
  if (typeof uri !== 'string' || uri.length > 4_096) return null;
  // As nearly all are: nothing in it is encoded, so that it is its own path.
  if (uri.startsWith(root) && !/[%?#]/.test(uri.slice(root.length))) return resourcePath(uri.slice(root.length));
  const scheme = /^[a-z][a-z0-9+.-]*:\/\//i;
  const [rootScheme, uriScheme] = [scheme.exec(root)?.[0], scheme.exec(uri)?.[0]];
  if (rootScheme === undefined || uriScheme === undefined || rootScheme.toLowerCase() !== uriScheme.toLowerCase()) return null;
  const outer = decodeSegments(root.slice(rootScheme.length, -1));
  const inner = decodeSegments(uri.slice(uriScheme.length));
  if (outer === null || inner === null || inner.length <= outer.length) return null;
  if (outer.some((segment, index) => segment !== inner[index])) return null;
  return resourcePath(inner.slice(outer.length).join('/'));
}

/** The URI of a file in a skill, for servers that list no files. */
export function uriInSkill(root: string, path: string): string {
  return root + path.split('/').map(encodeURIComponent).join('/');
}

function resourcePath(decoded: string): string | null {
  const path = decoded.normalize('NFC');
  return isResourcePath(path) ? path : null;
}

function decodeSegments(text: string): string[] | null {
  // Neither belongs in the URI of a file. Percent-encoded, both are allowed.
  if (/[?#]/.test(text)) return null;
  try {
    const segments = text.split('/').map((segment) => decodeURIComponent(segment));
    return segments.some((segment) => segment === '' || segment === '.' || segment === '..' || /[/\\\0]/.test(segment)) ? null : segments;
  } catch {
    return null;
  }
}
