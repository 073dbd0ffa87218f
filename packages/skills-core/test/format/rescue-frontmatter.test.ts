import { parseSkillFrontmatter, parseSkillMd } from '@repertoire/skills-core/skill-md';
import { describe, expect, it } from 'vitest';

const fields = 'name: d\ndescription: Does it.';
const codesOf = (content: string, profile?: 'strict') =>
  parseSkillMd(content, { profile }).diagnostics.map(({ code, line, severity }) => `${line} ${severity} ${code}`);

describe('a frontmatter that is not between two lines ---', () => {
  it.each([
    ['a comment', `<!-- SPDX: MIT -->\n---\n${fields}\n---\nBody`, '2 warning frontmatter-comment-before'],
    [
      'comments and blank lines',
      `\uFEFF\r\n<!-- one\n---\ntwo -->\r\n<!-- three -->\n\n---\n${fields}\n---\nBody`,
      '7 warning frontmatter-comment-before',
    ],
    ['no delimiters', `${fields}\n\nBody`, '1 warning frontmatter-bare'],
    ['no opening line', `\n${fields}\ntools:\n  - a\n---\nBody`, '2 warning frontmatter-bare'],
    ['an indented closing line', `---\n${fields}\n  ---\nBody`, '4 warning frontmatter-end-guessed'],
    ['a closing line of dots', `---\n${fields}\n...\nBody`, '4 warning frontmatter-end-guessed'],
  ])('FMT-3: %s', (_, content, code) => {
    expect(codesOf(content).filter((found) => !found.includes('byte-order-mark'))).toEqual([code]);
    expect(parseSkillMd(content)).toMatchObject({ metadata: { name: 'd', description: 'Does it.' }, body: 'Body' });
    expect(parseSkillFrontmatter(new TextEncoder().encode(content)).metadata).toEqual(parseSkillMd(content).metadata);
    expect(parseSkillMd(content, { profile: 'strict' }).metadata).toBeNull();
  });

  it('FMT-3: no closing line before the first heading, which stays in the body', () => {
    const content = `---\n# How it is found\n${fields}\n\n# Title\n\nBody`;
    expect(codesOf(content)).toEqual(['6 warning frontmatter-end-guessed']);
    expect(parseSkillMd(content)).toMatchObject({ metadata: { name: 'd' }, body: '# Title\n\nBody' });
  });

  it('FMT-3: positions are those of the file', () => {
    expect(codesOf('Name: D\ndescription: a: b\nname: d\n\nBody').map((found) => found.split(' ')[0])).toEqual(
      expect.arrayContaining(['1', '2']),
    );
    expect(codesOf('<!-- x -->\n---\nname: d\ndescription: a: b\n---\n')).toEqual([
      '2 warning frontmatter-comment-before',
      '4 warning yaml-repaired',
    ]);
  });

  it.each([
    ['a comment that never ends', `<!-- x\n---\n${fields}\n---\n`, 'frontmatter-missing'],
    ['text behind the comment', `<!-- x --> y\n---\n${fields}\n---\n`, 'frontmatter-missing'],
    ['fields without a description', 'name: d\n\nBody', 'frontmatter-missing'],
    ['prose that looks like fields', 'Note: this\nis prose.\nname: d\ndescription: x\n', 'frontmatter-missing'],
    ['no end at all', `---\n${fields}\nBody`, 'frontmatter-unclosed'],
    ['a heading before the description', '---\nname: d\n# Title\nBody', 'frontmatter-unclosed'],
  ])('FMT-3: guesses nothing with %s', (_, content, code) => {
    expect(parseSkillMd(content)).toMatchObject({ metadata: null, diagnostics: [{ code, severity: 'error' }] });
  });

  it('FMT-3: long files take time in proportion to their length', () => {
    const long = `---\n${'a: b\n'.repeat(200_000)}`;
    expect(parseSkillMd(long).diagnostics[0]?.code).toBe('frontmatter-too-large');
    expect(parseSkillMd(`<!-- -->${'\n'.repeat(500_000)}x`).diagnostics[0]?.code).toBe('frontmatter-missing');
  });
});
