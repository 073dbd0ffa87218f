import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { repositoryRoot } from '../../tools/workspace.ts';
import type { Mutant } from '../mutants/mutant.ts';
import { trackedFiles } from './tracked-files.ts';

const lists = trackedFiles().filter((path) => /^test\/mutants\/(?!mutant\.ts)[^/]+\.ts$/.test(path));

describe.each(lists)('the mutants of %s', async (path) => {
  const { mutants } = (await import(join(repositoryRoot, path))) as { readonly mutants: readonly Mutant[] };

  it.each(mutants)('$name changes one place of the code that stands now, and names tests that exist', ({ file, from, to, tests }) => {
    const source = readFileSync(join(repositoryRoot, file), 'utf8');
    // A mutant whose place has moved is tried on nothing.
    expect(source.split(from).length - 1, `${file} holds ${JSON.stringify(from)}`).toBe(1);
    expect(to).not.toBe(from);
    expect(tests.length).toBeGreaterThan(0);
    expect(tests.filter((test) => !existsSync(join(repositoryRoot, test)))).toEqual([]);
  });
});
