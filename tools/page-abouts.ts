import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { repositoryRoot } from './workspace.ts';

/** What the list of all pages says of each, by its path from `docs`. Of some it says no more than their title. */
export function pageAbouts(): ReadonlyMap<string, string> {
  // A line may go on below, indented.
  const list = readFileSync(join(repositoryRoot, 'docs/README.md'), 'utf8').replaceAll(/\n +(?=\S)/g, ' ');
  return new Map(
    Array.from(list.matchAll(/\]\(([\w/-]+\.md)\): ([^;\n]+)/g), ([, path = '', about = '']) => [
      path,
      about.replaceAll(/\[([^[\]]+)\]\([^()]*\)/g, '$1'),
    ]),
  );
}
