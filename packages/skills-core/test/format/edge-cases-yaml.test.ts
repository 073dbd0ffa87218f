import { describe, expect, it } from 'vitest';
import { parseYaml } from '../../src/format/parse-yaml.ts';
import { parseSkillMd, type ParsedSkillMd, type ParseSkillMdOptions } from '@repertoire/skills-core/skill-md';

function lenient(frontmatter: string, options: ParseSkillMdOptions = {}): ParsedSkillMd {
  return parseSkillMd(`---\n${frontmatter}\n---\nBody.\n`, options);
}

function codesOf({ diagnostics }: Pick<ParsedSkillMd, 'diagnostics'>): string[] {
  return diagnostics.map(({ severity, code, line }) => `${line} ${severity} ${code}`);
}

const base = 'name: d\ndescription: Does things.';

describe('YAML that is none', () => {
  it.each([
    ['Writes haiku: five, seven, five', 'Writes haiku: five, seven, five'],
    ['[beta] Does things', '[beta] Does things'],
    ['{name} is the user', '{name} is the user'],
    ['@mentions people', '@mentions people'],
    ['`npm` for people', '`npm` for people'],
    ['%s formats', '%s formats'],
    [', oddly', ', oddly'],
    ['|text', '|text'],
    ['>text', '>text'],
    ['- a dash', '- a dash'],
    ['"quoted" and more', '"quoted" and more'],
    ['"Use "X" for Y"', 'Use "X" for Y'],
    ["'It's a thing'", "It's a thing"],
    ['*star and more', '*star and more'],
    ['Say: hello: # not a comment', 'Say: hello: # not a comment'],
    ['First: line\n  second line\n\n  new paragraph', 'First: line second line\nnew paragraph'],
    ['Starts: here\ngoes on without indentation', 'Starts: here goes on without indentation'],
    ['|\n  Block: text\n not indented enough', 'Block: text\nnot indented enough'],
  ])('EDGE-8 FMT-3: mends the value %j, and keeps the other fields', (written, read) => {
    const parsed = lenient(`name: d\nlicense: MIT\ndescription: ${written}\nversion: 1.10`);
    expect(parsed.metadata).toEqual({ name: 'd', description: read, license: 'MIT', version: '1.10' });
    expect(codesOf(parsed)).toEqual(['4 warning yaml-repaired']);
    expect(parsed.diagnostics[0]?.message).toMatch(/^The value of "description" is not valid YAML \(.+\); it was read as plain text\.$/);
    expect(lenient(`name: d\ndescription: ${written}`, { profile: 'strict' }).metadata).toBeNull();
  });

  it.each([
    ['&Co makes things', 'yaml-anchor'],
    ['!important thing', 'yaml-tag'],
    ['*.html', 'yaml-unresolved-alias'],
  ])('EDGE-8 FMT-3: reads the text %j as text though YAML means something else', (written, code) => {
    const parsed = lenient(`name: d\ndescription: ${written}`);
    expect(parsed.metadata?.description).toBe(written);
    expect(codesOf(parsed)).toEqual([`3 warning ${code}`]);
  });

  it('EDGE-8 FMT-3: warns where a " #" cuts a description short', () => {
    const parsed = lenient('name: d\ndescription: Fixes issue#1 and # more\nlicense: MIT # really');
    expect(parsed.metadata).toMatchObject({ description: 'Fixes issue#1 and', license: 'MIT' });
    expect(codesOf(parsed)).toEqual(['3 warning inline-comment']);
    const empty = lenient('name: d\ndescription: # all gone');
    expect(empty.metadata).toBeNull();
    expect(empty.diagnostics[0]).toMatchObject({
      code: 'description-missing',
      message: expect.stringContaining('"# all gone" is a comment'),
      fix: 'Add "description:" with what the skill does and when to use it.',
    });
    expect(lenient('name: d\ndescription: >- # a header comment\n  Text # in the block').diagnostics).toEqual([]);
  });

  it('EDGE-9 FMT-3: aliases of nothing are text, also where they stand in lists', () => {
    const parsed = lenient(`${base}\npaths: **/*.ts\nglobs: *.html, *.css\nlist:\n  - *.md\n  - ok`);
    expect(parsed.metadata).toEqual({
      name: 'd',
      version: null,
      description: 'Does things.',
      fields: { paths: '**/*.ts', globs: '*.html, *.css', list: ['*.md', 'ok'] },
    });
    expect(parsed.diagnostics.every(({ severity }) => severity === 'warning')).toBe(true);
    expect(lenient(`${base}\nlicense: *.html`, { profile: 'strict' }).metadata).toBeNull();
  });

  it('EDGE-9 FMT-3: aliases of something are what they stand for', () => {
    const parsed = lenient(`${base}\nx: &shared\n  a: 1\ny: *shared\nz: [*shared, b]`);
    expect(parsed.metadata?.fields).toEqual({ x: { a: '1' }, y: { a: '1' }, z: [{ a: '1' }, 'b'] });
    expect(parsed.diagnostics).toEqual([]);
    expect(parsed.metadata?.fields?.['x']).not.toBe(parsed.metadata?.fields?.['y']);
  });

  it('EDGE-10 FMT-3: alias bombs, cycles and deep nesting are bounded', () => {
    const levels = Array.from(
      { length: 12 },
      (_, index) =>
        `l${index}: &l${index} [${
          index === 0
            ? 'lol'
            : Array(9)
                .fill(`*l${index - 1}`)
                .join(', ')
        }]`,
    );
    const bomb = lenient(`${base}\n${levels.join('\n')}`);
    expect(bomb.metadata?.name).toBe('d');
    expect(JSON.stringify(bomb.frontmatter).length).toBeLessThan(10_000);
    expect(codesOf(bomb).filter((code) => code.includes('warning')).length).toBeGreaterThan(0);
    expect(codesOf(lenient(`${base}\n${levels.join('\n')}`, { profile: 'strict' }))).toContain('2 error yaml-limit');

    const cycle = lenient(`${base}\nx: &x [a, *x]`);
    expect(cycle.metadata?.fields).toEqual({ x: ['a', '*x'] });

    for (const [open, close] of [
      ['[', ']'],
      ['{a: ', '}'],
    ] as const) {
      const nested = (depth: number) => lenient(`${base}\nx: ${open.repeat(depth)}b${close.repeat(depth)}`);
      expect(nested(100).metadata?.name).toBe('d');
      expect(typeof nested(100).frontmatter['x']).toBe('string');
      expect(codesOf(nested(129))).toEqual(['2 error frontmatter-too-complex']);
    }
  });

  it('EDGE-10 FMT-3: front matter that would take a parser long is not parsed, however it is written (ATK-31)', () => {
    // Without a tab, some of it needs no parser.
    const codes = (more: string) => codesOf(lenient(`${base}\t\n${more}`)).filter((code) => code.includes('too-complex'));
    const limits: readonly (readonly [string, (count: number) => string, number])[] = [
      ['brackets', (count) => `x: "${'}'.repeat(count)}"`, 256],
      ['backslashes', (count) => `x: '${'\\'.repeat(count)}'`, 512],
      ['commas', (count) => `x: "${','.repeat(count)}"`, 512],
      // Three of them end the keys.
      ['colons', (count) => `x: "${': '.repeat(count - 3)}"`, 128],
      ['bangs', (count) => `x: ${'! '.repeat(count)}`, 128],
      ['anchors', (count) => `x: ${'&a '.repeat(count)}`, 128],
      ['aliases', (count) => `b: &b v\nx: [${'*b, '.repeat(count - 1)}]`, 128],
      // Two lines stand above, and each line end begins another.
      ['lines', (count) => '\n'.repeat(count - 4), 400],
      ['quotes', (count) => `x: '${'"'.repeat(count)}'`, 400],
      ['indentation', (count) => `x:\n${' '.repeat(count)}y: z`, 100],
      ['levels of lists', (count) => `x:\n${'- '.repeat(count / 2)}y`, 100],
    ];
    for (const [what, write, most] of limits) {
      expect([what, codes(write(most))]).toEqual([what, []]);
      expect([what, codes(write(most + 2))]).toEqual([what, ['2 error frontmatter-too-complex']]);
    }
    expect(lenient(`${base}\t\nx: "${'}'.repeat(300)}"`).metadata).toBeNull();
    expect(lenient(`${base}\nx: "${'}'.repeat(300)}"`).metadata?.fields).toEqual({ x: '}'.repeat(300) });
    expect(codes(`x:\n  ${'- '.repeat(60)}\ny: z`)).toEqual(['2 error frontmatter-too-complex']);
    // Neither rules nor blank lines are levels.
    expect(codes(`${' '.repeat(300)}\nx: ${'-'.repeat(300)}\n# ${'- '.repeat(300)}`)).toEqual([]);
  });

  it('EDGE-10 FMT-3: text that aliases repeat counts against ten times the length of the text, or 10,000 characters', () => {
    const repeated = (length: number, times: number) =>
      codesOf(
        lenient(`${base}\nx: &x ${'a'.repeat(length)}\ny: [${Array.from({ length: times }, () => '*x').join(', ')}]`, {
          profile: 'strict',
        }),
      );
    // 4,000 characters may become 40,000, and not 80,000.
    expect(repeated(4_000, 8).filter((code) => code.includes('yaml-limit'))).toEqual([]);
    expect(repeated(4_000, 20)).toContain('2 error yaml-limit');
    expect(repeated(10, 500).filter((code) => code.includes('yaml-limit'))).toEqual([]);
  });

  it('EDGE-11 FMT-3: the first of two equal keys wins; strict refuses', () => {
    const parsed = lenient(`${base}\nlicense: MIT\nlicense: BSD\nmetadata:\n  a: 1\n  a: 2`);
    expect(parsed.metadata).toMatchObject({ license: 'MIT', metadata: { a: '1' } });
    expect(codesOf(parsed)).toEqual(['5 warning duplicate-key', '8 warning duplicate-key']);
    expect(lenient(`${base}\nlicense: MIT\nlicense: BSD`, { profile: 'strict' }).metadata).toBeNull();
    expect(codesOf(lenient(`name: d\ndescription: a: b\nname: e`))).toEqual(['3 warning yaml-repaired', '4 warning duplicate-key']);
  });

  it('EDGE-11 FMT-3: keys such as __proto__ are keys like any other and pollute nothing', () => {
    const keys = ['__proto__', 'constructor', 'toString', 'hasOwnProperty'];
    for (const broken of ['', '\nbroken: a: b']) {
      const parsed = lenient(`${base}\n${keys.map((key) => `${key}:\n  polluted: yes`).join('\n')}\nmetadata:\n  __proto__: x${broken}`);
      for (const key of keys) {
        expect(Object.hasOwn(parsed.frontmatter, key)).toBe(true);
        expect(parsed.metadata?.fields?.[key]).toEqual({ polluted: 'yes' });
      }
      expect(parsed.metadata?.metadata && Object.entries(parsed.metadata.metadata)).toEqual([['__proto__', 'x']]);
      expect(({} as { polluted?: unknown }).polluted).toBeUndefined();
      expect(Object.keys(structuredClone(parsed.metadata?.fields ?? {}))).toEqual(expect.arrayContaining(keys));
    }
  });

  it('EDGE-11 FMT-3: what is repaired loses its comments and its doubled quotes, as YAML would read it', () => {
    const parsed = lenient("name: d\ndescription: Use when: asked.\n# a comment\n  And more.\nlicense: 'It''s one' and 'two'");
    expect(parsed.metadata).toMatchObject({ description: 'Use when: asked. And more.', license: "It's one' and 'two" });
    expect(codesOf(parsed)).toEqual(['3 warning yaml-repaired', '6 warning yaml-repaired']);
  });

  it('EDGE-12 FMT-3: reads the first side of an unfinished merge', () => {
    const parsed = lenient('name: d\n<<<<<<< HEAD\ndescription: Ours.\n=======\ndescription: Theirs.\n>>>>>>> branch\nlicense: MIT');
    expect(parsed.metadata).toEqual({ name: 'd', description: 'Ours.', version: null, license: 'MIT' });
    expect(codesOf(parsed)).toEqual(['3 warning merge-conflict', '6 warning duplicate-key']);
  });

  it('EDGE-12 FMT-3: text that belongs to no field is left out and named', () => {
    const parsed = lenient(`Here is my skill\n${base}`);
    expect(parsed.metadata).toEqual({ name: 'd', description: 'Does things.', version: null });
    expect(codesOf(parsed)).toEqual(['2 warning yaml-text-ignored']);
    expect(codesOf(lenient('just some words'))).toEqual(['2 error frontmatter-not-mapping']);
    expect(codesOf(lenient('[just: some: words'))).toEqual(['2 error yaml-invalid']);
  });

  it('EDGE-17 FMT-3: one bad line of metadata does not cost the others', () => {
    const parsed = lenient(`${base}\nmetadata:\n  author: Someone: Somewhere\n  version: 1.0\nlicense: MIT`);
    expect(parsed.metadata).toMatchObject({ license: 'MIT', metadata: { author: 'Someone: Somewhere', version: '1.0' } });
    expect(codesOf(parsed)).toEqual(['4 warning yaml-repaired']);
    const spaced = lenient(`${base}\nmetadata:\n\n  author: Someone: Somewhere\n  version: 1.0`);
    expect(spaced.metadata?.metadata).toEqual({ author: 'Someone: Somewhere', version: '1.0' });
  });

  it('EDGE-10 FMT-3: nesting that ends the stack of the YAML parser is a limit, and no exception', () => {
    const deep = `${base}\nx:\n  ${'- '.repeat(30_000)}`;
    const { status, issues } = parseYaml(deep, new Set());
    expect([status, issues.map(({ code }) => code).filter((code) => code !== 'yaml-limit' && code !== 'yaml-invalid')]).toEqual([
      'invalid',
      [],
    ]);
    for (const profile of ['lenient', 'strict'] as const)
      expect(codesOf(lenient(deep, { profile, maxFrontmatterBytes: 1e6 }))).toEqual(['2 error frontmatter-too-complex']);
  });

  it('FMT-3: tells a hundred diagnostics at most, and always why there is no skill', () => {
    const parsed = lenient('a: 1\n'.repeat(120));
    expect(parsed.diagnostics).toHaveLength(102);
    expect(parsed.diagnostics.filter(({ severity }) => severity === 'error').map(({ code }) => code)).toEqual(['name-missing']);
    expect(parsed.diagnostics.at(-1)).toMatchObject({
      code: 'diagnostics-cut',
      severity: 'info',
      message: '20 more were found and left out.',
    });
  });

  it('FMT-3: tells line and column of what it found', () => {
    const [diagnostic] = parseSkillMd(
      '\r\n---\r\nname: d\r\ndescription: x\r\nmetadata:\r\n  a: 1\r\n  a: 2\r\n---\r\n',
    ).diagnostics.filter(({ code }) => code === 'duplicate-key');
    expect(diagnostic).toMatchObject({ line: 7, column: 3 });
  });
});
