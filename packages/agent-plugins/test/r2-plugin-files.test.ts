import { describe, expect, it } from 'vitest';
import { pluginProvider, r2PluginFiles, type PluginBucket } from '../src/index.ts';
import { manifestOf, skillOf } from './support/plugins.ts';

/** A bucket that answers as R2 does, with a few keys in a page. */
function bucketOf(files: Readonly<Record<string, string>>, pageSize: number): PluginBucket {
  const bytesOf = (key: string) => new TextEncoder().encode(files[key]);
  return {
    list: async ({ prefix, delimiter, cursor = '0' }) => {
      const below = Object.keys(files).filter((key) => key.startsWith(prefix));
      const ends = below.map((key) => key.indexOf(delimiter, prefix.length) + 1 || key.length);
      const found = [...new Set(below.map((key, index) => key.slice(0, ends[index])))].toSorted();
      const end = Number(cursor) + pageSize;
      const page = found.slice(Number(cursor), end);
      return {
        objects: page.filter((key) => Object.hasOwn(files, key)).map((key) => ({ key, size: bytesOf(key).length, etag: key })),
        delimitedPrefixes: page.filter((key) => !Object.hasOwn(files, key)),
        truncated: end < found.length,
        ...(end < found.length && { cursor: String(end) }),
      };
    },
    get: async (key, { range } = { range: { offset: 0, length: Infinity } }) => {
      if (!Object.hasOwn(files, key)) return null;
      const bytes = bytesOf(key);
      return { size: bytes.length, arrayBuffer: async () => bytes.slice(range.offset, range.offset + range.length).buffer };
    },
  };
}

const files = {
  'plugins/acme/plugin.json': manifestOf('acme'),
  'plugins/acme/skills/pay/SKILL.md': skillOf('pay'),
  'plugins/acme/skills/pay/references/rates.md': 'Rates.\n',
  'plugins/other/plugin.json': manifestOf('other'),
  'plugins/other/skills/ship/SKILL.md': skillOf('ship'),
  'elsewhere/plugin.json': manifestOf('elsewhere'),
};

describe('PLG-1: plugins in a bucket of R2', () => {
  it.each([1, 100])('are those below the prefix, with %i keys in a page', async (pageSize) => {
    const provider = pluginProvider({ roots: [{ files: r2PluginFiles(bucketOf(files, pageSize), 'plugins/'), name: 'bucket' }] });
    expect((await provider.listPlugins()).map(({ manifest }) => manifest.name)).toEqual(['acme', 'other']);
    expect((await provider.listSkills()).skills.map(({ name }) => name)).toEqual(['pay', 'ship']);
    expect((await provider.getSkill('pay'))?.resources.map(({ path }) => path)).toEqual(['references/rates.md']);
    const cut = await provider.readResource('pay', 'references/rates.md', { maxBytes: 3 });
    expect([new TextDecoder().decode(cut?.bytes), cut?.size]).toEqual(['Rat', 7]);
    expect(await provider.readResource('pay', 'references/none.md')).toBeNull();
  });
});
