import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Plugin } from 'vite';
import type * as SearchRecordsModule from './search-records.ts';

type SearchRecords = typeof SearchRecordsModule;

/** The files that the search box fetches, when it is first opened. */
async function searchFiles(): Promise<ReadonlyMap<string, Uint8Array | string>> {
  // Not a static import: VitePress bundles its configuration, and cannot resolve packages to their sources there.
  const address = pathToFileURL(join(import.meta.dirname, 'search-records.ts')).href;
  const { searchSections, writeSearchIndex } = (await import(address)) as SearchRecords;
  const sections = searchSections();
  return new Map<string, Uint8Array | string>([
    ['search.json', JSON.stringify(sections.map(({ record }) => record))],
    ['search.bin', await writeSearchIndex(sections)],
  ]);
}

/** Writes the index of the search into the built site. */
export async function writeSearchFiles(folder: string): Promise<void> {
  mkdirSync(folder, { recursive: true });
  for (const [name, content] of await searchFiles()) writeFileSync(join(folder, name), content);
}

/** Serves the index of the search while pages are being written. It is made once, when it is first asked for. */
export function searchInDevelopment(): Plugin {
  let files: Promise<ReadonlyMap<string, Uint8Array | string>> | undefined;
  return {
    name: 'repertoire-search',
    configureServer(server) {
      server.middlewares.use((request, response, next) => {
        const name = /\/(search\.(?:json|bin))$/.exec(request.url ?? '')?.[1];
        if (name === undefined) return next();
        files ??= searchFiles();
        void files.then((made) => response.end(made.get(name)), next);
      });
    },
  };
}

/** Pages are outside of this folder, so what they are compiled to does not find `vue`. */
export function pagesImportFromHere(): Plugin {
  return {
    name: 'repertoire-pages',
    enforce: 'pre',
    async resolveId(source, importer, options) {
      if (!/^vue(?:\/|$)/.test(source) || importer?.startsWith(join(import.meta.dirname, '../../docs')) !== true) return null;
      return await this.resolve(source, import.meta.filename, { ...options, skipSelf: true });
    },
  };
}
