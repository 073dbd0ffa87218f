import { beforeAll, describe, expect, it } from 'vitest';
import {
  createSkillVerifier,
  indexSigner,
  indexVerifier,
  keySigner,
  signRelease,
  verifyRelease,
  type LastRelease,
  type ReleaseLog,
  type ReleaseState,
  type VerifyReleaseOptions,
} from '../src/index.ts';
import { oneFieldBroken } from '../../../test/support/one-field-broken.ts';
import { parseRelease, type ReleaseDocument } from '../src/release/release-document.ts';
import { now, pem } from './support/certificates.ts';
import { bytes, publisher, signatureName, skillFiles, type Publisher } from './support/signed-skills.ts';

const source = 'https://skills.example.com';
const digest = 'a'.repeat(64);

let own: Publisher;
let other: Publisher;
beforeAll(async () => {
  own = await publisher();
  other = await publisher();
});

const document = (edit: Partial<ReleaseDocument> = {}): ReleaseDocument => ({
  source,
  release: 1,
  issued: '2029-12-01T00:00:00.000Z',
  expires: '2030-02-01T00:00:00.000Z',
  previous: null,
  skills: [{ name: 'billing', version: '1.0.0', digest }],
  ...edit,
});

const sign = async (edit: Partial<ReleaseDocument> = {}, by = own): Promise<{ bytes: Uint8Array; digest: string }> =>
  await signRelease(document(edit), { sign: by.signPayload });

const check = async (release: Uint8Array, options: Partial<VerifyReleaseOptions> = {}) => {
  const verifier = createSkillVerifier({ roots: [pem(own.root, other.root)], at: now });
  return await verifyRelease(release, { verifier, source, known: null, at: now, ...options });
};

const verdict = async (release: Uint8Array, options: Partial<VerifyReleaseOptions> = {}): Promise<string> => {
  const result = await check(release, options);
  return result.verified
    ? ['verified', ...result.warnings.map(({ code }) => code)].join(', ')
    : result.problems.map(({ code }) => code).join('; ');
};

/** What is known after a release. */
async function after(release: Uint8Array): Promise<ReleaseState> {
  const result = await check(release);
  if (!result.verified) throw new Error('refused');
  return result.state;
}

describe('GOV-12: signed releases', () => {
  it('what is signed verifies, and says what to remember', async () => {
    const signed = await sign({ skills: [{ name: 'z', version: null, digest }, ...document().skills] });
    expect(await check(signed.bytes)).toEqual({
      verified: true,
      release: document({ index: null, skills: [...document().skills, { name: 'z', version: null, digest }] }),
      signer: expect.objectContaining({ subject: 'C=US, O=Example, CN=Signer' }),
      state: { source, signer: expect.stringMatching(/^certificate:/), release: 1, digest: signed.digest },
      warnings: [],
    });
  });

  it('belongs to the index that it names, and to no other', async () => {
    const [index, another] = ['b'.repeat(64), 'c'.repeat(64)];
    const signed = await sign({ skills: [], index });
    expect(await verdict(signed.bytes, { index })).toBe('verified');
    expect(await verdict(signed.bytes, { index: another })).toBe('release-index');
    expect(await verdict((await sign()).bytes, { index })).toBe('release-index');
    await expect(sign({ index: 'B'.repeat(64) })).rejects.toMatchObject({ code: 'invalid-options' });
  });

  it('a chain of releases goes forward only', async () => {
    const first = await sign();
    const second = await sign({ release: 2, previous: first.digest });
    const third = await sign({ release: 3, previous: second.digest });
    const known = await after(second.bytes);
    expect(await verdict(second.bytes, { known: await after(first.bytes) })).toBe('verified');
    expect(await verdict(second.bytes, { known })).toBe('verified');
    expect(await verdict(third.bytes, { known })).toBe('verified');
    for (const release of [Number.NaN, -1, 0, 1.5, '2' as unknown as number])
      expect(await verdict(first.bytes, { known: { ...known, release } })).toBe('release-rollback');
    expect(await verdict(first.bytes, { known })).toBe('release-rollback');
    expect(await verdict((await sign({ release: 2, previous: digest })).bytes, { known })).toBe('release-equivocation');
    expect(await verdict((await sign({ release: 3, previous: first.digest })).bytes, { known })).toBe('release-fork');
    const later = await sign({ release: 9, previous: digest });
    expect(await verdict(later.bytes, { known })).toBe('verified');
    expect(await verdict(later.bytes, { known, gaps: 'refuse' })).toBe('release-gap');
  });

  it('an expired release is refused, or told of where the host is offline', async () => {
    const { bytes: release } = await sign();
    expect(await verdict(release, { at: new Date('2030-01-31T23:59:59.999Z') })).toBe('verified');
    expect(await verdict(release, { at: new Date('2030-02-01T00:00:00Z') })).toBe('release-expired');
    expect(await verdict(release, { at: new Date(Number.NaN) })).toBe('release-expired');
    expect(await verdict(release, { at: new Date('2030-03-01T00:00:00Z'), expired: 'warn' })).toBe('verified, release-expired');
  });

  it('a release of the future is refused, since no later one would be newer; clocks may differ by an hour (ATK-63)', async () => {
    const made = (issued: string) => sign({ issued, expires: '9999-01-01T00:00:00.000Z' });
    expect(await verdict((await made('2050-01-01T00:00:00.000Z')).bytes)).toBe('release-not-yet-valid');
    const at = new Date('2030-01-01T00:00:00Z');
    expect(await verdict((await made('2030-01-01T01:00:00.000Z')).bytes, { at })).toBe('verified');
    expect(await verdict((await made('2030-01-01T01:00:00.001Z')).bytes, { at })).toBe('release-not-yet-valid');
    expect(await verdict((await made('2050-01-01T00:00:00.000Z')).bytes, { at, expired: 'warn' })).toBe('release-not-yet-valid');
  });

  it('no release takes the last number, nor one that is far away (ATK-64)', async () => {
    const known = await after((await sign({ release: 2, previous: digest })).bytes);
    const ahead = await sign({ release: 2 + 2 ** 40, previous: digest });
    expect(await verdict(ahead.bytes, { known })).toBe('verified');
    expect(await verdict((await sign({ release: 3 + 2 ** 40, previous: digest })).bytes, { known })).toBe('release-gap');
    await expect(sign({ release: Number.MAX_SAFE_INTEGER, previous: digest })).rejects.toMatchObject({ code: 'invalid-options' });
  });

  it('of two that are verified at once, an older or another one is refused (ATK-65)', async () => {
    const index = (letter: string) => letter.repeat(64);
    const first = await sign({ index: index('a') });
    const second = await sign({ release: 2, previous: first.digest, index: index('b') });
    const third = await sign({ release: 3, previous: second.digest, index: index('c') });
    const another = await sign({ release: 3, previous: second.digest, index: index('d') });
    const done: string[] = [];
    const atOnce = async (...releases: (readonly [Uint8Array, string])[]) => {
      const verifier = createSkillVerifier({ roots: [pem(own.root)], at: now });
      const verify = indexVerifier({ verifier, source, now: () => now });
      done.length = 0;
      const answers = await Promise.allSettled(
        releases.map(async ([signature, letter]) => {
          await verify({ digest: index(letter), signature });
          done.push(letter);
        }),
      );
      return answers.map((answer) =>
        answer.status === 'fulfilled' ? 'verified' : /\(([a-z-]+)\)/.exec((answer.reason as Error).message)?.[1],
      );
    };
    // The platform verifies on threads: where the older one is done first, it is not behind anything yet.
    const [newer, older] = await atOnce([third.bytes, 'c'], [second.bytes, 'b']);
    expect(newer).toBe('verified');
    expect(['release-rollback', ...(done[0] === 'b' ? ['verified'] : [])]).toContain(older);
    expect((await atOnce([third.bytes, 'c'], [another.bytes, 'd'])).toSorted()).toEqual(['release-equivocation', 'verified']);
    expect(await atOnce([third.bytes, 'c'], [third.bytes, 'c'])).toEqual(['verified', 'verified']);
  });

  it('indexes that are signed at once get numbers of their own, one after the other (ATK-66)', async () => {
    let last: LastRelease | null = null;
    const told: (LastRelease | null)[] = [];
    const log: ReleaseLog = {
      read: async () => last,
      write: async (next, before) => {
        told.push(before);
        last = next;
      },
    };
    const signIndex = indexSigner({ signer: { sign: own.signPayload }, source, log, now: () => now });
    const signed = await Promise.all(['a', 'b', 'c'].map((letter) => signIndex({ digest: letter.repeat(64) })));
    const results = await Promise.all(signed.map((release) => check(release)));
    expect(results.map((result) => result.verified && result.release.release)).toEqual([1, 2, 3]);
    // A log can tell whether somebody else wrote it meanwhile.
    expect(told.map((before) => before?.release ?? null)).toEqual([null, 1, 2]);
  });

  it('belongs to one source and to signers that the host accepts', async () => {
    const { bytes: release } = await sign();
    expect(await verdict(release, { source: 'https://other.example.com' })).toBe('release-source');
    const known = { ...(await after(release)), source: 'https://other.example.com' };
    expect(await verdict(release, { known })).toBe('release-source');
    expect(await verdict(release, { require: [{ subject: 'C=US, O=Example, CN=Signer' }] })).toBe('verified');
    expect(await verdict(release, { require: [{ subject: 'CN=Signer' }] })).toBe('signer-not-accepted');
    expect(await verdict(release, { require: [] })).toBe('signer-not-accepted');
  });

  it('another signer is refused until it is accepted, and counts anew', async () => {
    const known = await after((await sign({ release: 7, previous: digest })).bytes);
    const { bytes: release } = await sign({}, other);
    expect(await verdict(release, { known })).toBe('signer-changed');
    expect(await verdict(release, { known, acceptSigner: known.signer })).toBe('signer-changed');
    const accepted = await after(release);
    expect(await verdict(release, { known, acceptSigner: accepted.signer })).toBe('verified');
    // What was accepted once is no way back for the old signer.
    expect(await verdict((await sign({ release: 8, previous: digest })).bytes, { known: accepted, acceptSigner: accepted.signer })).toBe(
      'signer-changed',
    );
  });

  it('names the one part of a release that is wrong', () => {
    const whole = document({ release: 2, previous: digest, index: digest });
    const taken: string[] = [];
    for (const { place, given, value } of oneFieldBroken(whole)) {
      try {
        expect(parseRelease(bytes(JSON.stringify(value)), 1)).toEqual(value);
        taken.push(`${place} ${given}`);
      } catch (error) {
        const [field = '', ...parts] = place.split(/[.[]/);
        expect((error as Error).message, `${place} ${given}`).toMatch(parts.length > 0 ? /skill/ : new RegExp(`\\b${field}\\b`));
        expect(error).toMatchObject({ problem: { code: 'release-malformed' } });
      }
    }
    expect(taken).toEqual(['skills[0] nothing', 'skills[0].version null', 'index null']);
  });

  it('the signature of a skill is none of a release, and the other way round', async () => {
    const skill = (await own.sign(skillFiles())).get(signatureName)!;
    expect(await verdict(skill)).toBe('payload-type');
    const { bytes: release } = await sign();
    expect(await own.verifier().verifySkill(skillFiles().set(signatureName, release))).toMatchObject({
      problems: [{ code: 'payload-type' }],
    });
    expect(await verdict(bytes('{}'))).toBe('bundle-unsupported');
  });

  it.each<[string, unknown]>([
    ['a number below 1', { release: 0 }],
    ['the last number that there is', { release: Number.MAX_SAFE_INTEGER, previous: digest }],
    ['a number with a fraction', { release: 1.5 }],
    ['a first release with one before', { previous: digest }],
    ['a date in another spelling', { issued: '2029-12-01' }],
    ['a day that does not exist', { issued: '2029-02-30T00:00:00.000Z' }],
    ['a skill twice', { skills: [...document().skills, ...document().skills] }],
    ['an unknown field of a skill', { skills: [{ name: 'a', version: null, digest, more: 1 }] }],
    ['an unknown field', { more: 1 }],
    ['an empty source', { source: '' }],
    ['a list', []],
  ])('%s is refused', async (_name, edit) => {
    const payload = Array.isArray(edit) ? '[]' : JSON.stringify({ ...document(), ...(edit as object) });
    expect(await verdict(await own.signPayload('application/vnd.repertoire.release+json', bytes(payload)))).toBe('release-malformed');
  });

  it('is refused where it expires before it was made, twice names a field, or lists too much', async () => {
    expect(await verdict((await sign({ issued: '2030-03-01T00:00:00.000Z' })).bytes)).toBe('release-malformed');
    const twice = JSON.stringify(document()).replace('{', '{"release":9,');
    expect(await verdict(await own.signPayload('application/vnd.repertoire.release+json', bytes(twice)))).toBe('release-malformed');
    const many = Array.from({ length: 3 }, (_, index) => ({ name: `s${index}`, version: null, digest }));
    expect(await verdict((await sign({ skills: many })).bytes, { maxSkills: 2 })).toBe('release-malformed');
  });

  it('a publisher is told before it signs what readers would refuse', async () => {
    await expect(sign({ release: 2 })).rejects.toMatchObject({ code: 'invalid-options' });
    await expect(signRelease(document({ source: '' }), keySigner({ key: own.signer.keys.privateKey }))).rejects.toMatchObject({
      code: 'invalid-options',
    });
  });
});
