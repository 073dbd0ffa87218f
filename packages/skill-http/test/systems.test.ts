import { describe, expect, it } from 'vitest';
import { notAFile, sameFile } from '../src/node/rules-of-disks.ts';

describe('rules of other systems', () => {
  it.each<[string, string]>([
    ['/maps/a.md', '/maps/A.md'],
    ['/maps/Straße.md', '/maps/STRASSE.md'],
    ['/maps/u\u0308ber.md', '/maps/\u00DCBER.md'],
    ['/maps/\u017Fkill.md', '/maps/skill.md'],
  ])('SRC-5: %s and %s would be one file where case is ignored, and no system writes one over the other', (first, second) => {
    const paths = ['/index.json', first, '/maps/other.md', second];
    expect(sameFile(paths, 'win32')).toEqual([first, second]);
    expect(sameFile(paths, 'darwin')).toEqual([first, second]);
    expect(sameFile(paths, 'linux')).toBeUndefined();
  });

  it('SRC-5: other paths are files of their own everywhere', () => {
    expect(sameFile(['/a/b.md', '/a.md', '/ab.md', '/b/a.md'], 'win32')).toBeUndefined();
  });

  it('SRC-5: what Windows takes for a device or a stream is no file there', () => {
    const paths = ['/.well-known/skills/index.json', '/maps/logs/com3.txt', '/maps/a.md:b'];
    expect(notAFile(paths, 'win32')).toBe('/maps/logs/com3.txt');
    expect(notAFile(paths.slice(0, 1), 'win32')).toBeUndefined();
    expect(notAFile(paths, 'linux')).toBeUndefined();
  });
});
