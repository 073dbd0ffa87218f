import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseSync } from 'oxc-parser';
import { beforeAll, describe, expect, it } from 'vitest';
import { runInWorkerd } from '../run-in-workerd.ts';
import { bundlers } from './bundlers.ts';
import { prepared } from './prepared.ts';
import { answersOf, workerPrograms, writePrograms, writeSkills } from './programs.ts';
import { runOutside } from './run-outside.ts';
import { toolVersions } from './tool-versions.ts';

const folder = (): string => join(prepared().project, 'bundlers');

beforeAll(async () => {
  await writePrograms(folder(), workerPrograms);
  await writeSkills(folder());
});

describe.for(bundlers)('$name', ({ name, program }) => {
  it(`SRC-9, ADP-2, ADP-4: version ${toolVersions[name]} bundles an agent, a graph, storage and a folder of skills without anything of Node, and the bundle runs in workerd`, async () => {
    const file = `bundle-${name.replaceAll(/\W/g, '-')}.mjs`;
    await writeFile(join(folder(), file), program);
    expect(await runOutside(['node', file], folder())).toMatchObject({ ok: true, output: '' });

    const code = await readFile(join(folder(), 'bundles', name, 'app.mjs'), 'utf8');
    const { staticImports, dynamicImports } = parseSync('app.mjs', code).module;
    expect([staticImports, dynamicImports]).toEqual([[], []]);
    // Vite puts this in the place of a module of Node.
    expect(code).not.toContain('__vite-browser-external');
    expect(await runInWorkerd(code)).toEqual(answersOf(workerPrograms));
  });
});
