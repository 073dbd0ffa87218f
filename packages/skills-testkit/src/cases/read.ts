import { assert, assertEqual, assertFound } from '../conformance/assert.ts';
import type { CasesOf } from '../conformance/case-context.ts';
import { lineEndsLibrary } from '../fixtures/body-libraries.ts';
import { everydayLibrary } from '../fixtures/everyday-library.ts';
import type { ReadNullId } from './read-null.ts';
import { byteFiles, bytesLibrary, oddFiles, oddFilesLibrary } from '../fixtures/resource-libraries.ts';

const large = 'assets/large.bin';

const otherSkillMdPaths: readonly string[] = [
  './SKILL.md',
  'references/../SKILL.md',
  'SKILL.md/',
  '/SKILL.md',
  'skill.md',
  'Skill.md',
  'SKILL.MD',
  'SKILL%2Emd',
  'SKILL.md?',
  'SKILL.md#',
];

/** Cases with something to read. Those that expect `null` are in `read-null.ts`. */
export const readCases: Omit<CasesOf<'read'>, ReadNullId> = {
  'read/bytes': async ({ provide }) => {
    const provider = await provide(bytesLibrary);
    for (const path of ['assets/all-bytes.bin', large, 'references/not-text.txt']) {
      const { bytes } = assertFound(await provider.readResource('bytes', path), path);
      // By name: `instanceof` would accept a Buffer, and reject an array of another realm.
      const kind = typeof bytes === 'object' ? bytes.constructor.name : typeof bytes;
      assert(kind === 'Uint8Array', `bytes of ${path}: expected a plain Uint8Array, got ${kind}.`);
      assertEqual(bytes, byteFiles[path], `bytes of ${path}`);
    }
  },

  'read/text-untouched': async ({ provide }) => {
    const provider = await provide(bytesLibrary);
    for (const path of ['references/crlf.txt', 'references/marked.md']) {
      assertEqual(assertFound(await provider.readResource('bytes', path), path).bytes, byteFiles[path], `bytes of ${path}`);
    }
  },

  'read/as-listed': async ({ provide }) => {
    const provider = await provide(bytesLibrary);
    const { resources } = assertFound(await provider.getSkill('bytes'), 'bytes');
    assertEqual(resources.length, Object.keys(byteFiles).length, 'number of files');
    for (const { path, mediaType } of resources) {
      const resource = assertFound(await provider.readResource('bytes', path), path);
      assertEqual([resource.path, resource.mediaType], [path, mediaType], `path and media type of ${path}`);
      assertEqual(
        [resource.size, resource.bytes.length],
        [byteFiles[path]?.length, byteFiles[path]?.length],
        `size of ${path}, and of its bytes`,
      );
    }
  },

  'read/max-bytes': async ({ provide }) => {
    const provider = await provide(bytesLibrary);
    const whole = byteFiles[large] ?? new Uint8Array(0);
    for (const maxBytes of [0, 1, 255, 65_537, whole.length - 1, whole.length, whole.length + 1]) {
      const { bytes } = assertFound(await provider.readResource('bytes', large, { maxBytes }), `maxBytes ${maxBytes}`);
      assertEqual(bytes, whole.slice(0, maxBytes), `bytes with maxBytes ${maxBytes}`);
    }
  },

  'read/size-when-cut': async ({ provide }) => {
    const provider = await provide(bytesLibrary);
    for (const maxBytes of [0, 1, 65_537, 299_999, 300_000]) {
      const { size } = assertFound(await provider.readResource('bytes', large, { maxBytes }), `maxBytes ${maxBytes}`);
      assertEqual(size, 300_000, `size with maxBytes ${maxBytes}`);
    }
  },

  'read/odd-names': async ({ provide }) => {
    const provider = await provide(oddFilesLibrary);
    const { resources } = assertFound(await provider.getSkill('odd-files'), 'odd-files');
    assertEqual(resources.map(({ path }) => path).sort(), Object.keys(oddFiles).sort(), 'paths in the list');
    for (const [path, content] of Object.entries(oddFiles)) {
      assertEqual(
        new TextDecoder().decode(assertFound(await provider.readResource('odd-files', path), path).bytes),
        content,
        `contents of ${path}`,
      );
    }
  },

  'read/skill-md': async ({ provide, config }) => {
    const library = { ...everydayLibrary, ...lineEndsLibrary };
    const provider = await provide(library);
    for (const name of ['invoice-check', 'travel-plans', 'both', 'crlf', 'marked']) {
      const written = new TextEncoder().encode(String(library[`${name}/SKILL.md`]));
      const { resources } = assertFound(await provider.getSkill(name), name);
      assert(!resources.some(({ path }) => path.toLowerCase() === 'skill.md'), `SKILL.md is in the list of files of ${name}.`);
      for (const path of otherSkillMdPaths)
        assertEqual(await provider.readResource(name, path), null, `readResource(${JSON.stringify(name)}, ${JSON.stringify(path)})`);
      const raw = await provider.readResource(name, 'SKILL.md');
      if (config.abilities?.includes('raw') !== true) {
        assertEqual(raw, null, `SKILL.md of ${name}, of a source that does not declare \`raw\``);
        continue;
      }
      const { bytes, size } = assertFound(raw, `SKILL.md of ${name}`);
      assertEqual(bytes, written, `SKILL.md of ${name}`);
      const cut = assertFound(await provider.readResource(name, 'SKILL.md', { maxBytes: 5 }), `SKILL.md of ${name} with maxBytes`);
      assertEqual(
        [size, cut.size, cut.bytes],
        [written.length, written.length, written.slice(0, 5)],
        `size of SKILL.md of ${name}, and its first bytes`,
      );
    }
    assertEqual(await provider.readResource('no-such-skill', 'SKILL.md'), null, 'SKILL.md of an unknown skill');
  },
};
