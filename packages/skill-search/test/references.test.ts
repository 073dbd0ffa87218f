import { SkillRegistry, type SkillDefinition, type SkillProvider } from '@repertoire/skills-core';
import { fixedSkillProvider } from '@repertoire/skills-core/internal';
import { resourceEntry } from '@repertoire/skills-core/provider';
import { describe, expect, it } from 'vitest';
import { createSkillSearch, type SkillSearchOptions } from '../src/index.ts';
import { names } from './support/names.ts';

const shelf: SkillDefinition[] = [
  {
    name: 'invoices',
    description: 'Drafts invoices.',
    body: 'Ask for the number first.',
    resources: {
      'references/vat.md': '# Reverse charge\n\nWithin the union, the customer owes it.',
      'references/notes.txt': 'Withholding applies in Portugal.',
      'references/logo.png': new Uint8Array([0x89, 0x50, 0, 1]),
      'references/broken.md': new Uint8Array([0xff, 0xc0, 0xc1]),
      'scripts/run.py': 'print("dunning")',
      'notes.md': 'Escalation of reminders.',
    },
  },
  { name: 'refunds', description: 'Gives money back.', body: 'Check the customer.' },
];

const patient = { maxWaitMs: Number.POSITIVE_INFINITY, readTimeoutMs: Number.POSITIVE_INFINITY, onDiagnostic: () => {} };
const open = (options: SkillSearchOptions = {}, provider: SkillProvider = new SkillRegistry({ skills: shelf })) =>
  createSkillSearch(provider, { ...patient, ...options });

/** A provider whose files are counted, and can fail. */
function counted(skills: SkillDefinition[] = shelf) {
  const provider = fixedSkillProvider(skills);
  const read: { path: string; maxBytes: number | undefined }[] = [];
  const failing = new Set<string>();
  return {
    read,
    failing,
    provider: {
      ...provider,
      readResource: async (name, path, options) => {
        if (path !== 'SKILL.md') read.push({ path, maxBytes: options?.maxBytes });
        if (failing.has(path)) throw new Error('the page is torn');
        return await provider.readResource(name, path, options);
      },
    } satisfies SkillProvider,
  };
}

describe('DIS-14: references as a field of a search', () => {
  it('finds a skill by what only its references say, and names the field', async () => {
    const search = open({ references: true });
    const { candidates } = await search.search('is there a reverse charge?');
    expect(candidates).toMatchObject([{ name: 'invoices', matches: expect.arrayContaining([{ text: 'charge', fields: ['references'] }]) }]);
    expect(await names(search, 'withholding in Portugal')).toEqual(['invoices']);
    // The instructions of a skill count more than what others say on the side.
    expect(await names(search, 'customer')).toEqual(['refunds', 'invoices']);
  });

  it('reads no file without the option, and only Markdown and plain text of references with it', async () => {
    const { provider, read } = counted();
    expect(await names(open({}, provider), 'reverse charge')).toEqual([]);
    expect(read).toEqual([]);
    const search = open({ references: true }, provider);
    expect(await names(search, 'dunning escalation')).toEqual([]);
    expect(read.map(({ path }) => path)).toEqual(['references/broken.md', 'references/notes.txt', 'references/vat.md']);
    expect(await search.refresh()).toMatchObject({ due: 0, unread: 0, diagnostics: [] });
  });

  it('is for the skills that the host names, and follows their bodies', async () => {
    const { provider, read } = counted();
    expect(await names(open({ references: ({ name }) => name === 'refunds' }, provider), 'reverse charge')).toEqual([]);
    expect(await names(open({ bodies: false, references: true }, provider), 'reverse charge')).toEqual([]);
    expect(read).toEqual([]);
  });

  it('keeps the order of answers that no reference changes', async () => {
    const without = shelf.map(({ name, description, body }) => ({ name, description, body }));
    const query = 'the number of a customer';
    expect(await open({ references: true }, new SkillRegistry({ skills: without })).search(query)).toEqual(await open({}).search(query));
  });

  it('searches instructions where a reference fails, says so, and reads it again', async () => {
    const { provider, failing } = counted();
    failing.add('references/vat.md');
    const search = open({ references: true, staleAfterMs: 0 }, provider);
    expect(await search.search('number')).toMatchObject({
      candidates: [{ name: 'invoices' }],
      partial: true,
      diagnostics: [{ code: 'search-skill-unread', skill: 'invoices' }],
    });
    expect(await search.refresh()).toMatchObject({ due: 0, unread: 1 });
    failing.clear();
    expect(await search.search('reverse charge')).toMatchObject({ candidates: [{ name: 'invoices' }], partial: false, diagnostics: [] });
  });

  it('reads at most so many bytes and files, and says what is cut', async () => {
    const page = `${'word '.repeat(20_000)} latecomer`;
    const many = Object.fromEntries(
      Array.from({ length: 40 }, (_, index) => [`references/${String(index).padStart(2, '0')}.md`, `number${index}`]),
    );
    const pages = Object.fromEntries(['a', 'b', 'c', 'd', 'e'].map((name) => [`references/${name}.md`, page]));
    const skills: SkillDefinition[] = [
      { name: 'one', description: 'One.', body: '', resources: { 'references/a.md': page } },
      { name: 'many', description: 'Many.', body: '', resources: many },
      { name: 'pages', description: 'Pages.', body: '', resources: pages },
      { name: 'small', description: 'Small.', body: '', resources: { 'references/a.md': 'tiny' } },
    ];
    const { provider, read } = counted(skills);
    const search = open({ references: true, concurrency: 1 }, provider);
    expect(await names(search, 'latecomer')).toEqual([]);
    expect(await names(search, 'number31')).toEqual(['many']);
    expect(await names(search, 'number32')).toEqual([]);
    expect(Math.max(...read.map(({ maxBytes }) => maxBytes ?? Number.POSITIVE_INFINITY))).toBe(65_536);
    expect(read).toHaveLength(1 + 32 + 4 + 1);
    const { diagnostics, due } = await search.refresh();
    expect(due).toBe(0);
    expect(diagnostics).toMatchObject([
      { code: 'search-references-cut', severity: 'info', message: expect.stringMatching(/^Some references of 3 skills are not searched/) },
    ]);
  });

  it('reads at most 64 MiB in all, and makes room when a skill is gone', async () => {
    // No text, so that the test does not spend its time on words.
    const page = new Uint8Array(65_536).fill(0xff);
    let count = 258;
    let taken = 0;
    const metadata = (index: number) => ({ name: `s${index}`, version: null, description: 'A skill.' });
    const resources = ['a', 'b', 'c', 'd'].map((name) => resourceEntry(`references/${name}.md`));
    const provider: SkillProvider = {
      label: 'large',
      listSkills: async () => ({ skills: Array.from({ length: count }, (_, index) => metadata(index)), diagnostics: [], complete: true }),
      getSkill: async (name) => ({ ...metadata(Number(name.slice(1))), body: '', resources, diagnostics: [] }),
      readResource: async (_, path, { maxBytes } = {}) => {
        const bytes = page.subarray(0, maxBytes);
        taken += bytes.length;
        return { path, bytes, size: page.length, mediaType: 'text/markdown' };
      },
    };
    const search = open({ references: true }, provider);
    expect(await search.refresh()).toMatchObject({
      due: 0,
      diagnostics: [{ code: 'search-references-cut', message: expect.stringMatching(/of 2 skills/) }],
    });
    expect(taken).toBe(67_108_864);
    count = 1;
    expect((await search.refresh()).diagnostics).toEqual([]);
  });

  it('is part of an index that is written, which needs no option to be used', async () => {
    const written = open({ references: true });
    await written.refresh();
    const index = written.exportIndex();
    const { provider, read } = counted();
    for (const references of [true, false]) {
      const search = open({ index, references }, provider);
      expect(await names(search, 'reverse charge')).toEqual(['invoices']);
      expect(await search.refresh()).toMatchObject({ due: 0, diagnostics: [] });
    }
    expect(read).toEqual([]);
  });

  it('is added to an index that was written without', async () => {
    const written = open();
    await written.refresh();
    const search = open({ index: written.exportIndex(), references: true });
    expect(await names(search, 'reverse charge')).toEqual(['invoices']);
    expect(await search.refresh()).toMatchObject({ due: 0, diagnostics: [{ code: 'search-index-stale' }] });
  });
});
