import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseYaml } from '../../src/format/parse-yaml.ts';
import { readFlatFields } from '../../src/format/read-flat-fields.ts';

const typedKeys = new Set(['steps', 'hooks']);

/** What the YAML parser says. A first field that is not plain keeps it from the short way. */
function byParser(text: string): unknown {
  const first = '? "\\0x"\n: 1\n';
  const { entries, ...rest } = parseYaml(first + text, typedKeys);
  return { ...rest, entries: entries.slice(1).map((entry) => ({ ...entry, offset: entry.offset - first.length })) };
}

describe('plain frontmatter', () => {
  it.each([
    'name: haiku\ndescription: Writes haiku. Use when a short poem is wanted.\nlicense: MIT\n',
    'name: haiku\ndescription: "Writes: haiku # five"\nargument-hint: \'[topic]\'\n',
    'description: >-\n  Writes haiku.\n  Use when: a poem # is wanted.\nname: haiku\n',
    'description: |\n    - one\n    - two\n',
    'metadata:\n  version: "1.0"\n  author: me\nallowed-tools:\n- Read\n- "Bash(git:*)"\ntags:\n  - a\n  - b\nversion: 1.10\n',
    "a: \"b\\n\"\nb: 'it''s'\nc: >\n  one\n\n  two\nd: >\n  one\n    two\ne: |+\n  one\n",
  ])('FMT-1: is read as the YAML parser reads it: %j', (text) => {
    expect({ status: 'mapping', issues: [], entries: readFlatFields(text, typedKeys) }).toEqual(byParser(text));
  });

  it.each([
    '',
    '# comment\nname: a\n',
    'name: a # comment\n',
    'description: Use when: always\n',
    'name: a\nname: b\n',
    'name:\n',
    'a: [b]\n',
    'a: *b\n',
    'a: one\n  two\n',
    'a:\n  b:\n    c: d\n',
    'a: b\n\nc: d\n',
    'a:\tb\n',
    'steps: b\n',
    '- a\n',
  ])('FMT-1: what means more than it says is left to the YAML parser: %j', (text) => {
    expect(readFlatFields(text, typedKeys)).toBeNull();
  });

  it('FMT-1: whatever it reads, the YAML parser reads the same', () => {
    const pieces = [
      'a',
      'key',
      'key: ',
      ':',
      ' ',
      '  ',
      '\n',
      '- ',
      '"',
      "'",
      '#',
      ' #',
      '1.10',
      'x: y',
      '|',
      '>',
      '>-\n',
      '|\n',
      '[',
      ']',
      '{',
      '&',
      '*',
      '!',
      '%',
      '@',
      '`',
      ',',
      '? ',
      '~',
      '...',
      '---',
      '\t',
      'é',
      '世',
      '\u00A0',
      '\u0085',
      '\\',
      '/',
      '(',
      '$',
      '<',
      'k: v\n',
      'm:\n',
      '  s: t\n',
      '  - i\n',
      '- i\n',
      '  text: here\n',
      '   odd\n',
      '\u{1F600}',
    ];
    const texts = fc.array(fc.constantFrom(...pieces), { minLength: 1, maxLength: 8 }).map((parts) => `k0: v\n${parts.join('')}`);
    fc.assert(
      fc.property(texts, (text) => {
        const entries = readFlatFields(text, typedKeys);
        fc.pre(entries !== null);
        expect({ status: 'mapping', issues: [], entries }).toEqual(byParser(text));
      }),
      { numRuns: 1_000, seed: 1, maxSkipsPerRun: 1_000 },
    );
  });
});
