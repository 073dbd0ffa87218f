import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parsePlainSkillFrontmatter, parsePlainSkillMd } from '@repertoire/skills-core/internal';
import { parseSkillFrontmatter, parseSkillMd } from '@repertoire/skills-core/skill-md';
import { parseByLibrary, parseYaml } from '../../src/format/parse-yaml.ts';
import { repairFrontmatter } from '../../src/format/repair-frontmatter.ts';
import { readPlainFields } from '../../src/format/read-plain-fields.ts';
import { frontmatterTexts } from './plain-frontmatter-texts.ts';

const typedKeys = new Set(['steps', 'hooks']);

describe('plain frontmatter', () => {
  it.each([
    'name: haiku\ndescription: Writes haiku. Use when a short poem is wanted.\nlicense: MIT\n',
    'name: haiku\ndescription: "Writes: haiku # five"\nargument-hint: \'[topic]\'\n',
    'description: >-\n  Writes haiku.\n  Use when: a poem # is wanted.\nname: haiku\n',
    'description: |\n    - one\n    - two\n',
    'metadata:\n  version: "1.0"\n  author: me\nallowed-tools:\n- Read\n- "Bash(git:*)"\ntags:\n  - a\n  - b\nversion: 1.10\n',
    "a: \"b\\n\"\nb: 'it''s'\nc: >\n  one\n\n  two\nd: >\n  one\n    two\n\n\n  three\ne: |\n  one\n",
    'name:\na: b\n\nc: d\ne: one\n  two, "three"\nf:\n  g:\n  h: i\n    j\n',
    "a: [b, \"c, d\", 'e''f', 1.10,]\nb: []\nc: [[x], {y: z}]\n",
    'metadata: {"a":{"b":"🔮","c":["d","e"]},"f": 1, g: h}\n',
    'metadata:\n  {\n    "a": { "b": ["c"] },\n    "d":\n      "e",\n  }\n',
    'metadata: {\n  "a": "b"\n}\n',
    'metadata:\n  a:\n    b:\n      - c\n      - d: e\n        f: [g]\n        h:\n        - i\n    j: k\n  l: m\n',
    'a:\n- b: |\n    c\n    d\n  e: f\n-   g: h\n    i: j\n- [k]\n- >-\n  l\n  m\n',
    'a:\n  - b\n    c\n',
    'a:\n  a text below its key\n  and more\nb:\n  "c: d"\n',
    '# comment\na: b\n  \n# comment\nb:\n  # comment\n  - c\n # comment\n  - d\n# comment\nc: |\n  e\n \n  f\n# comment\n',
    'a: |+\n  one\n\nb: >2-\n   one\n  two\nc: |1\n  one\n',
    'name: a\nname: b\nname: [c]\n',
    'a: *b\nc: *b\n',
    'a:  &Co text\nb: !important too\na: &Co text\nc: d\n',
    'a: b',
    'a: [b]\nc:\n  d: e',
    'a:\n- b\n  ',
    'a:',
    'name: a # comment\nb: 1.10  #  two #\n\nc: d #e\n# f\ng: h#i\n',
  ])('FMT-1: is read as the YAML parser reads it: %j', (text) => {
    expect(readPlainFields(text, typedKeys)).toEqual(parseByLibrary(text, typedKeys));
  });

  it.each([
    'description: Use when: always\n',
    'name: a\ndescription: Usage: /b <c> [d]: e\nmetadata: {"f": "g"}\n\ntags:\n  - h\n',
    'a: b: c: d\nd: |\n  e\nf: g\n  h\n',
    'a: "open\nb: "open\nc: "closed"\n',
    "a: 'open\n\nb: it's\n",
    'a: "Quoted" and not\n',
    "a: 'Quoted' and not",
    'a: [b, c d\ne: [f]\n',
    'a: {b\nc: d}\n',
    'a: @b c\nd: `e\nf: %g\n',
    'argument-hint: [topic] [date]\nb: [c-d]  [e] [f]\n',
    'a: &b &c d\ne: ! !f g\n',
  ])('FMT-3: a text that no parser accepts is repaired as behind the YAML parser: %j', (text) => {
    const whole = parseByLibrary(text, typedKeys);
    expect(whole.status).toBe('invalid');
    expect(readPlainFields(text, typedKeys)).toBeNull();
    expect(readPlainFields(text, typedKeys, true)).toEqual(repairFrontmatter(text, typedKeys, whole));
    // The repair reads a piece of several by the same reader, and one that is the whole by the parser.
    for (const piece of text.split(/(?<=\n)(?=[a-z]+:)/)) {
      const alone = parseByLibrary(piece, typedKeys);
      const repaired = alone.status === 'invalid' ? repairFrontmatter(piece, typedKeys, alone) : alone;
      expect(readPlainFields(piece, typedKeys, true)).toEqual(repaired);
    }
  });

  it.each([
    'a: b: "c"\n',
    'a: b: c:\n',
    'a: b:\n',
    'a: b: c\n  d\n',
    'a: b: c # d\n',
    '# e\na: b: c\n',
    'd: |+\n  e\n\na: b: c\n',
    'a: b: - c\n',
    `a: ${'b'.repeat(1_001)}: c\n`,
    'a: "b\n  c\n',
    'a: "b\\x\n',
    'a: "b\u3000\n',
    'a: "b" "c"\n',
    'a: [b\n]\n',
    'a: [b,,c\n',
    'a: "b\na: c\n',
    'a: "b\nc: &d e\n',
  ])('FMT-3: whose repair is less plain is left to it: %j', (text) => expect(readPlainFields(text, typedKeys, true)).toBeNull());

  it.each([
    '',
    'description: Use when: always\n',
    'a: &b c\nd: *b\n',
    'a: &b c # d\n',
    'a: &b "c"\n',
    'a: &b c\n  d\n',
    'a: !!str b\n',
    'a:\tb\n',
    'steps: b\n',
    '- a\n',
    'a: |\n  b',
    'a: [b',
    'a: >',
    'a: [b]c\n',
    'a: [b: c]\n',
    'a: {b: c, b: d}\n',
    'a: {b}\n',
    'a: {b:c}\n',
    'a: [b,,c]\n',
    'a: [b # c\n  ]\n',
    'a: [b c\n  d]\n',
    'a: [\n  b\n ]\nc:\n  d: {\n  }, e\n',
    'a:\n  b: {\n c: d }\n',
    'a: [b]: c\n',
    'a:\n  - - b\n',
    'a:\n  -\n    b: c\n',
    'a:\n  b: c\n   d: e\n',
    'a:\n  - b\n c: d\n',
    `a: ${'['.repeat(17)}${']'.repeat(17)}\n`,
    `a:\n${Array.from({ length: 17 }, (_, level) => `${' '.repeat(level + 1)}b:\n`).join('')}`,
    'a: one\n  # two\n',
    'a: # two\n  one\n',
    'a:\n# two\nb: c\n',
    'a: [b]\n  # two\n',
    'a: |\n  b\n  \n',
    'a: |\n  b\n   \n  c\n',
    'a: one\n\n  two\n',
    'a:\n  b: c\n d: e\n',
    'a: "\\x41"\n',
    'a: "b\n  c"\n',
    'a: b\u0085c\n',
    'a: \u00A0b\n',
    'a: \uD800\n',
  ])('FMT-1: what means more than it says is left to the YAML parser: %j', (text) => {
    expect(readPlainFields(text, typedKeys)).toBeNull();
  });

  it('FMT-1: an anchor behind a field that is there twice is text', () => {
    const { entries } = parseByLibrary('a: b\na: c\nd: &Co text\n', typedKeys);
    expect(entries.map(({ key, value }) => [key, value])).toEqual([
      ['a', 'b'],
      ['d', '&Co text'],
    ]);
  });

  // A million texts and more: FUZZ_RUNS=1000000 FUZZ_SEED=7 pnpm exec vitest run packages/skills-core/test/format/read-plain-fields
  const [numRuns, seed] = [Number(process.env['FUZZ_RUNS'] ?? 3_000), Number(process.env['FUZZ_SEED'] ?? 1)];

  it('FMT-1: whatever it reads, the YAML parser reads the same', () => {
    let read = 0;
    let behind = 0;
    fc.assert(
      fc.property(frontmatterTexts, fc.boolean(), (written, isOpen) => {
        // A piece of one has no line end at its end.
        const text = isOpen ? written.slice(0, -1) : written;
        const whole = parseByLibrary(text, typedKeys);
        // The start of it may be plain.
        const { readFrom, ...parsed } = parseYaml(text, typedKeys);
        if (!isDeepStrictEqual(parsed, whole)) expect(parsed, text).toEqual(whole);
        if (readFrom !== undefined) behind += 1;
        for (const repairs of [false, true]) {
          const reading = readPlainFields(text, typedKeys, repairs);
          if (reading === null) continue;
          read += 1;
          const same = repairs && whole.status === 'invalid' ? repairFrontmatter(text, typedKeys, whole) : whole;
          if (!isDeepStrictEqual(reading, same)) expect(reading, text).toEqual(same);
        }
      }),
      { numRuns, seed },
    );
    // Texts that it leaves to the parser prove nothing.
    expect(read).toBeGreaterThan(numRuns / 8);
    expect(behind).toBeGreaterThan(numRuns / 100);
  }, 3_600_000);

  it('FMT-1: without the parser a file gives the same level 1, body and diagnostics, or nothing', () => {
    const options = { directoryName: 'haiku', path: '/haiku/SKILL.md' };
    const files = [
      ['---\nname: Haiku\ndescription: Writes haiku.\ndescripton: x\n---\n\nBody.\n', true],
      ['---\nname: haiku\n---\n', true],
      ['No frontmatter.', true],
      ['---\nname: haiku\n', true],
      ['\uFEFF---\r\nname: haiku\r\ndescription: >-\r\n  Writes\r\n  haiku.\r\n---\r\nBody.', true],
      ['---\nname: haiku\ndescription: Use when: asked.\n---\n', 'lenient'],
      ['---\nname: haiku\ndescription: Writes haiku. # five\n---\n', true],
      ['---\nname: haiku\ndescription: Writes haiku.\nargument-hint: [topic] [form]\n---\n', 'lenient'],
      ['---\nname: haiku\ndescription: Writes haiku.\ntags: [poem, { form: short }]\n---\n', true],
      ['---\nname: haiku\ndescription: Writes haiku.\nsteps:\n  - name: a\n---\n', false],
    ] as const;
    for (const profile of ['lenient', 'strict'] as const) {
      for (const [file, read] of files) {
        // A colon is repaired in the lenient profile only.
        const isPlain = read === true || read === profile;
        expect(parsePlainSkillMd(file, { ...options, profile })).toEqual(isPlain ? parseSkillMd(file, { ...options, profile }) : null);
        const { metadata, diagnostics } = parseSkillFrontmatter(file, { ...options, profile });
        expect(parsePlainSkillFrontmatter(file, { ...options, profile })).toEqual(isPlain ? { metadata, diagnostics } : null);
      }
    }
  });

  it.each(['lenient', 'strict'] as const)('FMT-1: level 1 has no use for the types of hooks: %s', (profile) => {
    const file = '---\nname: haiku\ndescription: Writes haiku.\nhooks:\n  Stop:\n    - command: "check"\n      times: 2\n---\n';
    const options = { directoryName: 'haiku', profile };
    const { metadata, diagnostics } = parseSkillFrontmatter(file, options);
    expect(parsePlainSkillFrontmatter(file, options)).toEqual({ metadata, diagnostics });
    expect(parsePlainSkillMd(file, options)).toBeNull();
  });
});
