import {
  createSkillVerifier,
  indexSigner,
  indexVerifier,
  keySigner,
  releaseMemory,
  type IndexVerifierOptions,
  type LastRelease,
  type ReleaseLog,
} from '@repertoire/skill-trust';
import { httpSkillProvider } from '@repertoire/skill-http';
import { createSkillsHandler } from '@repertoire/skill-http/server';
import { pruneSkills, publishSkillsToStorage, rollbackSkills, storageSkillProvider } from '@repertoire/skill-storage';
import { SkillError, SkillRegistry, type SkillProvider } from '@repertoire/skills-core';
import { fixedSkillProvider } from '@repertoire/skills-core/internal';
import { sha256Hex, type SignSkillIndex } from '@repertoire/skills-core/provider';
import { describe, expect, it } from 'vitest';
import { MemoryStore } from '../packages/skill-storage/test/support/memory-store.ts';
import { bundleTestWorker } from './bundle-test-worker.ts';
import { openWorkerd } from './open-workerd.ts';
import { objectStore, pageHost, type Place } from './signed-index-places.ts';

const day = 24 * 3600 * 1000;
const source = 'https://skills.example.com';
const start = Date.parse('2030-01-01T00:00:00Z');

/** The clock of everybody in a test. */
class Clock {
  time = start;
  readonly now = (): number => this.time;
  readonly date = (): Date => new Date(this.time);
}

interface KeyPair {
  readonly privateKey: string;
  readonly publicKey: string;
}

async function keyPair(): Promise<KeyPair> {
  const keys = await crypto.subtle.generateKey({ name: 'ECDSA', namedCurve: 'P-256' }, true, ['sign', 'verify']);
  const pem = async (format: 'pkcs8' | 'spki', label: string): Promise<string> => {
    const bytes = await crypto.subtle.exportKey(format, format === 'pkcs8' ? keys.privateKey : keys.publicKey);
    return `-----BEGIN ${label}-----\n${Buffer.from(bytes).toString('base64')}\n-----END ${label}-----\n`;
  };
  return { privateKey: await pem('pkcs8', 'PRIVATE KEY'), publicKey: await pem('spki', 'PUBLIC KEY') };
}

function logOf(first: LastRelease | null = null): ReleaseLog & { last: LastRelease | null } {
  return {
    last: first,
    async read() {
      return this.last;
    },
    async write(last) {
      this.last = last;
    },
  };
}

const signerOf = (key: KeyPair, clock: Clock, log = logOf(), of = source): SignSkillIndex =>
  indexSigner({ signer: keySigner({ key: key.privateKey }), source: of, log, validForMs: 10 * day, now: clock.date });
const verifierOf = (clock: Clock, keys: readonly KeyPair[], options: Partial<IndexVerifierOptions> = {}) =>
  indexVerifier({
    verifier: createSkillVerifier({ publicKeys: keys.map(({ publicKey }) => publicKey) }),
    source,
    now: clock.date,
    ...options,
  });

/** The body of the skill; or why the source refuses. */
async function bodyOf(provider: SkillProvider): Promise<string> {
  try {
    const { skills } = await provider.listSkills();
    expect(skills.map(({ name }) => name)).toEqual(['billing']);
    return (await provider.getSkill('billing'))?.body.trim() ?? 'no skill';
  } catch (error) {
    if (!SkillError.isInstance(error)) throw error;
    return /refused \(([a-z-]+)\)/.exec(error.message)?.[1] ?? `${error.code}: ${error.message}`;
  }
}

describe.each([
  ['a page host', pageHost],
  ['a store', () => objectStore()],
] as const)('GOV-12: a signed index of %s', (_, createPlace: () => Place) => {
  it('serves what was signed, to readers that ask for signatures and to others', async () => {
    const [place, clock, key] = [createPlace(), new Clock(), await keyPair()];
    await place.publish('one', signerOf(key, clock));
    expect(await bodyOf(place.open(verifierOf(clock, [key]), clock.now))).toBe('one');
    expect(await bodyOf(place.open(undefined, clock.now))).toBe('one');
    const read = await place.open(verifierOf(clock, [key]), clock.now).readResource('billing', 'references/policy.md');
    expect(new TextDecoder().decode(read?.bytes)).toBe('# one');
  });

  it('GOV-12: a missing signature is refused', async () => {
    const [place, clock, key] = [createPlace(), new Clock(), await keyPair()];
    await place.publish('one');
    expect(await bodyOf(place.open(verifierOf(clock, [key]), clock.now))).toBe('unsigned');
    await place.publish('two', signerOf(key, clock));
    for (const path of place.files.keys()) if (path.endsWith('.sig')) place.files.delete(path);
    expect(await bodyOf(place.open(verifierOf(clock, [key]), clock.now))).toBe('unsigned');
  });

  it('GOV-12: another index with a signature that is not its own is refused', async () => {
    const [place, clock, key] = [createPlace(), new Clock(), await keyPair()];
    await place.publish('one', signerOf(key, clock));
    place.forge();
    expect(await bodyOf(place.open(verifierOf(clock, [key]), clock.now))).toBe('release-index');
    expect(await place.open(undefined, clock.now).listSkills()).toMatchObject({ skills: [{ description: 'Honey. Use for bills.' }] });
  });

  it('GOV-12: every changed byte of the signature is refused, or changes nothing', async () => {
    const [place, clock, key] = [createPlace(), new Clock(), await keyPair()];
    await place.publish('one', signerOf(key, clock));
    const [path, signature] = [...place.files].find(([name]) => name.endsWith('.sig'))!;
    const verdicts = new Set<string>();
    for (let at = 0; at < signature.length; at += 7) {
      const changed = signature.slice();
      changed[at] = (changed[at] ?? 0) ^ 1;
      place.files.set(path, changed);
      verdicts.add(await bodyOf(place.open(verifierOf(clock, [key]), clock.now)));
    }
    expect(
      [...verdicts].filter((code) => !/^(?:bundle-(?:malformed|unsupported)|signature-invalid|payload-type|key-unknown)$/.test(code)),
    ).toEqual([]);
  });

  it('GOV-12: changed files behind a signed index are refused', async () => {
    const [place, clock, key] = [createPlace(), new Clock(), await keyPair()];
    await place.publish('one', signerOf(key, clock));
    const provider = place.open(verifierOf(clock, [key]), clock.now);
    await provider.listSkills();
    for (const [path, bytes] of place.files) {
      if (!/index\.json$|\.sig$|releases\/|current/.test(path))
        place.files.set(
          path,
          bytes.map((byte, index) => (index === bytes.length - 1 ? byte ^ 1 : byte)),
        );
    }
    expect(await bodyOf(provider)).toMatch(/^digest-mismatch: /);
  });

  it('GOV-12: another signer is refused: unknown, not accepted, or changed until people accept it', async () => {
    const [place, clock, key, other] = [createPlace(), new Clock(), await keyPair(), await keyPair()];
    const releases = releaseMemory();
    await place.publish('one', signerOf(key, clock));
    expect(await bodyOf(place.open(verifierOf(clock, [key, other], { releases }), clock.now))).toBe('one');
    await place.publish('two', signerOf(other, clock));
    expect(await bodyOf(place.open(verifierOf(clock, [key]), clock.now))).toBe('key-unknown');
    const [{ signer } = { signer: '' }] = releases.entries();
    const onlyFirst = { require: [{ key: signer.replace('key:', '') }] };
    expect(await bodyOf(place.open(verifierOf(clock, [key, other], onlyFirst), clock.now))).toBe('signer-not-accepted');
    expect(await bodyOf(place.open(verifierOf(clock, [key, other], { releases }), clock.now))).toBe('signer-changed');
    const fresh = releaseMemory();
    expect(await bodyOf(place.open(verifierOf(clock, [other], { releases: fresh }), clock.now))).toBe('two');
    const acceptSigner = fresh.entries()[0]?.signer;
    expect(await bodyOf(place.open(verifierOf(clock, [key, other], { releases, acceptSigner }), clock.now))).toBe('two');
    // From now on, the first one is the other.
    expect(await bodyOf(place.open(verifierOf(clock, [key, other], { releases }), clock.now))).toBe('two');
  });

  it('GOV-12: an older index is refused, also after a restart', async () => {
    const [place, clock, key] = [createPlace(), new Clock(), await keyPair()];
    const [releases, sign] = [releaseMemory(), signerOf(key, clock)];
    await place.publish('one', sign);
    const old = new Map(place.files);
    await place.publish('two', sign);
    expect(await bodyOf(place.open(verifierOf(clock, [key], { releases }), clock.now))).toBe('two');
    for (const path of place.files.keys()) if (!old.has(path)) place.files.delete(path);
    for (const [path, bytes] of old) place.files.set(path, bytes);
    expect(await bodyOf(place.open(verifierOf(clock, [key], { releases: releaseMemory(releases.entries()) }), clock.now))).toBe(
      'release-rollback',
    );
    // Nothing is known on first use.
    expect(await bodyOf(place.open(verifierOf(clock, [key]), clock.now))).toBe('one');
  });

  it('GOV-12: two releases of one number, and one that does not go on from the last, are refused', async () => {
    const [place, clock, key] = [createPlace(), new Clock(), await keyPair()];
    const releases = releaseMemory();
    await place.publish('one', signerOf(key, clock));
    expect(await bodyOf(place.open(verifierOf(clock, [key], { releases }), clock.now))).toBe('one');
    await place.publish('two', signerOf(key, clock));
    expect(await bodyOf(place.open(verifierOf(clock, [key], { releases }), clock.now))).toBe('release-equivocation');
    await place.publish('three', signerOf(key, clock, logOf({ release: 1, digest: 'a'.repeat(64) })));
    expect(await bodyOf(place.open(verifierOf(clock, [key], { releases }), clock.now))).toBe('release-fork');
  });

  it('GOV-12: an expired index is refused, also by a reader that had accepted it, until it is signed again', async () => {
    const [place, clock, key] = [createPlace(), new Clock(), await keyPair()];
    const [releases, sign] = [releaseMemory(), signerOf(key, clock)];
    await place.publish('one', sign);
    const provider = place.open(verifierOf(clock, [key], { releases }), clock.now);
    expect(await bodyOf(provider)).toBe('one');
    clock.time += 10 * day - 1;
    expect(await bodyOf(provider)).toBe('one');
    clock.time += 1;
    expect(await bodyOf(provider)).toBe('release-expired');
    expect(await bodyOf(place.open(verifierOf(clock, [key], { expired: 'warn' }), clock.now))).toBe('one');
    await place.publish('one', sign);
    expect(await bodyOf(provider)).toBe('one');
    expect(releases.entries()).toMatchObject([{ release: 2 }]);
  });

  it('GOV-12: an index that was signed for another source is refused', async () => {
    const [place, clock, key] = [createPlace(), new Clock(), await keyPair()];
    await place.publish('one', signerOf(key, clock, logOf(), 'https://other.example.com'));
    expect(await bodyOf(place.open(verifierOf(clock, [key]), clock.now))).toBe('release-source');
  });

  it('GOV-12: what is refused does not take away what is good, and a diagnostic says why', async () => {
    const [place, clock, key] = [createPlace(), new Clock(), await keyPair()];
    await place.publish('one', signerOf(key, clock));
    const provider = place.open(verifierOf(clock, [key]), clock.now);
    expect(await bodyOf(provider)).toBe('one');
    await place.publish('two');
    clock.time += 1000;
    expect(await bodyOf(provider)).toBe('one');
    const { diagnostics } = await provider.listSkills();
    expect(diagnostics.map(({ code, message }) => [code, message])).toEqual([
      [expect.stringMatching(/^(?:stale-index|release-unavailable)$/), expect.stringContaining('refused (unsigned): It has no signature.')],
    ]);
  });
});

describe('GOV-12: signed releases of a store', () => {
  it('GOV-12: behind a refused release, the one before serves, and says why', async () => {
    const [place, clock, key] = [objectStore({ stepsBack: true }), new Clock(), await keyPair()];
    await place.publish('one', signerOf(key, clock));
    await place.publish('two');
    const provider = place.open(verifierOf(clock, [key]), clock.now);
    expect(await bodyOf(provider)).toBe('one');
    expect((await provider.listSkills()).diagnostics).toMatchObject([
      { code: 'release-unavailable', message: expect.stringContaining('refused (unsigned)') },
    ]);
  });

  it('GOV-12: going back is signed anew, since readers refuse what is older; signatures of pruned releases go with them', async () => {
    const [store, clock, key] = [new MemoryStore(), new Clock(), await keyPair()];
    const [releases, signIndex] = [releaseMemory(), signerOf(key, clock)];
    const of = (body: string): SkillProvider => new SkillRegistry({ skills: [{ name: 'billing', description: 'Money.', body }] });
    await publishSkillsToStorage(store, of('one'), { signIndex, keep: 2 });
    await publishSkillsToStorage(store, of('two'), { signIndex, keep: 2 });
    const open = (): SkillProvider =>
      storageSkillProvider({ store, verifyIndex: verifierOf(clock, [key], { releases }), now: clock.now, staleAfterMs: 0 });
    expect(await bodyOf(open())).toBe('two');
    await rollbackSkills(store);
    expect((await open().listSkills()).diagnostics).toMatchObject([{ message: expect.stringContaining('release-rollback') }]);
    await rollbackSkills(store);
    await rollbackSkills(store, { signIndex });
    expect(await bodyOf(open())).toBe('one');
    await publishSkillsToStorage(store, of('three'), { signIndex, keep: 2 });
    const signatures = (): number => [...store.objects.keys()].filter((name) => name.endsWith('.sig')).length;
    expect(signatures()).toBe(3);
    const { removed } = await pruneSkills(store, { graceMs: 0, now: () => 1 });
    expect([signatures(), removed.filter((name) => name.endsWith('.sig')).length]).toEqual([2, 1]);
    expect(await bodyOf(open())).toBe('three');
  });
});

describe('GOV-12: signed indexes of a page host', () => {
  it('GOV-12: a handler signs its index, and renews the signature', async () => {
    const [clock, key] = [new Clock(), await keyPair()];
    const log = logOf();
    const handler = createSkillsHandler(
      { ...fixedSkillProvider([{ name: 'billing', description: 'Money.', body: 'one' }]), watch: () => () => {} },
      {
        signIndex: signerOf(key, clock, log),
        now: clock.now,
      },
    );
    const provider = httpSkillProvider({ url: source, fetch: handler, verifyIndex: verifierOf(clock, [key]), now: clock.now });
    for (let passed = 0; passed < 30; passed += 4) {
      expect(await bodyOf(provider)).toBe('one');
      clock.time += 4 * day;
    }
    expect(log.last?.release).toBeGreaterThan(2);
  });

  it('GOV-12: a renewed signature is seen before the old one expires, so that an outage later does no harm', async () => {
    const [place, clock, key] = [pageHost(), new Clock(), await keyPair()];
    const sign = signerOf(key, clock);
    await place.publish('one', sign);
    const provider = place.open(verifierOf(clock, [key]), clock.now);
    expect(await bodyOf(provider)).toBe('one');
    clock.time += 6 * day;
    await place.publish('one', sign);
    expect(await bodyOf(provider)).toBe('one');
    clock.time += 5 * day;
    place.files.clear();
    expect(await bodyOf(provider)).toBe('one');
  });

  it('GOV-12: an index without digests is not taken', async () => {
    const [clock, key] = [new Clock(), await keyPair()];
    const legacy = new TextEncoder().encode(JSON.stringify({ skills: [{ name: 'billing', description: 'Money.', files: ['SKILL.md'] }] }));
    const sign = signerOf(key, clock);
    const digest = await sha256Hex(legacy);
    const signature = await sign({ digest });
    const fetch = async ({ url }: Request): Promise<Response> => new Response(url.endsWith('.sig') ? signature.slice() : legacy.slice());
    const old = httpSkillProvider({ url: `${source}/index.json`, fetch, verifyIndex: verifierOf(clock, [key]), now: clock.now });
    await expect(old.listSkills()).rejects.toThrow(/has no digests/);
    expect(() => httpSkillProvider({ url: source, layout: 'card', verifyIndex: verifierOf(clock, [key]) })).toThrow(/verifyIndex/);
  });
});

describe('GOV-12: signed indexes in workerd without nodejs_compat', () => {
  it('GOV-12: are signed, verified and refused there', async () => {
    const code = await bundleTestWorker(`export { default } from './workers/signed-index-worker.ts';`);
    const runtime = openWorkerd(code);
    try {
      expect(await (await runtime.dispatchFetch('http://localhost/')).json()).toEqual({
        storage: ['two', 'key-unknown', 'unsigned', 'release-rollback'],
        http: ['one', 'key-unknown', 'unsigned'],
      });
    } finally {
      await runtime.dispose();
    }
  });
});
