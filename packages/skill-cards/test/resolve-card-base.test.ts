import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { SkillError } from '@repertoire/skills-core';
import { resolveCardBase, resolveCardFile } from '../src/resolve-card-base.ts';

const remote = 'https://skills.example.com/weather/skill-card.json';
const local = 'file:///srv/skills/weather/skill-card.json';

describe('resolveCardBase', () => {
  it.each([
    ['.', remote, 'relative', 'https://skills.example.com/weather/', true],
    ['', remote, 'relative', 'https://skills.example.com/weather/', true],
    ['./files/', remote, 'relative', 'https://skills.example.com/weather/files/', true],
    ['my%20files', remote, 'relative', 'https://skills.example.com/weather/my%20files/', true],
    ['.', `${remote}?v=2#top`, 'relative', 'https://skills.example.com/weather/', true],
    ['https://skills.example.com/weather', remote, 'remote', 'https://skills.example.com/weather/', true],
    ['https://cdn.example.net/w/', remote, 'remote', 'https://cdn.example.net/w/', false],
    ['http://skills.example.com/weather', remote, 'remote', 'http://skills.example.com/weather/', false],
    ['https://cdn.example.net/w', local, 'remote', 'https://cdn.example.net/w/', false],
    ['.', local, 'relative', 'file:///srv/skills/weather/', true],
    ['/srv/skills/weather', local, 'local', 'file:///srv/skills/weather/', true],
    ['/srv/skills/weather/50% #1', local, 'local', 'file:///srv/skills/weather/50%25%20%231/', true],
    ['file:///srv/skills/weather/files', local, 'local', 'file:///srv/skills/weather/files/', true],
    ['C:\\skills\\weather', 'file:///C:/skills/weather/skill-card.json', 'local', 'file:///C:/skills/weather/', true],
  ])('FMT-4: %j of %s is %s', (baseUri, cardUrl, kind, url, sameOrigin) => {
    expect(resolveCardBase({ baseUri }, cardUrl)).toEqual({ kind, url, sameOrigin });
  });

  it('FMT-4: a host may allow other folders', () => {
    const within = ['file:///srv/skills'];
    expect(resolveCardBase({ baseUri: '../shared' }, local, { within }).url).toBe('file:///srv/skills/shared/');
    expect(resolveCardBase({ baseUri: '/srv/skills/other' }, local, { within }).url).toBe('file:///srv/skills/other/');
    expect(() => resolveCardBase({ baseUri: '/srv/skills-private' }, local, { within })).toThrow(SkillError);
    expect(() => resolveCardBase({ baseUri: '.' }, local, { within: [] })).toThrow(SkillError);
  });

  it.each([
    ['..', remote],
    ['../other', remote],
    ['./a/../../b', remote],
    ['%2e%2e/other', remote],
    ['..%2fother', remote],
    ['a%00b', remote],
    ['//evil.example', remote],
    ['\\\\evil.example\\share', remote],
    ['..\\other', remote],
    ['/srv/skills', remote],
    ['C:/skills', remote],
    ['file:///etc', remote],
    ['data:text/plain,x', remote],
    ['javascript:alert(1)', remote],
    ['skill://x', remote],
    ['.?x=1', remote],
    ['.#x', remote],
    ['.\t./x', remote],
    ['https://', remote],
    ['https://user:pass@skills.example.com/weather', remote],
    ['https://skills.example.com/weather?token=1', remote],
    ['/etc', local],
    ['..', local],
    ['//server/share', local],
    ['file://server/share', local],
    ['/srv/skills/weather/../../secret', local],
    ['/srv/skills/weather-private', local],
  ])('FMT-4 SRC-2: %j of %s is refused', (baseUri, cardUrl) => {
    expect(() => resolveCardBase({ baseUri }, cardUrl)).toThrow(expect.objectContaining({ code: 'invalid-path' }));
  });

  it('FMT-4: the URL of a card must be absolute', () => {
    expect(() => resolveCardBase({ baseUri: '.' }, './skill-card.json')).toThrow(expect.objectContaining({ code: 'invalid-options' }));
  });

  it('FMT-4 SRC-2: whatever a card says, a base that is not remote lies in the folder of the card, and its files in the base', () => {
    const piece = fc.constantFrom(
      '..',
      '.',
      '/',
      '\\',
      '%2e',
      '%2f',
      '%5c',
      '%',
      'a',
      ' ',
      '#',
      '?',
      ':',
      'C:',
      'file:',
      '//',
      '@',
      '\t',
      '\u2025',
      '\uFF0E',
      'http',
    );
    const written = fc.array(piece, { maxLength: 10 }).map((pieces) => pieces.join(''));
    fc.assert(
      fc.property(written, written, fc.constantFrom(remote, local), (baseUri, path, cardUrl) => {
        let url: string;
        try {
          const base = resolveCardBase({ baseUri }, cardUrl);
          if (base.kind === 'remote') return;
          expect(base.url.startsWith(new URL('.', cardUrl).href)).toBe(true);
          url = resolveCardFile(base, path);
          expect(url.startsWith(base.url)).toBe(true);
        } catch (error) {
          expect(SkillError.isInstance(error)).toBe(true);
        }
      }),
      { numRuns: 5000 },
    );
  });
});

describe('resolveCardFile', () => {
  const base = { url: 'https://skills.example.com/weather/' };

  it.each([
    ['SKILL.md', 'SKILL.md'],
    ['references/tone of voice.md', 'references/tone%20of%20voice.md'],
    ['C#?.md', 'C%23%3F.md'],
    ['50%2e.md', '50%252e.md'],
  ])('FMT-4: %j', (path, end) => {
    expect(resolveCardFile(base, path)).toBe(base.url + end);
  });

  it.each(['..', '../x', '/x', 'a//b', '', 'https://evil.example/x', 'a\\b', '\uD800'])('FMT-4 SRC-2: %j is refused', (path) => {
    expect(() => resolveCardFile(base, path)).toThrow(expect.objectContaining({ code: 'invalid-path' }));
  });
});
