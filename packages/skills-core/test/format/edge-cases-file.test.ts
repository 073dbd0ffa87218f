import { describe, expect, it } from 'vitest';
import { parseSkillFrontmatter, parseSkillMd, type ParsedSkillMd, type ParseSkillMdOptions } from '@repertoire/skills-core/skill-md';
import { skillMdDiagnosticCodes } from '../../src/format/diagnostic-codes.ts';

// The numbers are those of the list of cases that a reader of published skills meets.

function lenient(frontmatter: string, options: ParseSkillMdOptions = {}): ParsedSkillMd {
  return parseSkillMd(`---\n${frontmatter}\n---\nBody.\n`, options);
}

function codesOf({ diagnostics }: Pick<ParsedSkillMd, 'diagnostics'>): string[] {
  return diagnostics.map(({ severity, code, line }) => `${line} ${severity} ${code}`);
}

const base = 'name: d\ndescription: Does things.';

describe('the file', () => {
  it('EDGE-1 FMT-3: reads a file with a byte order mark, and notes it', () => {
    for (const content of [
      '\uFEFF---\nname: d\ndescription: x\n---\nB',
      new TextEncoder().encode('\uFEFF---\nname: d\ndescription: x\n---\nB'),
    ]) {
      const parsed = parseSkillMd(content);
      expect(parsed).toMatchObject({ metadata: { name: 'd' }, body: 'B' });
      expect(codesOf(parsed)).toEqual(['1 info byte-order-mark']);
    }
  });

  it('EDGE-2 FMT-3: reads CRLF, mixed and old line ends; the body has \\n', () => {
    for (const content of [
      '---\r\nname: d\r\ndescription: |\r\n  a\r\n  b\r\n---\r\nOne\r\n\r\nTwo\r\n',
      '---\nname: d\r\ndescription: |\n  a\r\n  b\n---\r\nOne\n\rTwo',
      '---\rname: d\rdescription: |\r  a\r  b\r---\rOne\r\rTwo\r',
    ]) {
      expect(parseSkillMd(content)).toMatchObject({ metadata: { name: 'd', description: 'a\nb' }, body: 'One\n\nTwo', diagnostics: [] });
    }
  });

  it('EDGE-3 FMT-3: reads past blank lines before the frontmatter, but not past anything else', () => {
    const parsed = parseSkillMd('\n \t\n---\nname: D\ndescription: x\n---\nB');
    expect(parsed.metadata?.name).toBe('D');
    expect(codesOf(parsed)).toEqual(['1 warning frontmatter-blank-lines', '4 warning name-not-lowercase']);
    for (const first of ['```', '# Title', 'name: d']) {
      const other = parseSkillMd(`${first}\n---\nname: d\ndescription: x\n---\nB`);
      expect(other.metadata).toBeNull();
      expect(codesOf(other)).toEqual(['1 error frontmatter-missing']);
      expect(other.body).toContain(first);
    }
  });

  it('EDGE-4 EDGE-5 FMT-3: only a whole line closes the frontmatter, and the first one does', () => {
    const parsed = lenient('name: d\ndescription: a --- b\nx: |\n  ---\n  ----\ny: |\n  --- z\nz: 1');
    expect(parsed.metadata).toEqual({
      name: 'd',
      description: 'a --- b',
      version: null,
      fields: { x: '---\n----\n', y: '--- z\n', z: '1' },
    });
    expect(parseSkillMd('---\nname: d\ndescription: x\n---\nOne\n\n---\n\nTwo\n---\n').body).toBe('One\n\n---\n\nTwo\n---');
  });

  it('EDGE-4 EDGE-7 FMT-3: frontmatter that is never closed is an error that names the line, and no body', () => {
    for (const [content, hint] of [
      ['---\nname: d\ndescription: x\n\nBody\n', ''],
      ['---\nname: d\n...\n# Body', 'Line 3, "..."'],
      ['---\nname: d\n  ---\n# Body', 'Line 3, "  ---"'],
    ] as const) {
      const parsed = parseSkillMd(content);
      expect(parsed.metadata).toBeNull();
      expect(codesOf(parsed)).toEqual(['1 error frontmatter-unclosed']);
      expect(parsed.diagnostics[0]?.message).toContain(hint);
      expect(parsed.frontmatter).toEqual({});
    }
  });

  it('EDGE-6 FMT-3: reads a file that ends with the closing line', () => {
    for (const end of ['---', '---\n', '--- ', '---\n\n \n']) {
      expect(parseSkillMd(`---\n${base}\n${end}`)).toMatchObject({ metadata: { name: 'd' }, body: '', diagnostics: [] });
    }
  });

  it('EDGE-20 FMT-3: UTF-16 is refused with words', () => {
    const text = `---\n${base}\n---\nB`;
    const littleEndian = new Uint8Array(
      [...`\uFEFF${text}`].flatMap((character) => [character.charCodeAt(0) & 0xff, character.charCodeAt(0) >> 8]),
    );
    for (const bytes of [
      littleEndian,
      littleEndian.subarray(2),
      new Uint8Array([0xfe, 0xff, 0, 0x2d]),
      new Uint8Array([0, 0x2d, 0, 0x2d]),
    ]) {
      const parsed = parseSkillMd(bytes, { path: 'x/SKILL.md', directoryName: 'x' });
      expect(parsed.metadata).toBeNull();
      expect(parsed.diagnostics).toEqual([
        {
          code: 'encoding-utf16',
          severity: 'error',
          message: expect.any(String),
          skill: 'x',
          path: 'x/SKILL.md',
          line: 1,
          column: 1,
          fix: 'Save it as UTF-8.',
        },
      ]);
    }
  });

  it('EDGE-20 FMT-3: broken bytes and NUL are read as U+FFFD, with the line; strict refuses them', () => {
    const broken = new TextEncoder().encode(`---\n${base}\n---\nB?`);
    broken[broken.length - 1] = 0xff;
    expect(parseSkillMd(broken)).toMatchObject({ metadata: { name: 'd' }, body: 'B\uFFFD' });
    expect(codesOf(parseSkillMd(broken))).toEqual(['5 warning encoding-invalid']);
    expect(parseSkillMd(broken, { profile: 'strict' }).metadata).toBeNull();

    const parsed = parseSkillMd(`---\nname: d\ndescription: a\0b\n---\nB`);
    expect(parsed.metadata?.description).toBe('a\uFFFDb');
    expect(codesOf(parsed)).toEqual(['3 warning encoding-nul']);
  });

  it.each(['\u0001', '\u001b', '\u007f', '\u0080', '\u0090', '\u009b', '\u009f'])(
    'FMT-3: strict refuses the control character %j, lenient tells it (ATK-49)',
    (character) => {
      const content = `---\nname: d\ndescription: "a${character}b"\n---\n`;
      expect(codesOf(parseSkillMd(content, { profile: 'strict' }))).toEqual(['3 error control-character']);
      expect(codesOf(parseSkillMd(content))).toEqual(['3 warning control-character']);
      expect(codesOf(parseSkillMd(content.replace(character, '\u0085\t\u00a0'), { profile: 'strict' }))).toEqual([]);
    },
  );

  it('EDGE-10 EDGE-20 FMT-3: what is too large is refused, in bytes', () => {
    const content = `---\nname: d\ndescription: ${'é'.repeat(100)}\n---\n${'é'.repeat(1000)}`;
    for (const input of [content, new TextEncoder().encode(content)]) {
      expect(codesOf(parseSkillMd(input, { maxBytes: 1500 }))).toEqual(['1 error file-too-large']);
      expect(parseSkillMd(input, { maxBytes: 1500 }).metadata).toBeNull();
      expect(codesOf(parseSkillMd(input, { maxFrontmatterBytes: 200 }))).toEqual(['1 error frontmatter-too-large']);
      expect(parseSkillMd(input, { maxBytes: 2300, maxFrontmatterBytes: 250 }).metadata?.name).toBe('d');
    }
    expect(codesOf(lenient(`${base}\nx: ${'y'.repeat(70_000)}`))).toEqual(['1 error frontmatter-too-large']);
  });

  it('FMT-3: never throws, whatever the bytes', () => {
    for (const content of [
      '',
      '-',
      '---',
      '---\n',
      '---\n---',
      '\uFEFF',
      new Uint8Array(0),
      new Uint8Array([0xef, 0xbb]),
      new Uint8Array(300).map((_, index) => index),
    ]) {
      const parsed = parseSkillMd(content);
      expect(parsed.metadata).toBeNull();
      expect(parsed.diagnostics.some(({ severity }) => severity === 'error')).toBe(true);
    }
  });
});

describe('parseSkillFrontmatter', () => {
  it('FMT-3: reads level 1 from the first part of a file, and only that part', () => {
    const bytes = new TextEncoder().encode(`---\n${base}\n---\nBödy\0`);
    const cut = bytes.subarray(0, bytes.indexOf(0xc3) + 1);
    const { metadata, diagnostics } = parseSkillFrontmatter(cut, { profile: 'strict' });
    expect({ metadata, diagnostics }).toEqual({ metadata: { name: 'd', version: null, description: 'Does things.' }, diagnostics: [] });
    expect(parseSkillFrontmatter(cut)).not.toHaveProperty('body');
  });

  it('FMT-3: says what is wrong with a first part, and nothing of the character that is cut in two', () => {
    const title = new TextEncoder().encode('# Ü');
    for (const [content, code] of [
      [title.subarray(0, -1), 'frontmatter-missing'],
      [new TextEncoder().encode('---\nname: ü').subarray(0, -1), 'frontmatter-unclosed'],
    ] as const) {
      expect(codesOf(parseSkillFrontmatter(content))).toEqual([`1 error ${code}`]);
    }
    expect(parseSkillFrontmatter('x'.repeat(100), { maxBytes: 50 })).toMatchObject({
      metadata: null,
      diagnostics: [{ code: 'file-too-large' }],
    });
    expect(parseSkillFrontmatter(new Uint8Array([0xff, 0xfe, 0, 0]))).toMatchObject({
      metadata: null,
      diagnostics: [{ code: 'encoding-utf16' }],
    });
  });
});

describe('skillMdDiagnosticCodes', () => {
  it('FMT-3: has a meaning for each code, and pins the codes', () => {
    expect(Object.keys(skillMdDiagnosticCodes).join(' ')).toBe(
      'file-too-large encoding-utf16 encoding-invalid encoding-nul byte-order-mark skill-file-missing skill-file-name ' +
        'resource-path-invalid frontmatter-missing frontmatter-blank-lines frontmatter-comment-before frontmatter-bare ' +
        'frontmatter-end-guessed frontmatter-unclosed frontmatter-too-large ' +
        'control-character frontmatter-not-mapping yaml-invalid yaml-limit yaml-repaired yaml-text-ignored merge-conflict frontmatter-too-complex yaml-unresolved-alias ' +
        'yaml-anchor yaml-tag yaml-flow-style duplicate-key inline-comment name-missing name-not-text name-too-long ' +
        'name-not-lowercase name-edge-hyphen name-double-hyphen name-invalid-characters name-directory-mismatch name-normalized ' +
        'name-not-ascii name-reserved-word description-missing description-too-long compatibility-too-long compatibility-empty ' +
        'metadata-not-map metadata-not-text allowed-tools-separator allowed-tools-syntax field-not-text field-invalid-value ' +
        'field-spelling field-unknown diagnostics-cut',
    );
    for (const meaning of Object.values(skillMdDiagnosticCodes)) expect(meaning).toMatch(/^[A-Z`].+\.$/);
  });
});
