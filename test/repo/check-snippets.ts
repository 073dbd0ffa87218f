import { mkdir, rm, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { runCommand } from '../../tools/run-command.ts';
import { inRepository, repositoryRoot, workspacePackages } from '../../tools/workspace.ts';
import type { Snippet } from './extract-snippets.ts';

/** Where the snippets are written. Nothing is kept from one run to the next. */
const directory = join(repositoryRoot, 'node_modules/.cache/repertoire-snippets');

const compilerOptions = {
  // The snippets are modules of people who use the packages: strict, but not bound to this repository's own rules.
  types: ['node'],
  lib: ['es2024', 'esnext.disposable', 'webworker'],
  isolatedDeclarations: false,
  declaration: false,
  exactOptionalPropertyTypes: false,
  noUncheckedIndexedAccess: false,
  moduleDetection: 'force',
  module: 'preserve',
  moduleResolution: 'bundler',
};

/**
 * Type-checks every snippet as a module of its own, in one run of the compiler.
 *
 * @returns one line for each error, `path:line: message`, at its place in the document
 */
export async function checkSnippets(snippets: readonly Snippet[]): Promise<string[]> {
  await rm(directory, { recursive: true, force: true });
  await mkdir(directory, { recursive: true });
  await linkPackages(directory);
  const files = snippets.map((snippet, index) => ({ ...snippet, name: `snippet-${index + 1}.ts`, ...moduleOf(snippet) }));
  await Promise.all(files.map(({ name, text }) => writeFile(join(directory, name), text)));
  const config = { extends: join(repositoryRoot, 'tsconfig.base.json'), compilerOptions, files: files.map(({ name }) => name) };
  await writeFile(join(directory, 'tsconfig.json'), JSON.stringify(config));

  // Each checker finds out by itself what the modules have in common, which is nearly all.
  const { ok, output } = await runCommand(['tsc', '--project', 'tsconfig.json', '--pretty', 'false', '--checkers', '1'], { directory });
  const errors = output.split('\n').flatMap((line) => {
    const match = /^(?<name>[^(]+)\((?<at>\d+),\d+\): error (?<message>.*)$/.exec(line)?.groups;
    if (match === undefined) return /^\s*$|^\s+/.test(line) ? [] : [line];
    const file = files.find(({ name }) => name === match['name']);
    // What is wrong in the packages themselves is told by `pnpm check --only lint`.
    if (file === undefined) return match['name']?.startsWith('../') === true ? [] : [line];
    return [`${file.path}:${Math.max(file.line, Number(match['at']) - file.linesAbove + file.line - 1)}: ${match['message']}`];
  });
  return ok || output.includes('error TS') ? errors : [`The compiler failed: ${output}`];
}

function moduleOf({ setup, code }: Snippet): { text: string; linesAbove: number } {
  const above = setup === '' ? '' : `${setup}\n`;
  return { text: `${above}${code}\n`, linesAbove: above.split('\n').length - 1 };
}

/** Gives the snippets every package of the workspace, and whatever one of those (or an example, or an end-to-end test) depends on. */
export async function linkPackages(into: string): Promise<void> {
  const targets = new Map<string, string>();
  for (const { path, manifest } of ['packages/*', 'examples/*', 'e2e'].flatMap((pattern) => workspacePackages(pattern))) {
    if (path.startsWith('packages/')) targets.set(manifest.name, path);
    for (const name of Object.keys({ ...manifest.dependencies, ...manifest.peerDependencies, ...manifest.devDependencies })) {
      const installed = `${path}/node_modules/${name}`;
      if (!targets.has(name) && inRepository(installed)) targets.set(name, installed);
    }
  }
  for (const [name, path] of targets) {
    const link = join(into, 'node_modules', name);
    await mkdir(dirname(link), { recursive: true });
    await symlink(join(repositoryRoot, path), link, 'junction');
  }
}
