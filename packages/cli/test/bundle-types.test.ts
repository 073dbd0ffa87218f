import { execFile } from 'node:child_process';
import { mkdir, symlink } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { runCli } from './run-cli.ts';
import { skillMd, temporaryFolder } from './temporary-folder.ts';

const repository = path.resolve(import.meta.dirname, '../../..');
const packages = path.join(repository, 'packages');

it.each(['nodenext', 'bundler'])(
  'SRC-9: a bundle type-checks under "moduleResolution": "%s" and every strict option',
  async (moduleResolution) => {
    const folder = await temporaryFolder({
      'package.json': '{"type":"module"}',
      'skills/a/SKILL.md': skillMd(
        'a',
        'version: 1.0.0\nsteps:\n  - { tool: x, input: { n: 1, list: [a, true] } }\nx-other: { a: [b, { c: d }] }',
      ),
      'skills/a/assets/every.bin': new Uint8Array([0, 255, 128]),
      'skills/a/references/guide.md': '# Guide\n\nText.',
      'src/use.ts': [
        `import { createSkillset } from '@repertoire/skills-core';`,
        `import { lock, skills } from './one.gen.js';`,
        `import { skills as split } from './split.gen.js';`,
        `import { skills as plain } from './plain.js';`,
        `import { skills as module } from './module.mjs';`,
        `export const skillset: unknown = createSkillset({ skills: [...skills, ...split, ...plain, ...module] });`,
        `export const locked: number = lock.skills.length;`,
        `// @ts-expect-error: a list that nobody may change`,
        `skills.push();`,
      ].join('\n'),
      // It does look: a module that is not there is an error.
      'src/wrong.ts': `export { skills } from './none.gen.js';`,
    });
    const missing = expect.stringMatching(/^src\/wrong\.ts\(1,.*none\.gen/);
    const problemsOf = (stdout: string): string[] => stdout.split('\n').filter((line) => line.startsWith('src/'));
    for (const out of ['src/one.gen.ts', 'src/split.gen.ts', 'src/plain.js', 'src/module.mjs']) {
      const outcome = await runCli(folder.path, ['bundle', 'skills', '--out', out, ...(out.includes('split') ? ['--split'] : [])]);
      expect(outcome).toMatchObject({ code: 0, stderr: '' });
    }
    await mkdir(folder.at('node_modules/@repertoire'), { recursive: true });
    await symlink(path.join(packages, 'skills-core'), folder.at('node_modules/@repertoire/skills-core'), 'junction');
    const compilerOptions = {
      target: 'es2022',
      module: moduleResolution === 'bundler' ? 'esnext' : moduleResolution,
      moduleResolution,
      customConditions: ['@repertoire/source'],
      allowImportingTsExtensions: true,
      noEmit: true,
      strict: true,
      declaration: true,
      isolatedDeclarations: true,
      erasableSyntaxOnly: true,
      verbatimModuleSyntax: true,
      exactOptionalPropertyTypes: true,
      noUncheckedIndexedAccess: true,
      noImplicitReturns: true,
      noUnusedLocals: true,
      skipLibCheck: true,
      // Neither Node's types nor those of a browser: the module must not need them. The package does, for its own.
      lib: ['es2024'],
      types: [],
    };
    await folder.write({ 'tsconfig.json': JSON.stringify({ compilerOptions, include: ['src'] }) });
    const tsc = path.join(repository, 'node_modules/typescript/bin/tsc');
    const { stdout } = await promisify(execFile)(
      process.execPath,
      [tsc, '--project', folder.path, '--pretty', 'false', '--checkers', '1'],
      {
        cwd: folder.path,
      },
    ).catch((error: unknown) => error as { readonly stdout: string });
    expect(problemsOf(stdout)).toEqual([missing]);
    // Nor does a project that checks its JavaScript find anything in modules that it did not write.
    const { declaration: _, isolatedDeclarations: __, ...others } = compilerOptions;
    const checkJs = { ...others, allowJs: true, checkJs: true };
    await folder.write({ 'tsconfig.json': JSON.stringify({ compilerOptions: checkJs, include: ['src'] }) });
    const checked = await promisify(execFile)(process.execPath, [tsc, '--project', folder.path, '--pretty', 'false', '--checkers', '1'], {
      cwd: folder.path,
    }).catch((error: unknown) => error as { readonly stdout: string });
    expect(problemsOf(checked.stdout)).toEqual([missing]);
  },
);
