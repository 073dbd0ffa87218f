import { skillEntry } from '@modelcontextprotocol/server/ext/skills';
import { isJsonObject, parsePlainSkillFrontmatter } from '@repertoire/skills-core/internal';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseCoreYaml } from '@repertoire/skills-core/skill-md';
import { entryProblems } from '../src/provider/entry-problems.ts';
import { metadataOfFrontmatter, skillMdOfFrontmatter } from '../src/provider/metadata-of-frontmatter.ts';
import { readCoreYaml, readTexts } from '../src/provider/read-core-yaml.ts';
import { isPlainToAll } from '../src/server/official-problems.ts';

const ambiguous = '|~|null|Null|true|True|False|FALSE|yes|1|-1|+1|1.0|1.|.5|1e3|1.0.0|0x1F|0o7|0b1|.inf|-.INF|.nan|NaN'.split('|');
const odd = [
  'a: b',
  '# no',
  'a #b',
  '[a]',
  '{a: b}',
  '&a b',
  '*a',
  '!!str 1',
  '- a',
  '? a',
  '| ',
  '>',
  '@a',
  '`a`',
  '%a',
  '\u00A0a',
  'a\tb',
  '---',
  '...',
];
const scalar = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.constantFrom(
      'text',
      'two words',
      'a:b',
      'é',
      '\u{1F600}',
      'x1',
      'Use it when: never',
      'nullable',
      'true story',
      '1.0-rc',
    ),
  },
  { weight: 3, arbitrary: fc.constantFrom(...ambiguous) },
  { weight: 1, arbitrary: fc.constantFrom(...odd) },
  { weight: 1, arbitrary: fc.string({ maxLength: 8 }) },
);
const written = fc.oneof(
  scalar,
  scalar.map((text) => JSON.stringify(text)),
  scalar.map((text) => `'${text.replaceAll("'", "''")}'`),
);
const key = fc.oneof(
  { weight: 8, arbitrary: fc.constantFrom('name', 'description', 'a', 'b-c', 'x.y', 'license', 'metadata', 'version', '_z') },
  { weight: 1, arbitrary: fc.constantFrom('null', 'Null', 'true', '~', '1', '__proto__', 'steps', '"q"', '.nan') },
);
const line = fc.tuple(key, written).map(([name, value]) => `${name}: ${value}`.trimEnd());
const below = (name: string, lines: readonly string[]): string => [name, ...lines.map((one) => (one === '' ? '' : `  ${one}`))].join('\n');
const block = fc
  .tuple(key, fc.constantFrom('|', '>', '|-', '>-'), fc.array(fc.oneof(scalar, fc.constant('')), { minLength: 1, maxLength: 3 }))
  .map(([name, mark, lines]) => below(`${name}: ${mark}`, lines));
const map = fc.tuple(key, fc.array(line, { minLength: 1, maxLength: 2 })).map(([name, lines]) => below(`${name}:`, lines));
const list = fc.tuple(key, fc.array(written, { minLength: 1, maxLength: 2 })).map(([name, items]) =>
  below(
    `${name}:`,
    items.map((item) => `- ${item}`),
  ),
);
const end = fc.oneof({ weight: 9, arbitrary: fc.constant('\n') }, { weight: 1, arbitrary: fc.constantFrom('', '\n\n', '\r\n') });
const text = fc
  .tuple(fc.array(fc.oneof(line, block, map, list), { minLength: 1, maxLength: 3 }), end)
  .map(([parts, last]) => parts.join('\n') + last);

/** What a reader answers as JSON, or that it refuses. */
function outcome(read: (text: string) => unknown, given: string): string {
  try {
    return JSON.stringify(read(given)) ?? 'nothing';
  } catch {
    return 'refused';
  }
}

describe('frontmatter as JSON', () => {
  // Many more: FUZZ_RUNS=1000000 FUZZ_SEED=7 pnpm exec vitest run packages/skill-mcp/test/core-yaml
  const [numRuns, seed] = [Number(process.env['FUZZ_RUNS'] ?? 3_000), Number(process.env['FUZZ_SEED'] ?? 1)];

  it('SRC-6: is what the YAML library reads by the core schema, whether it was asked or not', () => {
    let read = 0;
    fc.assert(
      fc.property(text, (given) => {
        if (readTexts(given) !== null) read += 1;
        expect(outcome(readCoreYaml, given)).toBe(outcome(parseCoreYaml, given));
      }),
      { numRuns, seed },
    );
    // Texts that are left to the library prove nothing.
    expect(read).toBeGreaterThan(numRuns / 10);
    expect(readTexts('a: true\nb: text\n')).toEqual({ a: true, b: 'text' });
  }, 3_600_000);

  it('SRC-6: is what the official parser reads, wherever that is not asked', async () => {
    let plain = 0;
    const tryOne = async (given: string): Promise<void> => {
      const head = `---\nname: maps\ndescription: Draws maps.\n${given}---\n`;
      let read: unknown;
      try {
        read = readCoreYaml(head.slice(4, -4));
      } catch {
        return;
      }
      if (!isJsonObject(read) || entryProblems(read, 'maps').length > 0 || !isPlainToAll(head, read)) return;
      plain += 1;
      expect((await skillEntry('maps', { 'SKILL.md': head })).frontmatter).toEqual(read);
    };
    await fc.assert(fc.asyncProperty(text, tryOne), { numRuns, seed });
    expect(plain).toBeGreaterThan(numRuns / 50);
  }, 3_600_000);

  it.each([
    { name: 'maps', description: 'Draws "maps":\n# not a comment', metadata: { version: '1.0.0', tags: ['a', 'b: c'] } },
    { name: 'maps', description: 'Draws.', 'disable-model-invocation': true, 'allowed-tools': ['Bash(git:*)', 'Read'], version: 1.5 },
    { name: 'maps', description: 'Draws é.', when_to_use: '', 'argument-hint': ['file'], 'x.y': { a: { b: [] } } },
  ])('SRC-6: as JSON, it is level 1 without the YAML parser: %j', (frontmatter) => {
    const read = parsePlainSkillFrontmatter(skillMdOfFrontmatter(frontmatter));
    expect(read?.metadata).toEqual(metadataOfFrontmatter(frontmatter, 'maps', '').metadata);
    expect(read?.metadata?.description).toBe(frontmatter.description);
  });

  it.each([
    [
      'name: maps\ndescription: Draws "maps".\nmetadata:\n  version: "1.0.0"\n',
      { name: 'maps', description: 'Draws "maps".', metadata: { version: '1.0.0' } },
    ],
    ['a: 1.0\nb: "1.0"\nc: true\nd:\n  - ~\n  - x\ne: |-\n  null\n', { a: 1, b: '1.0', c: true, d: [null, 'x'], e: 'null' }],
    [
      'a: true\nb: "true"\nc: false\nd: |-\n  e: true\ne: \'false\'\nf:\n  a: true\n',
      { a: true, b: 'true', c: false, d: 'e: true', e: 'false', f: { a: true } },
    ],
    ['null: a\n', { '': 'a' }],
  ])('SRC-6: keeps texts and numbers apart: %j', (given, expected) => expect(readCoreYaml(given)).toEqual(expected));

  it.each([
    ['brackets', `x: ${'}]'.repeat(8_000)}\n`],
    ['keys', Array.from({ length: 2_000 }, (_, index) => `k${index}: 1\n`).join('')],
    ['lists', `x: [${','.repeat(16_000)}]\n`],
    ['colons', `x: ${': '.repeat(8_000)}\n`],
    ['anchors', `x: ${'&a '.repeat(5_000)}\n`],
    ['bangs', `x: ${'! '.repeat(8_000)}\n`],
    ['escapes', `x: "${'\\x'.repeat(8_000)}"\n`],
    ['questions', `x:\n  ${'? '.repeat(8_000)}\n`],
    ['dashes', `x:\n  ${'- '.repeat(8_000)}\n`],
    ['broken lines', Array.from({ length: 1_300 }, (_, index) => `k${index}: a: b\n`).join('')],
    ['maps in maps', `x: ${'{a: '.repeat(3_000)}${'}'.repeat(3_000)}\n`],
    ['aliases', `b: &b v\n${Array.from({ length: 1_500 }, (_, index) => `k${index}: *b\n`).join('')}`],
    ['merges', `b: &b {a: 1}\nx:\n${'  <<: *b\n'.repeat(1_600)}`],
    ['one key many times', 'x: 1\n'.repeat(3_000)],
    ['tags', Array.from({ length: 1_300 }, (_, index) => `k${index}: !a b\n`).join('')],
  ])('SRC-6: does not ask the library about what would cost it long: %s (ATK-34)', (_, given) => {
    expect(() => readCoreYaml(given)).toThrow('parsing it could take very long');
  });
});
