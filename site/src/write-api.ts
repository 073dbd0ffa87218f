import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Application } from 'typedoc';
import { publishedPackages, repositoryRoot } from '../../tools/workspace.ts';

/** Where the reference is written. VitePress reads one folder, so it is inside of `docs`, and git ignores it. */
export const apiFolder: string = join(repositoryRoot, 'docs/api');

/** Options of typedoc-plugin-markdown, which the types of typedoc do not know. */
const pageOptions = {
  outputFileStrategy: 'modules',
  entryFileName: 'index',
  hidePageHeader: true,
  hideBreadcrumbs: true,
  useCodeBlocks: true,
  // Two names that differ in case alone would share an anchor otherwise.
  useHTMLAnchors: true,
  expandObjects: false,
  parametersFormat: 'table',
  interfacePropertiesFormat: 'table',
  typeAliasPropertiesFormat: 'table',
  enumMembersFormat: 'table',
  sanitizeComments: true,
};

/**
 * Writes one page of reference for each entry of each package, from the docstrings.
 *
 * @throws {Error} if a docstring or an entry cannot be read
 */
export async function writeApi(): Promise<void> {
  const entries = apiEntries();
  const application = await Application.bootstrapWithPlugins({
    plugin: ['typedoc-plugin-markdown'],
    entryPoints: [...entries.keys()],
    tsconfig: join(import.meta.dirname, '../tsconfig.api.json'),
    skipErrorChecking: true,
    excludeExternals: true,
    excludePrivate: true,
    excludeInternal: true,
    disableGit: true,
    sourceLinkTemplate: 'https://github.com/repertoire/repertoire/blob/main/packages/{path}#L{line}',
    basePath: repositoryRoot,
    readme: 'none',
    logLevel: 'Error',
    outputs: [{ name: 'markdown', path: apiFolder }],
    ...pageOptions,
  });
  const project = await application.convert();
  if (project === undefined) throw new Error('The reference cannot be made from the docstrings.');
  for (const child of project.children ?? []) {
    const name = entries.get(child.sources?.[0]?.fullFileName ?? '');
    if (name === undefined) throw new Error(`The reference has a module of an unknown file: ${child.name}.`);
    child.name = name;
  }
  await application.generateOutputs(project);
  if (application.logger.hasErrors()) throw new Error('The reference has errors.');
  for (const name of entries.values()) {
    const file = join(apiFolder, `${name}.md`);
    writeFileSync(file, readFileSync(file, 'utf8').replace(/^# .+$/m, `# @repertoire/${name}`));
  }
  writeFileSync(join(apiFolder, 'index.md'), apiIndex([...entries.values()]));
}

/** The entries of every package: the file, and what it is called in the reference. */
function apiEntries(): Map<string, string> {
  const entries = new Map<string, string>();
  for (const { path, directory, manifest } of publishedPackages()) {
    for (const [entry, target] of Object.entries(manifest.exports ?? {})) {
      if (typeof target === 'string') continue;
      const source = target['@repertoire/source'] ?? '';
      const name = path.slice('packages/'.length) + entry.slice(1);
      if (source.endsWith('.ts') && !source.endsWith('.d.ts')) entries.set(join(directory, source), name);
    }
  }
  return entries;
}

function apiIndex(names: readonly string[]): string {
  const rows = names.toSorted().map((name) => `- [\`@repertoire/${name}\`](${name}.md)`);
  return `# API reference\n\nOne page for each entry point, made from the docstrings of the sources.\n\n${rows.join('\n')}\n`;
}
