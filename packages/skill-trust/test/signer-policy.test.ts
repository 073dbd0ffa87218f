import { lockSigner } from '../src/provider/lock-signer.ts';
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import {
  keySigner,
  createSkillVerifier,
  signerMemory,
  signRelease,
  signSkill,
  verifyRelease,
  type SkillFiles,
  type VerifiedRelease,
} from '../src/index.ts';
import { keylessSignerOf } from '../src/verify/skill-signer.ts';
import { readFilesToVerify, verifiedProvider, type VerifiedProviderOptions } from '../src/provider.ts';
import type { SkillProvider } from '@repertoire/skills-core';
import { certificate, der, now, pem, privateKeyPem } from './support/certificates.ts';
import { folderSource, type FolderSource } from './support/folder-source.ts';
import { listing, refusedWith } from './support/listing.ts';
import { editBundle, publisher, signatureName, skillFiles, text, type Publisher } from './support/signed-skills.ts';

let own: Publisher;
let other: Publisher;
let billing: SkillFiles;
beforeAll(async () => {
  own = await publisher('P-256', { name: 'Acme signing' });
  other = await publisher('P-256', { name: 'Other signing' });
  billing = await own.sign(skillFiles());
});

const opened: FolderSource[] = [];
afterEach(async () => {
  for (const source of opened.splice(0)) await source[Symbol.asyncDispose]();
});

async function open(skills: Readonly<Record<string, SkillFiles>>, options: Parameters<typeof folderSource>[1] = {}): Promise<FolderSource> {
  const source = await folderSource(skills, options);
  opened.push(source);
  return source;
}

const acme = 'C=US, O=Example, CN=Acme signing';
const verified = (source: FolderSource, options: Partial<VerifiedProviderOptions> = {}): SkillProvider =>
  verifiedProvider(source.provider, { roots: [pem(own.root)], at: now, ...options });

describe('GOV-12: whose signature counts', () => {
  it('a rule names signers and skills', async () => {
    const source = await open({ billing });
    const accept = async (...require: NonNullable<VerifiedProviderOptions['require']>): Promise<string> =>
      await listing(verified(source, { require }));
    expect(await accept({ subject: acme })).toBe('billing');
    expect(await accept({ subject: acme, issuer: 'C=US, O=Example, CN=Intermediate' })).toBe('billing');
    expect(await accept({ issuer: 'C=US, O=Example, CN=Intermediate', skills: ['x', 'bill*'] })).toBe('billing');
    expect(await accept({ subject: acme, skills: 'b*i*g' })).toBe('billing');
    for (const skills of ['bill', '*bill', 'billing*g', 'b*ing*g', 'billi*illing', '', 'B*'])
      expect(await accept({ subject: acme, skills })).toBe('billing: signer-not-accepted');
    expect(await accept({ subject: 'Acme signing' })).toBe('billing: signer-not-accepted');
    expect(await accept({ key: 'a'.repeat(64) })).toBe('billing: signer-not-accepted');
    expect(await accept({ identity: acme, issuer: 'C=US, O=Example, CN=Intermediate' })).toBe('billing: signer-not-accepted');
    expect(await accept()).toBe('billing: signer-not-accepted');
    expect(await accept({ subject: 'x' }, {})).toBe('billing');
  });

  it('keyless signers need a rule with identity and issuer', async () => {
    const identity = 'https://github.com/acme/skills/.github/workflows/release.yml@refs/heads/main';
    const issuer = 'https://token.actions.githubusercontent.com';
    // Stands in for sigstore's verifier, which has tests of its own.
    const keyless = async (): Promise<ReturnType<typeof keylessSignerOf>> => keylessSignerOf(identity, issuer);
    const signature = editBundle(billing.get(signatureName), (bundle) => ({
      ...bundle,
      verificationMaterial: { certificate: { rawBytes: 'AAAA' }, tlogEntries: [] },
    }));
    const source = await open({ billing: new Map(billing).set(signatureName, signature) });
    const accept = async (...require: NonNullable<VerifiedProviderOptions['require']>): Promise<string> =>
      await listing(verified(source, { keyless, require }));
    expect(await accept({ identity, issuer })).toBe('billing');
    expect(await listing(verified(source, { keyless }))).toBe('billing: signer-not-accepted');
    expect(await accept({ issuer })).toBe('billing: signer-not-accepted');
    expect(await accept({ identity: 'acme/skills', issuer })).toBe('billing: signer-not-accepted');
    expect(await accept({ identity, issuer: 'https://evil.example' })).toBe('billing: signer-not-accepted');
    expect(() => verified(source, { require: [{ identity }] })).toThrow(expect.objectContaining({ code: 'invalid-options' }));
    expect(() => verified(source, { require: [{ subject: acme, key: 'k' }] })).toThrow(
      expect.objectContaining({ code: 'invalid-options' }),
    );
  });

  it('trust is what the host says of a signer, and otherwise of the source', async () => {
    const trustOf = async (source: FolderSource, options: Partial<VerifiedProviderOptions>): Promise<unknown> => {
      const provider = verified(source, options);
      const [listed] = (await provider.listSkills()).skills;
      return [listed?.origin?.trusted, (await provider.getSkill('billing'))?.origin?.trusted];
    };
    const untrusted = await open({ billing });
    const trusted = await open({ billing }, { trusted: true });
    expect(await trustOf(untrusted, {})).toEqual([false, false]);
    expect(await trustOf(untrusted, { require: [{ subject: acme, trusted: true }] })).toEqual([true, true]);
    expect(await trustOf(trusted, {})).toEqual([true, true]);
    expect(await trustOf(trusted, { require: [{ subject: acme, trusted: false }] })).toEqual([false, false]);
  });

  it('skills without a signature are refused, untrusted, or as the source has them', async () => {
    const source = await open({ plain: skillFiles('plain') }, { trusted: true });
    expect(await listing(verified(source))).toBe('plain: unsigned');
    await expect(verified(source).getSkill('plain')).rejects.toEqual(refusedWith('unsigned'));
    await expect(verified(source).readResource('plain', 'scripts/run.sh')).rejects.toEqual(refusedWith('unsigned'));
    for (const [unsigned, trusted] of [
      ['untrusted', false],
      ['allow', true],
    ] as const) {
      const provider = verified(source, { unsigned });
      expect(await listing(provider)).toBe('plain, plain: unsigned');
      expect((await provider.getSkill('plain'))?.origin).toMatchObject({ trusted });
      expect((await provider.listSkills()).skills[0]?.origin).toMatchObject({ trusted });
      expect(text((await provider.readResource('plain', 'scripts/run.sh'))?.bytes)).toBe('echo run\n');
    }
    expect(() => verified(source, { unsigned: 'no' as 'allow' })).toThrow(expect.objectContaining({ code: 'invalid-options' }));
  });

  it('a wrong signature is refused whatever is said of skills without one', async () => {
    const source = await open({ billing: await other.sign(skillFiles()) });
    expect(await listing(verified(source, { unsigned: 'allow' }))).toBe('billing: chain-untrusted');
  });

  it('a skill that was served with a signature is not served without', async () => {
    const source = await open({ billing });
    const provider = verified(source, { unsigned: 'untrusted', require: [{ subject: acme, trusted: true }] });
    expect((await provider.listSkills()).skills[0]?.origin?.trusted).toBe(true);
    await source.put('billing', skillFiles('billing', ' Other instructions.'));
    await expect(provider.getSkill('billing')).rejects.toEqual(refusedWith('signer-changed'));
    await expect(provider.readResource('billing', 'scripts/run.sh')).rejects.toEqual(refusedWith('signer-changed'));
    expect(await listing(provider)).toBe('billing: signer-changed');
  });

  it('skills that a rule names must be signed', async () => {
    const source = await open({ 'acme-plain': skillFiles('acme-plain'), plain: skillFiles('plain') });
    const provider = verified(source, { unsigned: 'untrusted', require: [{ subject: acme, skills: 'acme-*' }] });
    expect(await listing(provider)).toBe('plain, acme-plain: unsigned, plain: unsigned');
  });
});

describe('GOV-12: changed signers', () => {
  const roots = (): string[] => [pem(own.root, other.root)];

  it('another signer, or none, is refused until people accept it', async () => {
    const source = await open({ billing });
    const signers = signerMemory();
    const provider = verified(source, { roots: roots(), signers, unsigned: 'allow' });
    expect(await listing(provider)).toBe('billing');
    expect(Object.keys(signers.entries())).toEqual(['billing']);
    await source.put('billing', await other.sign(skillFiles()));
    expect(await listing(provider)).toBe('billing: signer-changed');
    await expect(provider.getSkill('billing')).rejects.toEqual(refusedWith('signer-changed'));
    await source.write('billing', signatureName, null);
    expect(await listing(provider)).toBe('billing: signer-changed');
    await source.put('billing', await other.sign(skillFiles()));
    const found = await createSkillVerifier({ roots: roots(), at: now }).verifySkill(
      (await readFilesToVerify(source.provider, 'billing'))!,
    );
    await signers.acceptSigner('billing', found.verified ? found.signer.id : '');
    expect(await listing(provider)).toBe('billing');
    await source.put('billing', billing);
    expect(await listing(provider)).toBe('billing: signer-changed');
    // What was stored holds for the next process.
    expect(await listing(verified(source, { roots: roots(), signers: signerMemory(signers.entries()) }))).toBe('billing: signer-changed');
  });

  it('a renewed certificate of the same subject and root is the same signer', async () => {
    const renewed = await certificate({ issuer: own.intermediate, name: 'Acme signing' });
    const signer = keySigner({ key: await privateKeyPem(renewed), certificates: [der(renewed), der(own.intermediate)] });
    const source = await open({ billing });
    const provider = verified(source, { signers: signerMemory() });
    expect(await listing(provider)).toBe('billing');
    await source.put('billing', new Map(skillFiles()).set(signatureName, await signSkill(skillFiles(), { name: 'billing', signer })));
    expect(await listing(provider)).toBe('billing');
  });

  it('a lock names a signer by the subject of its certificate, and pins the fingerprint', async () => {
    const source = await open({ billing });
    const signerOf = lockSigner(createSkillVerifier({ roots: roots(), at: now }));
    expect(await signerOf(source.provider, { name: 'billing', description: '', version: null })).toEqual({
      id: expect.stringMatching(/./),
      name: expect.stringContaining('Acme'),
      fingerprint: expect.stringMatching(/^[0-9a-f]{16,}$/i),
    });
  });

  it('a memory that cannot be read accepts nobody', async () => {
    const source = await open({ billing });
    const down = async (): Promise<never> => await Promise.reject(new Error('the store is down'));
    const provider = verified(source, { signers: { read: down, remember: down, acceptSigner: down } });
    expect(await listing(provider)).toBe('billing: signature-unavailable, incomplete');
    await expect(provider.getSkill('billing')).rejects.toThrow('the store is down');
  });
});

describe('GOV-12: skills of a release', () => {
  const digestOf = async (files: SkillFiles): Promise<string> => {
    const result = await own.verifier().verifySkill(files);
    return result.verified ? result.statement.digest : '';
  };
  const releaseOf = async (digest: string, version: string | null = null): Promise<VerifiedRelease> => {
    const document = {
      source: 's',
      release: 1,
      issued: '2029-12-01T00:00:00.000Z',
      expires: '2030-02-01T00:00:00.000Z',
      previous: null,
      skills: [{ name: 'billing', version, digest }],
    };
    const { bytes: signed } = await signRelease(document, { sign: own.signPayload });
    const result = await verifyRelease(signed, { verifier: own.verifier(), source: 's', known: null, at: now });
    if (!result.verified) throw new Error('refused');
    return result;
  };

  it('an older state of a skill is refused, although its signature is valid', async () => {
    const newer = await own.sign(skillFiles('billing', ' Newer.'));
    const source = await open({ billing: newer });
    const provider = verified(source, { release: await releaseOf(await digestOf(newer)) });
    expect(await listing(provider)).toBe('billing');
    await source.put('billing', billing);
    expect(await listing(provider)).toBe('billing: release-mismatch');
    await expect(provider.readResource('billing', 'scripts/run.sh')).rejects.toEqual(refusedWith('release-mismatch'));
  });

  it('what the release does not have is refused, and everything is while there is no release', async () => {
    const source = await open({ billing, refunds: await own.sign(skillFiles('refunds'), 'refunds'), plain: skillFiles('plain') });
    const release = await releaseOf(await digestOf(billing));
    expect(await listing(verified(source, { release, unsigned: 'allow' }))).toBe('billing, plain: unsigned, refunds: not-in-release');
    expect(await listing(verified(source, { release: await releaseOf(await digestOf(billing), '2.0.0') }))).toContain(
      'billing: not-in-release',
    );
    let current: VerifiedRelease | null = null;
    const provider = verified(source, { release: () => current });
    expect(await listing(provider)).toContain('billing: not-in-release');
    current = release;
    expect(await listing(provider)).toContain('billing,');
  });
});
