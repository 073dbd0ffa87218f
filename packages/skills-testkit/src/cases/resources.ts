import { sha256Hex } from '@repertoire/skills-core/provider';
import type { SkillLibraryFiles } from '../fixtures/library-files.ts';
import { assert, assertEqual, assertFound } from '../conformance/assert.ts';
import type { CaseContext, CasesOf } from '../conformance/case-context.ts';
import { byteFiles, bytesLibrary, composedPath, decomposedLibrary, manyFilesLibrary, manyPaths } from '../fixtures/resource-libraries.ts';

const kinds = {
  'LICENSE.txt': 'other',
  'a/b.md': 'other',
  'assets/logo.png': 'asset',
  'examples/first.md': 'example',
  'references/guide.md': 'reference',
  'scripts/run.sh': 'script',
  'scripts/sub/helper.py': 'script',
} as const;

const mediaTypes = {
  'LICENSE.txt': 'text/plain',
  'assets/logo.png': 'image/png',
  'data.json': 'application/json',
  'references/guide.md': 'text/markdown',
} as const;

export const resourcesCases: CasesOf<'resources'> = {
  'resources/complete': async (context) => {
    const paths = (await entriesOf(context, manyFilesLibrary, 'many-files')).map(({ path }) => path);
    assertEqual([...paths].sort(), [...manyPaths].sort(), 'paths, sorted');
  },

  'resources/nfc': async ({ provide }) => {
    const provider = await provide(decomposedLibrary);
    const skill = assertFound(await provider.getSkill('menus'), 'menus');
    assertEqual(
      skill.resources.map(({ path }) => path),
      [composedPath],
      'paths in the list',
    );
    const resource = assertFound(await provider.readResource('menus', composedPath), 'the file, by its path in the list');
    assertEqual(new TextDecoder().decode(resource.bytes), 'Soup of the day.\n', 'the file');
  },

  'resources/kinds': async (context) => {
    const entries = await entriesOf(context, manyFilesLibrary, 'many-files');
    for (const [path, kind] of Object.entries(kinds))
      assertEqual(entries.find((entry) => entry.path === path)?.kind, kind, `kind of ${path}`);
  },

  'resources/media-types': async (context) => {
    const entries = await entriesOf(context, manyFilesLibrary, 'many-files');
    for (const [path, mediaType] of Object.entries(mediaTypes))
      assertEqual(entries.find((entry) => entry.path === path)?.mediaType, mediaType, `media type of ${path}`);
    // The media type of `mystery.zzz` is free, but it must not be empty.
    for (const { path, mediaType } of entries)
      assert(/^[a-z]+\/[a-z0-9.+-]+$/.test(mediaType), `${path} has the media type ${JSON.stringify(mediaType)}, which is none.`);
  },

  'resources/sizes': async (context) => {
    const entries = await entriesOf(context, bytesLibrary, 'bytes');
    assertEqual(entries.length, Object.keys(byteFiles).length, 'number of files');
    for (const { path, size } of entries) {
      if (size !== undefined) assertEqual(size, byteFiles[path]?.length, `size of ${path}`);
    }
  },

  'resources/digests': async ({ provide }) => {
    const provider = await provide(bytesLibrary);
    const skill = assertFound(await provider.getSkill('bytes'), 'bytes');
    assertEqual(skill.resources.length, Object.keys(byteFiles).length, 'number of files');
    for (const { path, digest } of skill.resources) {
      const expected = await sha256Hex(byteFiles[path] ?? new Uint8Array(0));
      const read = assertFound(await provider.readResource('bytes', path, { maxBytes: 10 }), path);
      if (digest !== undefined) assertEqual(digest, expected, `digest of ${path} in the list`);
      if (read.digest !== undefined) assertEqual(read.digest, expected, `digest of ${path} where only its beginning is read`);
    }
  },

  'resources/with-bytes': async ({ provide }) => {
    const provider = await provide(bytesLibrary);
    const expected: Readonly<Record<string, Uint8Array>> = { ...byteFiles, 'SKILL.md': rawBytes(bytesLibrary['bytes/SKILL.md']) };
    for (const withBytes of [undefined, 0, 300, 1_000_000]) {
      const call = `getSkill('bytes', { withBytes: ${withBytes} })`;
      const { files = {} } = assertFound(await provider.getSkill('bytes', { withBytes }), 'bytes');
      let total = 0;
      for (const [path, bytes] of Object.entries(files)) {
        assertEqual(bytes, expected[path], `${path} of ${call}`);
        total += bytes.length;
        // It belongs to the caller.
        bytes.fill(0);
      }
      assert(total <= (withBytes ?? 0), `${call} returned ${total} bytes.`);
    }
  },
};

function rawBytes(content: string | Uint8Array | undefined): Uint8Array {
  return typeof content === 'string' ? new TextEncoder().encode(content) : (content ?? new Uint8Array(0));
}

async function entriesOf({ provide }: CaseContext, files: SkillLibraryFiles, name: string) {
  const provider = await provide(files);
  return assertFound(await provider.getSkill(name), name).resources;
}
