import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { Peer } from '../../src/peer.ts';

interface Index {
  addAll(documents: readonly object[]): void;
  search(query: string): readonly { readonly id: string }[];
}

interface MiniSearchModule {
  readonly default: new (options: object) => Index;
}

/** MiniSearch, a good general library, over name, description, headings and body. */
export async function importPeer(): Promise<Peer> {
  const name = 'minisearch';
  const { default: MiniSearch } = (await import(name)) as MiniSearchModule;
  return {
    open: () => Promise.reject(new Error('MiniSearch lists nothing.')),
    async openSearch(folder) {
      const index = new MiniSearch({
        fields: ['name', 'description', 'headings', 'body'],
        searchOptions: { boost: { name: 3, description: 2 } },
      });
      index.addAll(
        globSync('*/SKILL.md', { cwd: folder }).map((file) => {
          const [, head = '', body = ''] = /^---\n([\s\S]*?)\n---\n([\s\S]*)$/.exec(readFileSync(path.join(folder, file), 'utf8')) ?? [];
          const headings = (body.match(/^#{1,6} .*$/gm) ?? []).join('\n');
          return { id: path.dirname(file), name: path.dirname(file), description: head, headings, body };
        }),
      );
      return async (request, limit) =>
        index
          .search(request)
          .slice(0, limit)
          .map(({ id }) => id);
    },
  };
}
