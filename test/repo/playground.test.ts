import { join } from 'node:path';
import { build } from 'esbuild';
import { expect, it } from 'vitest';
import { exampleSkill } from '../../site/src/example-skill.ts';
import type * as ReadSkillModule from '../../site/src/read-skill.ts';

const root = join(import.meta.dirname, '../..');
/** What the site puts something else in place of: see `alias` in its configuration. */
const replaced = ['node:path', 'node:fs', '@wasm-fmt/ruff_fmt', 'unbash', 'acorn'];

it('AUT-2: the playground carries nothing that a browser has not, and reads a skill', async () => {
  const { outputFiles } = await build({
    entryPoints: [join(root, 'site/src/read-skill.ts')],
    bundle: true,
    write: false,
    format: 'esm',
    platform: 'browser',
    conditions: ['@repertoire/source'],
    external: replaced,
    // The site is a workspace of its own, which nothing installs for this.
    nodePaths: [join(root, 'packages/cli/node_modules')],
    logLevel: 'silent',
  });
  const address = `data:text/javascript;base64,${Buffer.from(
    // From an address of data, nothing but Node's own modules can be found.
    outputFiles[0]!.text.replaceAll(/import\("(?:@wasm-fmt\/ruff_fmt|unbash|acorn)"\)/g, 'undefined'),
  ).toString('base64')}`;
  const { readSkill } = (await import(/* @vite-ignore */ address)) as typeof ReadSkillModule;
  const { findings, seen } = await readSkill(exampleSkill);
  expect(findings.map(({ rule }) => rule)).toContain('wrong-name');
  expect(seen?.loaded).toContain('Pay back the amount');
});
