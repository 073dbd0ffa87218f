import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { scanFrontmatter } from '@repertoire/skills-core/provider';

const encode = (text: string) => new TextEncoder().encode(text);

describe('scanFrontmatter', () => {
  it('FMT-3: finds the same place in text and in bytes', () => {
    for (const text of [
      '---\nname: é\n---\nBody',
      '\uFEFF---\r\nname: é\r\n---\r\nBody',
      '\n\n---  \nname: é\n---\t\nBody',
      '---\rname: é\r---\rBody',
      '---\n---\nBody',
    ]) {
      const inText = scanFrontmatter(text);
      const inBytes = scanFrontmatter(encode(text));
      if (inText.status !== 'complete' || inBytes.status !== 'complete') throw new Error(`not found in ${JSON.stringify(text)}`);
      expect(text.slice(inText.end)).toBe('Body');
      expect(text.slice(inText.yamlStart, inText.yamlEnd)).toMatch(/^(?:name: é\r?\n?)?$/);
      expect(new TextDecoder().decode(encode(text).subarray(inBytes.yamlStart, inBytes.yamlEnd))).toBe(
        text.slice(inText.yamlStart, inText.yamlEnd),
      );
      expect(new TextDecoder().decode(encode(text).subarray(inBytes.end))).toBe('Body');
      expect(inBytes.line).toBe(inText.line);
    }
    expect(scanFrontmatter('\n\n---\na: b\n---')).toMatchObject({ line: 3 });
  });

  it('FMT-3: finds the same place in any text and its bytes', () => {
    const pieces = [
      '---',
      '---\n',
      '\n---',
      '\n---\n',
      '----',
      ' ---',
      '--- ',
      '---\t',
      '\r\n---\r\n',
      '\r',
      '\n',
      'a: b',
      'a: b\n',
      ' ',
      '-',
      'x',
    ];
    let complete = 0;
    const text = fc.tuple(
      fc.constantFrom('', '---\n', '---\n', '---\r\n', '\n---\n'),
      fc.array(fc.constantFrom(...pieces), { maxLength: 8 }),
    );
    fc.assert(
      fc.property(text, fc.boolean(), ([start, rest], partial) => {
        const whole = start + rest.join('');
        const inText = scanFrontmatter(whole, { partial });
        expect(inText).toEqual(scanFrontmatter(encode(whole), { partial }));
        if (inText.status === 'complete') complete += 1;
      }),
      { numRuns: 5_000, seed: 3 },
    );
    expect(complete).toBeGreaterThan(1_000);
  });

  it.each([
    '',
    '\n',
    'name: x',
    '# Title\n---\na: b\n---\n',
    '----\na: b\n----\n',
    ' ---\na: b\n---\n',
    '--- a\n---\n',
    '```\n---\na: b\n---\n',
  ])('EDGE-3 EDGE-4 FMT-3: finds none in %j', (text) => {
    expect(scanFrontmatter(text)).toEqual({ status: 'none' });
    expect(scanFrontmatter(encode(text))).toEqual({ status: 'none' });
  });

  it.each(['---', '---\na: b', '---\na: b\n', '---\na: b\n ---\n', '---\na: b\n----\n', '---\na: b\n--- c\n', '---\na: b\n...\n'])(
    'EDGE-4 EDGE-7 FMT-3: %j is not closed',
    (text) => {
      expect(scanFrontmatter(text)).toEqual({ status: 'unclosed', line: 1 });
    },
  );

  it('SRC-1: every first part of a file asks for more, or finds what the whole file holds', () => {
    for (const text of ['---\nname: é\n---\nBody', '\uFEFF\n---\r\nname: é\r\n---\r\nBody', '\n---\na: |\n  ---\n----\n--- \nBody']) {
      const bytes = encode(text);
      const whole = scanFrontmatter(bytes);
      if (whole.status !== 'complete') throw new Error('the file has frontmatter');
      for (let length = 0; length <= bytes.length; length += 1) {
        const part = scanFrontmatter(bytes.subarray(0, length), { partial: true });
        if (part.status === 'complete') expect(part).toMatchObject({ yamlStart: whole.yamlStart, yamlEnd: whole.yamlEnd });
        else expect(part.status).toBe('unclosed');
        if (length >= whole.end) expect(part).toEqual(whole);
      }
    }
    for (const text of ['# Title', '--x', '----\n', 'a']) expect(scanFrontmatter(text, { partial: true })).toEqual({ status: 'none' });
  });
});
