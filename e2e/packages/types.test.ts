import { cp, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { isTried } from '../../test/support/property-runs.ts';
import { compilers, type Compiler } from './compilers.ts';
import { entryPoints } from './entry-points.ts';
import { prepared } from './prepared.ts';
import { workerPrograms } from './programs.ts';
import { runOutside } from './run-outside.ts';
import { toolVersions } from './tool-versions.ts';

/** As strict as users are: declarations are checked, and nothing of Node or of tests is there. */
const compilerOptions = {
  noEmit: true,
  strict: true,
  exactOptionalPropertyTypes: true,
  noUncheckedIndexedAccess: true,
  skipLibCheck: false,
  target: 'es2022',
  lib: ['es2022', 'esnext.disposable', 'dom', 'dom.iterable', 'dom.asynciterable'],
  types: [],
};

/** Shows that types arrive as what they are, not as `any`. */
const wrong = `import { defineSkill } from '@repertoire/skills-core';\nexport const skill = defineSkill({ name: 7, description: '', body: '' });\n`;

async function check({ name, program: checker }: Compiler, moduleResolution: string, module: string): Promise<string[]> {
  const { project, packages } = prepared();
  const folder = join(project, `${name}-${moduleResolution}`);
  await mkdir(folder, { recursive: true });
  const everything = entryPoints(packages).map(({ name: entry, hasCode }, index) =>
    hasCode ? `export * as entry${index} from '${entry}';` : `/// <reference types="${entry}" />`,
  );
  await writeFile(join(folder, 'everything.ts'), everything.toSorted().join('\n'));
  await writeFile(join(folder, 'wrong.ts'), wrong);
  for (const program of workerPrograms) await cp(join(import.meta.dirname, 'programs', `${program}.ts`), join(folder, `${program}.ts`));
  await writeFile(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions: { ...compilerOptions, module, moduleResolution } }));
  await writeFile(join(folder, 'check-own-files.mjs'), checker);
  const { output } = await runOutside(['node', 'check-own-files.mjs'], folder);
  // The declarations of others may have errors of their own. What is indented explains the line above.
  return output.split('\n').filter((line) => /^\S/.test(line) && (!line.includes('node_modules/') || line.includes('@repertoire')));
}

const resolutions = [
  ['nodenext', 'nodenext'],
  ['bundler', 'esnext'],
] as const;

describe.for(compilers.map((compiler, last) => ({ ...compiler, last })))('$name', ({ last, ...compiler }) => {
  // Each compiler with one of them: how a package is found is the same in both.
  it.concurrent.for(resolutions.filter((_, place) => isTried({ last, size: compilers.length }, place)))(
    `version ${toolVersions[compiler.name]} type-checks every entry point without \`skipLibCheck\`, %s resolution`,
    async ([moduleResolution, module]) => {
      expect(await check(compiler, moduleResolution, module)).toEqual([expect.stringMatching(/^wrong\.ts\(2,\d+\): error TS2322: /)]);
    },
  );
});
