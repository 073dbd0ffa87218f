import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { SkillResource } from '@repertoire/skills-core/provider';
import { resourceText } from '../../src/tools/resource-text.ts';

function resource(content: string | Uint8Array, size?: number): SkillResource {
  const bytes = typeof content === 'string' ? new TextEncoder().encode(content) : content;
  return { path: 'a.md', bytes, size: size ?? bytes.length, mediaType: 'text/markdown' };
}

describe('resourceText', () => {
  it('CON-2: gives a whole text, without a byte order mark and with one kind of line end', () => {
    expect(resourceText(resource('\uFEFFone\r\ntwo\rthree\n'))).toEqual({
      kind: 'text',
      text: 'one\ntwo\nthree',
      startLine: 1,
      endLine: 3,
      totalLines: 3,
      more: false,
      lineCut: false,
      bytesCut: false,
    });
  });

  it('CON-2: gives a range of lines and says that more follow', () => {
    expect(resourceText(resource('a\nb\nc\nd'), { startLine: 2, endLine: 3 })).toMatchObject({
      text: 'b\nc',
      startLine: 2,
      endLine: 3,
      totalLines: 4,
      more: true,
    });
  });

  it('CON-2: stops at the last line that fits', () => {
    expect(resourceText(resource('aaaa\nbbbb\ncccc'), { maxCharacters: 10 })).toMatchObject({
      text: 'aaaa\nbbbb',
      endLine: 2,
      more: true,
      lineCut: false,
    });
  });

  it('CON-2: cuts a line that is too long on its own, never inside a character', () => {
    expect(resourceText(resource('😀😀😀'), { maxCharacters: 3 })).toMatchObject({ text: '😀', lineCut: true, more: true });
  });

  it.each([
    ['a NUL', new Uint8Array([65, 0, 66])],
    ['bytes that are no UTF-8', new Uint8Array([0xff, 0x41, 0xc3])],
    ['a picture', new Uint8Array([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])],
  ])('CON-2: calls %s binary', (_, bytes) => {
    expect(resourceText(resource(bytes))).toEqual({ kind: 'binary' });
  });

  it('CON-2: reads UTF-16 with a byte order mark', () => {
    expect(resourceText(resource(new Uint8Array([0xff, 0xfe, 0x41, 0, 0xe9, 0])))).toMatchObject({ text: 'Aé' });
  });

  it('CON-2: does not take an unfinished character at the end of cut bytes for binary, and tells the cut', () => {
    const bytes = new TextEncoder().encode('abé').slice(0, 3);
    expect(resourceText(resource(bytes, 4))).toMatchObject({ text: 'ab', bytesCut: true, more: true });
    expect(resourceText(resource(bytes))).toEqual({ kind: 'binary' });
  });

  it('CON-2: paging through a text gives back every line once', () => {
    fc.assert(
      fc.property(
        fc.array(
          fc.string({ maxLength: 12 }).map((line) => line.replace(/[\r\n\0\uFEFF]/g, '')),
          { minLength: 1, maxLength: 30 },
        ),
        fc.integer({ min: 12, max: 60 }),
        (lines, maxCharacters) => {
          const content = `${lines.join('\n')}\n`;
          const read: string[] = [];
          for (let startLine = 1; ;) {
            const view = resourceText(resource(content), { startLine, maxCharacters });
            if (view.kind === 'binary') return false;
            read.push(view.text);
            if (!view.more) break;
            startLine = view.endLine + 1;
          }
          return read.join('\n') === lines.join('\n');
        },
      ),
    );
  });
});
