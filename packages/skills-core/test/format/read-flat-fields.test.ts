import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parsePlainSkillFrontmatter } from '@repertoire/skills-core/internal';
import { parsePlainSkillMd } from '@repertoire/skills-core/provider';
import { parseSkillFrontmatter, parseSkillMd } from '@repertoire/skills-core/skill-md';
import { parseByLibrary } from '../../src/format/parse-yaml.ts';
import { readFlatFields } from '../../src/format/read-flat-fields.ts';
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
  ])('FMT-1: is read as the YAML parser reads it: %j', (text) => {
    expect({ status: 'mapping', issues: [], entries: readFlatFields(text, typedKeys) }).toEqual(parseByLibrary(text, typedKeys));
  });

  it.each([
    '',
    '# comment\nname: a\n',
    'name: a # comment\n',
    'description: Use when: always\n',
    'name: a\nname: b\n',
    'a: [b]\n',
    'a: *b\n',
    'a:\n  b:\n    c: d\n',
    'a:\tb\n',
    'steps: b\n',
    '- a\n',
    'a: b',
    'a: [b',
    'a: one\n  # two\n',
    'a: one\n\n  two\n',
    'a: |+\n  one\n',
    'a: |2\n  one\n',
    'a: >\n  one\n   \n  two\n',
    'a:\n  b: c\n d: e\n',
    'a:\n  - b\n    c\n',
    'a:\n  - b: c\n',
    'a: "\\x41"\n',
    'a: "b\n  c"\n',
    'a: b\u0085c\n',
    'a: \u00A0b\n',
    'a: \uD800\n',
  ])('FMT-1: what means more than it says is left to the YAML parser: %j', (text) => {
    expect(readFlatFields(text, typedKeys)).toBeNull();
  });

  // A million texts and more: FUZZ_RUNS=1000000 FUZZ_SEED=7 pnpm exec vitest run packages/skills-core/test/format/read-flat-fields
  const [numRuns, seed] = [Number(process.env['FUZZ_RUNS'] ?? 3_000), Number(process.env['FUZZ_SEED'] ?? 1)];

  it('FMT-1: whatever it reads, the YAML parser reads the same', () => {
    let read = 0;
    fc.assert(
      fc.property(frontmatterTexts, (text) => {
        const entries = readFlatFields(text, typedKeys);
        if (entries === null) return;
        read += 1;
        if (!isDeepStrictEqual({ status: 'mapping', issues: [], entries }, parseByLibrary(text, typedKeys)))
          expect({ status: 'mapping', issues: [], entries }).toEqual(parseByLibrary(text, typedKeys));
      }),
      { numRuns, seed },
    );
    // Texts that it leaves to the parser prove nothing.
    expect(read).toBeGreaterThan(numRuns / 20);
  }, 3_600_000);

  it('FMT-1: without the parser a file gives the same level 1, body and diagnostics, or nothing', () => {
    const options = { directoryName: 'haiku', path: '/haiku/SKILL.md' };
    const files = [
      ['---\nname: Haiku\ndescription: Writes haiku.\ndescripton: x\n---\n\nBody.\n', true],
      ['---\nname: haiku\n---\n', true],
      ['No frontmatter.', true],
      ['---\nname: haiku\n', true],
      ['\uFEFF---\r\nname: haiku\r\ndescription: >-\r\n  Writes\r\n  haiku.\r\n---\r\nBody.', true],
      ['---\nname: haiku\ndescription: Use when: asked.\n---\n', false],
      ['---\nname: haiku\ndescription: Writes haiku. # five\n---\n', false],
      ['---\nname: haiku\ndescription: Writes haiku.\nsteps:\n  - name: a\n---\n', false],
    ] as const;
    for (const profile of ['lenient', 'strict'] as const) {
      for (const [file, isPlain] of files) {
        expect(parsePlainSkillMd(file, { ...options, profile })).toEqual(isPlain ? parseSkillMd(file, { ...options, profile }) : null);
        const { metadata, diagnostics } = parseSkillFrontmatter(file, { ...options, profile });
        expect(parsePlainSkillFrontmatter(file, { ...options, profile })).toEqual(isPlain ? { metadata, diagnostics } : null);
      }
    }
  });
});
