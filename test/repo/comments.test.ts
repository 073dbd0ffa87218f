import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { repositoryRoot } from '../../tools/workspace.ts';
import { wrapComments } from '../../tools/wrap-comments.ts';
import { trackedFiles } from './tracked-files.ts';

/** Packages whose comments are wrapped: all of them. */
const wrapped =
  /^packages\/(?:adapter-[a-z-]+|agent-plugins|bridges|cli|declarative|inspector|skill-(?:cards|fs|http|mcp|proposals|runner|search|storage|trust|workflow)|skills-core|skills-testkit)\/src\/.*\.ts$/;

it('comments wrap at 100 columns', () => {
  const files = trackedFiles().filter((path) => wrapped.test(path));
  const wide = files.filter((path) => {
    const text = readFileSync(join(repositoryRoot, path), 'utf8');
    return wrapComments(text) !== text;
  });
  expect(wide, `Run: node tools/wrap-comments.ts ${wide.join(' ')}`).toEqual([]);
});

it('a comment keeps its code, its lists and what a tool reads', () => {
  const long = 'word '.repeat(25).trim();
  expect(wrapComments(`/** ${long} */\n`)).toBe(`/**\n * ${'word '.repeat(19).trim()}\n * ${'word '.repeat(6).trim()}\n */\n`);
  expect(wrapComments(`  // ${long}\n  x();\n`)).toBe(`  // ${'word '.repeat(19).trim()}\n  // ${'word '.repeat(6).trim()}\n  x();\n`);
  for (const kept of [`// recheck: ${long}\n`, `/**\n * \`\`\`ts\n * ${long}\n * \`\`\`\n */\n`, `const text = '// ${long}';\n`])
    expect(wrapComments(kept)).toBe(kept);
  expect(wrapComments(`/**\n * - ${long}\n * - two\n */\n`)).toContain(' *   word');
});
