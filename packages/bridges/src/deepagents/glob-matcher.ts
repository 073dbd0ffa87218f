import { matchSequence } from '@repertoire/skills-core/internal';

/**
 * Whether a path fits a glob: `*` and `?` within a name, `**` across folders. A pattern without a
 * slash is about names alone, as in `.gitignore`. Anything else is literal. The work is at most the
 * length of the pattern times that of the path.
 */
export function globMatcher(pattern: string): (path: string) => boolean {
  const wanted = pattern.replace(/^\//, '').split('/');
  const isName = wanted.length === 1 && wanted[0] !== '**';
  return (path) => {
    const segments = path.split('/');
    return matchSequence(wanted, isName ? segments.slice(-1) : segments, (part) => part === '**', fitsName);
  };
}

function fitsName(pattern: string, name: string): boolean {
  return matchSequence(
    [...pattern],
    [...name],
    (character) => character === '*',
    (character, other) => character === '?' || character === other,
  );
}
