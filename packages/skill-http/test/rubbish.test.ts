import { SkillRegistry } from '@repertoire/skills-core';
import { execFileSync } from 'node:child_process';
import { mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { isPrivateHost, isPublicAddress } from '../src/http/is-private-host.ts';
import { httpSkillProvider } from '../src/index.ts';
import { diskCache, exportStatic, guardedFetch } from '../src/node.ts';
import { skillMdOf } from './support/archives.ts';
import { discoverySchema } from '../src/discovery/discovery-format.ts';
import { indexOf, skillMdEntry } from './support/origin.ts';
import { codeOf, libraryOf, setUp } from './support/set-up.ts';

const index = '/.well-known/agent-skills/index.json';
const deep = `${'['.repeat(20_000)}${']'.repeat(20_000)}`;

/** An index with one good entry and one that is written as it is. */
async function indexBeside(rubbish: string): Promise<string> {
  const good = JSON.stringify(await skillMdEntry('haiku', skillMdOf('haiku')));
  return `{"$schema":"${discoverySchema}","skills":[${good},${rubbish}]}`;
}

describe('SRC-4: a document that is nested deeper than the stack is', () => {
  it.each([
    ['a name', `{"name":${deep}}`],
    ['an entry', deep],
    ['a type', `{"name":"x","description":"d","type":${deep}}`],
    ['a digest', `{"name":"x","description":"d","type":"archive","digest":${deep}}`],
    [
      'level 1',
      `{"name":"x","description":"d","type":"archive","url":"a","digest":"sha256:${'0'.repeat(64)}","x-repertoire":{"metadata":{"fields":${deep}}}}`,
    ],
  ])('as %s takes no good skill away (ATK-35)', async (_what, rubbish) => {
    const { origin, names } = setUp();
    origin.put(index, await indexBeside(rubbish));
    expect(await names()).toContain('haiku');
  });

  it('as the whole, or as a card, is rubbish: the last good copy serves', async () => {
    const { origin, clock, provider, names, codes } = setUp({ cooldownMs: 0 });
    origin.put(index, await libraryOf('haiku'), { 'cache-control': 'max-age=0' });
    expect(await names()).toEqual(['haiku']);
    for (const rubbish of [`{"$schema":${deep},"skills":[]}`, `{"id":"a","description":"d","extensions":${deep}}`, deep]) {
      clock.advance(10_000);
      origin.put(index, rubbish, { 'cache-control': 'max-age=0' });
      expect(await names()).toEqual(['haiku']);
      expect(await codes()).toEqual(['stale-index']);
    }
    const { origin: other, provider: fresh } = setUp();
    other.put(index, `{"$schema":${deep},"skills":[]}`);
    expect(await codeOf(fresh.listSkills())).toBe('source-unavailable');
    await provider[Symbol.asyncDispose]();
  });
});

describe('CON-1: a listing is one frozen object', () => {
  it('as long as the index is the same, whether the server says so or sends it again', async () => {
    const { origin, clock, provider } = setUp({ cooldownMs: 0 });
    origin.put(index, await libraryOf('haiku', 'maps'), { 'cache-control': 'max-age=0' });
    const listing = await provider.listSkills();
    const [skill] = listing.skills;
    expect([listing, listing.skills, listing.diagnostics, skill, skill?.origin].every((part) => Object.isFrozen(part))).toBe(true);
    expect(listing.complete).toBe(true);
    clock.advance(10_000);
    origin.asked();
    expect(await provider.listSkills()).toBe(listing);
    expect(origin.asked()).toHaveLength(1);
    origin.intercept = () => new Response(null, { status: 503 });
    clock.advance(10_000);
    const stale = await provider.listSkills();
    expect([stale.skills, stale.complete]).toEqual([listing.skills, true]);
    expect(stale.skills).toBe(listing.skills);
    expect(await provider.listSkills()).toBe(stale);
    origin.intercept = undefined;
    clock.advance(10_000);
    expect(await provider.listSkills()).toEqual(listing);
    origin.put(index, await libraryOf('haiku'), { 'cache-control': 'max-age=0' });
    clock.advance(10_000);
    expect((await provider.listSkills()).skills).toHaveLength(1);
  });

  it('SRC-4: a clock that was set back makes nothing fresh', async () => {
    const { origin, clock, provider } = setUp();
    origin.put(index, await libraryOf('haiku'), { 'cache-control': 'max-age=3600' });
    await provider.listSkills();
    expect(origin.asked()).toHaveLength(1);
    clock.time -= 86_400_000;
    origin.put(index, await libraryOf('maps'), { 'cache-control': 'max-age=3600' });
    expect((await provider.listSkills()).skills.map(({ name }) => name)).toEqual(['maps']);
    expect(origin.asked()).toHaveLength(1);
  });

  it('SRC-4: is complete unless the index was cut', async () => {
    for (const [skills, complete] of [
      [1, false],
      [2, true],
    ] as const) {
      const { origin, provider } = setUp({ limits: { skills } });
      origin.put(index, await libraryOf('haiku', 'maps'));
      expect((await provider.listSkills()).complete).toBe(complete);
    }
  });

  it('SRC-4: is complete with level 1 of the artifacts, unless one could never be read', async () => {
    const { origin, provider } = setUp({ levelOne: 'artifact', retries: 0 });
    const entries = [await skillMdEntry('haiku', skillMdOf('haiku')), await skillMdEntry('maps', 'No frontmatter')];
    origin.put(index, indexOf(entries)).put('/.well-known/agent-skills/maps/SKILL.md', 'No frontmatter');
    origin.intercept = ({ url }) => (url.endsWith('haiku/SKILL.md') ? new Response(null, { status: 503 }) : undefined);
    expect(await provider.listSkills()).toMatchObject({ skills: [], complete: false });
    const { origin: other, provider: whole } = setUp({ levelOne: 'artifact', retries: 0 });
    other
      .put(index, indexOf(entries))
      .put('/.well-known/agent-skills/maps/SKILL.md', 'No frontmatter')
      .put('/.well-known/agent-skills/haiku/SKILL.md', skillMdOf('haiku'));
    // A skill that is bad is no outage.
    const listing = await whole.listSkills();
    expect(listing).toMatchObject({ skills: [{ name: 'haiku' }], complete: true });
    expect(await whole.listSkills()).toBe(listing);
  });
});

describe('SRC-4: hosts that are not public', () => {
  it('of IPv6 are all but 2000::/3, and the special parts of that (ATK-43)', () => {
    const addresses = [
      '4000::1',
      '6000::1',
      '8000::1',
      'c000::1',
      'e000::1',
      '1000::1',
      'fec0::1',
      'fd00::1',
      'fe80::1',
      'ff02::1',
      '::',
      '::1',
      '::127.0.0.1',
      '::ffff:10.0.0.1',
      '::ffff:0:10.0.0.1',
      '64:ff9b::7f00:1',
      '64:ff9b:1::1',
      '100::1',
      '5f00::1',
      '2001::1',
      '2001:10::1',
      '2001:20::1',
      '2001:2::1',
      '2001:db8::1',
      '2002:7f00:1::',
      '3fff::1',
      '10.0.0.1',
      '100.64.0.1',
      '169.254.169.254',
      '192.0.0.1',
      '198.18.0.1',
      '240.0.0.1',
      '0.1.2.3',
      '255.255.255.255',
      '224.0.0.1',
      // The platform of Azure, in every spelling.
      '168.63.129.16',
      '::ffff:168.63.129.16',
      '0xa83f8110',
    ];
    expect(addresses.filter((address) => isPublicAddress(address))).toEqual([]);
    expect(
      ['2606:4700::1', '2a00:1450::1', '1.1.1.1', '168.63.129.17', '::ffff:1.1.1.1'].filter((address) => !isPublicAddress(address)),
    ).toEqual([]);
  });

  it('have names that no public host has (ATK-42)', () => {
    const names = [
      'localhost',
      'db',
      'a.localhost',
      'a.localdomain',
      'x.localhost6',
      'x.localhost4',
      'x.localdomain6.',
      '168.63.129.16',
      'a.internal',
      'a.private',
      'a.svc',
      'a.test',
      'a.onion',
      'a.home.arpa',
      'a.local.',
    ];
    expect(names.filter((name) => !isPrivateHost(name))).toEqual([]);
    expect(['skills.acme.example', 'latest.dev', 'localhost.example'].filter((name) => isPrivateHost(name))).toEqual([]);
  });

  it('are not connected to where a name resolves to one', async () => {
    const send = guardedFetch({ lookup: (_name, _options, callback) => callback(null, [{ address: '4000::1', family: 6 }]) });
    onTestFinished(() => send[Symbol.asyncDispose]());
    expect(await codeOf(send(new Request('https://skills.example/')))).toBe('permission-denied');
    expect(() => guardedFetch({ allow: () => true } as never)).toThrow('Did you mean "allowAddress"?');
  });
});

describe('SRC-4: what lies in the place of a file', () => {
  it('a pipe, a link or a folder in a cache is as good as nothing, and nothing waits for it (ATK-45)', async () => {
    const directory = await mkdtemp(path.join(tmpdir(), 'skill-http-pipe-'));
    onTestFinished(() => rm(directory, { recursive: true }));
    const key = (letter: string): string => `blob-${letter.repeat(64)}`;
    execFileSync('mkfifo', [path.join(directory, key('a'))]);
    await writeFile(path.join(directory, 'elsewhere'), 'secret');
    await symlink('elsewhere', path.join(directory, key('b')));
    execFileSync('mkdir', [path.join(directory, key('c'))]);
    const cache = diskCache({ directory });
    for (const letter of ['a', 'b', 'c']) expect(await cache.get(key(letter)), letter).toBeNull();
    // What is written takes its place.
    for (const letter of ['a', 'b']) {
      await cache.set(key(letter), Uint8Array.of(1));
      expect(await cache.get(key(letter))).toEqual(Uint8Array.of(1));
    }
    expect(() => diskCache({ directory, maxSize: 1 } as never)).toThrow('It has: directory, maxBytes.');
  });

  it('a pipe where a page is exported to is replaced', async () => {
    const directory = await mkdtemp(path.join(tmpdir(), 'skill-http-export-'));
    onTestFinished(() => rm(directory, { recursive: true }));
    const code = new SkillRegistry({ skills: [{ name: 'a', description: 'd', body: 'b' }] });
    const { files } = await exportStatic(code, directory);
    const [first = ''] = files;
    await rm(path.join(directory, first));
    execFileSync('mkfifo', [path.join(directory, first)]);
    expect((await exportStatic(code, directory)).written).toEqual([first]);
  });
});

it('SRC-4: options that do not exist are refused', () => {
  const url = 'https://skills.example';
  expect(() => httpSkillProvider({ url, timeout: 1 } as never)).toThrow('has no option "timeout"');
  expect(() => httpSkillProvider({ url, limits: { index: 1 } } as never)).toThrow('has no option "limits.index"');
  expect(() => httpSkillProvider({ url, layout: 'cards' } as never)).toThrow('Give "auto" or "well-known" or "card".');
  expect(() => httpSkillProvider({ url, levelOne: 'all' } as never)).toThrow('Give "index" or "artifact".');
});
