import { copyFile, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runCommand } from '../../tools/run-command.ts';
import { repositoryRoot } from '../../tools/workspace.ts';
import { linkPackages } from './check-snippets.ts';
import type { Snippet } from './extract-snippets.ts';

/** A snippet as it is run. */
export interface RunnableSnippet extends Snippet {
  /** Code in place of the hidden setup, which mostly declares what is not there. @default the setup */
  readonly before?: string | undefined;
  /** Code behind it: it calls what the snippet exports, and throws where that does something wrong. @default nothing */
  readonly after?: string | undefined;
  /** Files of its folder. @default those of every snippet */
  readonly files?: Readonly<Record<string, string>> | undefined;
}

/** Where in a document a snippet begins. */
export const placeOf = ({ path, line }: Pick<Snippet, 'path' | 'line'>): string => `${path}:${line}`;

/**
 * Runs every snippet as a module of its own, each in an empty folder, one after the other in one process.
 *
 * @returns what each of those that failed threw, by its place
 */
export async function runSnippets(snippets: readonly RunnableSnippet[]): Promise<Readonly<Record<string, string>>> {
  // Node.js strips no types below node_modules, so it cannot be there.
  const directory = await mkdtemp(join(tmpdir(), 'repertoire-run-'));
  try {
    await linkPackages(directory);
    await copyFile(join(repositoryRoot, 'e2e/documentation/snippet-world.ts'), join(directory, 'snippet-world.ts'));
    await copyFile(join(repositoryRoot, 'docs/guide/declarative.md'), join(directory, 'declarative.md'));
    const modules = snippets.map((snippet, index) => {
      const { before = snippet.setup, code, after = '' } = snippet;
      const text = [before, code, after].join('\n');
      return { name: `snippet-${index + 1}.ts`, place: placeOf(snippet), text, files: snippet.files ?? {} };
    });
    for (const { name, text } of modules) await writeFile(join(directory, name), text);
    await writeFile(join(directory, 'package.json'), '{ "type": "module" }');
    await writeFile(join(directory, 'modules.json'), JSON.stringify(modules.map(({ name, place, files }) => ({ name, place, files }))));
    const runner = join(repositoryRoot, 'test/repo/snippet-runner.mjs');
    const { ok, output } = await runCommand(['node', '--conditions=@repertoire/source', '--no-warnings', runner, directory], { directory });
    const result = output.split('\n').findLast((line) => line.startsWith('{"failed":'));
    if (!ok || result === undefined) return { 'all of them': output };
    return (JSON.parse(result) as { failed: Record<string, string> }).failed;
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}
