import { matchSequence, matchWildcard } from './wildcard.ts';

/**
 * Whether a path fits what stands in the parentheses of a pattern such as `Edit(src/**)`.
 *
 * `*` stands for characters within a segment, `**` for segments; `src/` is everything below `src`;
 * a pattern without a slash (`*.md`) is compared with the last segment at any depth. A pattern that
 * begins with `/` is compared with absolute paths, any other with paths relative to `root`. A path
 * that may lead elsewhere (`..`, `~`, a backslash, a control character) matches nothing. Symbolic
 * links are not resolved: the tool has to do that.
 */
export function matchPath(argument: string, path: string, root: string | undefined): boolean {
  const { absolute, relative } = readPath(path, root);
  if (/^\/+/.test(argument))
    return absolute !== undefined && matchSegments(segmentsOf(argument.replace(/^\/+/, '')), segmentsOf(absolute.slice(1)));
  if (argument.startsWith('~') || relative === undefined) return false;
  const pattern = argument.replace(/^(?:\.\/)+/, '');
  const segments = segmentsOf(relative);
  return pattern.includes('/') ? matchSegments(segmentsOf(pattern), segments) : matchSegments(['**', pattern], segments);
}

function matchSegments(pattern: readonly string[], path: readonly string[]): boolean {
  if (pattern.includes('..')) return false;
  // `src/` and `src/**` are what lies in `src`, and not `src` itself.
  const last = pattern.at(-1);
  const full = last === '' ? [...pattern.slice(0, -1), '**', '*'] : last === '**' ? [...pattern, '*'] : pattern;
  return matchSequence(
    full,
    path,
    (item) => item === '**',
    (item, segment) => matchWildcard(item, segment),
  );
}

/** The path as absolute (with `/` in front) and relative to the root, as far as known. */
function readPath(path: string, root: string | undefined): { readonly absolute?: string; readonly relative?: string } {
  const target = cleanPath(path);
  if (target === undefined) return {};
  const folder = root === undefined ? undefined : cleanPath(root);
  const base = folder?.absolute === true ? folder.path : undefined;
  if (!target.absolute) return { relative: target.path, ...(base !== undefined && { absolute: `${base}/${target.path}` }) };
  if (base !== undefined && target.path.startsWith(`${base}/`))
    return { absolute: target.path, relative: target.path.slice(base.length + 1) };
  return { absolute: target.path };
}

function cleanPath(path: string): { readonly path: string; readonly absolute: boolean } | undefined {
  if (
    /[\u0000-\u001F\u007F\\]/.test(path) ||
    path.startsWith('~') ||
    /^[a-zA-Z]:(?!\/)/.test(path) ||
    /^[a-zA-Z][\w+.-]+:/.test(path) ||
    path.startsWith('//')
  )
    return undefined;
  const segments = path.split('/');
  if (path === '' || segments.includes('..')) return undefined;
  const kept = segments.filter((segment) => segment !== '' && segment !== '.').join('/');
  // The root itself is no file in it.
  if (kept === '') return undefined;
  const absolute = path.startsWith('/') || /^[a-zA-Z]:\//.test(path);
  return { path: absolute ? `/${kept}` : kept, absolute };
}

function segmentsOf(path: string): string[] {
  return path.split('/');
}
