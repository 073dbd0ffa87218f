import { expect, it } from 'vitest';
import { parseSkillFrontmatter, parseSkillMd } from '@repertoire/skills-core/skill-md';
import { propertyRuns } from '../../../test/support/property-runs.ts';
import { fileSystemSkillProvider } from '../src/index.ts';
import { temporaryFolder } from './temporary-folder.ts';

/** What a reader of the end of a frontmatter, or of its characters, could take for something else. */
const pieces = [
  '---\n', '--- \n', '----\n', ' ---\n', '---', '---\r\n', '\n', '\r\n', '\r', 'license: MIT\n', 'x: ---\n', 'description: Ends here.\n---\n', 'é: ü\n', 'x: \uFFFD\n', 'x: \0\n',
  'x: \u{1F600}\n', 'name: b\n', 'note: >-\n  one\n  ---\n', `long: ${'x'.repeat(4_090)}\n`,
]; // prettier-ignore
const starts = ['---\nname: a\n', '---\nname: a\ndescription: One.\n', '---\r\nname: a\r\n', '\n---\nname: a\n', '\uFEFF---\nname: a\n'];
const ends = ['', '---', '---\n', 'description: Two.\n---\nBody.\n', 'description: Three.\n---\r\nBody.\n'];
const contentCount = propertyRuns(400);
const brokenBytes = Buffer.from([0xc3, 0x28, 0x0a]);

/** Chooses the same in every run. */
function chooser(seed: number): { number(below: number): number; of<Item>(items: readonly Item[]): Item } {
  let state = seed;
  const number = (below: number): number => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
  return { number, of: (items) => items[number(items.length)] as (typeof items)[number] };
}

it('SRC-1: a listing reads a frontmatter as the parser of whole files does, however it ends', async () => {
  const some = chooser(5);
  const contents = Array.from({ length: contentCount }, () => {
    const middle = Array.from({ length: some.number(6) }, () => (some.number(10) === 0 ? brokenBytes : Buffer.from(some.of(pieces))));
    return Buffer.concat([Buffer.from(some.of(starts)), ...middle, Buffer.from(some.of(ends))]);
  });
  const folder = await temporaryFolder(Object.fromEntries(contents.map((bytes, index) => [`s${index}/a/SKILL.md`, bytes])));
  let skills = 0;
  for (const [index, bytes] of contents.entries()) {
    const path = folder.at(`s${index}/a/SKILL.md`);
    const listing = await fileSystemSkillProvider({ roots: [folder.at(`s${index}`)] }).listSkills();
    const parsed = parseSkillFrontmatter(bytes, { directoryName: 'a', path });
    const listed = listing.skills.map(({ origin: _origin, ...metadata }) => metadata);
    expect(listed, JSON.stringify(bytes.toString().slice(0, 300))).toEqual(parsed.metadata === null ? [] : [parsed.metadata]);
    expect(listing.diagnostics, JSON.stringify(bytes.toString().slice(0, 300))).toEqual(parsed.diagnostics);
    skills += listed.length;
  }
  // Files of which no skill can be made prove little.
  expect(skills).toBeGreaterThan(contentCount / 4);
});

it('SRC-1, FMT-3: a frontmatter that is too long is one diagnostic, the same at both levels and as the parser tells it', async () => {
  for (const [text, code] of [
    [`---\nname: long\ndescription: d\nmetadata:\n  x: ${'x'.repeat(20_000)}\n---\nBody.`, 'frontmatter-too-large'],
    [`---\nname: long\ndescription: ${'é'.repeat(20_000)}`, 'frontmatter-too-large'],
    [`---\nname: long\ndescription: d\n${' '.repeat(20_000)}`, 'frontmatter-too-large'],
    ['---\nname: long', 'frontmatter-unclosed'],
  ] as const) {
    const folder = await temporaryFolder({ 'long/SKILL.md': text });
    const listed = (await fileSystemSkillProvider({ roots: [folder.path] }).listSkills()).diagnostics;
    expect(listed.map((diagnostic) => diagnostic.code)).toEqual([code]);
    const parsed = parseSkillMd(text, { directoryName: 'long', path: folder.at('long/SKILL.md') }).diagnostics;
    expect(parsed.map(({ message, fix }) => [message, fix])).toEqual(listed.map(({ message, fix }) => [message, fix]));
  }
});
