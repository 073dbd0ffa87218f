import { createPrivateKey, verify, X509Certificate } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { createSkillVerifier, keySigner, signSkill } from '../src/index.ts';
import { certificate, chain, der, generateKeys, keyKinds, now, pem, privateKeyPem, publicKeyPem } from './support/certificates.ts';
import { bytes, editBundle, publisher, signatureName, skillFiles, text, verdict, type WrittenBundle } from './support/signed-skills.ts';

describe('GOV-12: signing and verifying', () => {
  it.each(keyKinds)('a certificate with %s: what is signed verifies, and names the signer', async (kind) => {
    const { sign, verifier } = await publisher(kind);
    const result = await verifier().verifySkill(await sign(skillFiles()));
    expect(result).toMatchObject({
      verified: true,
      signer: {
        kind: 'certificate',
        subject: 'C=US, O=Example, CN=Signer',
        issuer: 'C=US, O=Example, CN=Intermediate',
        root: 'C=US, O=Example, CN=Root',
      },
      statement: { name: 'billing' },
    });
    expect(result.verified && [...result.statement.files.keys()]).toEqual([
      'SKILL.md',
      'assets/empty.bin',
      'references/policy.md',
      'scripts/run.sh',
    ]);
  });

  it.each(keyKinds)('a key of %s without a certificate verifies for hosts that have its public half', async (kind) => {
    const pair = { keys: await generateKeys(kind) };
    const files = skillFiles();
    const signature = await signSkill(files, { name: 'billing', signer: keySigner({ key: await privateKeyPem(pair) }) });
    files.set(signatureName, signature);
    const verifier = createSkillVerifier({
      publicKeys: [await publicKeyPem({ keys: await generateKeys(kind) }), await publicKeyPem(pair)],
    });
    expect(await verifier.verifySkill(files)).toMatchObject({
      verified: true,
      signer: { kind: 'key', hint: expect.stringMatching(/^[0-9a-f]{64}$/) },
    });
    const stranger = createSkillVerifier({ publicKeys: [await publicKeyPem({ keys: await generateKeys(kind) })] });
    expect(await verdict(stranger, files)).toBe('key-unknown');
  });

  it('a key in place of its hint, as older implementations wrote it, selects a key of the host', async () => {
    const pair = { keys: await generateKeys('P-384') };
    const publicKey = await publicKeyPem(pair);
    const files = skillFiles();
    const signature = await signSkill(files, { name: 'billing', signer: keySigner({ key: pair.keys.privateKey, publicKey }) });
    const withKey = (material: object): Map<string, Uint8Array | null> =>
      new Map(files).set(
        signatureName,
        editBundle(signature, (bundle) => ({ ...bundle, verificationMaterial: { publicKey: material, tlogEntries: [] } })),
      );
    const verifier = createSkillVerifier({ publicKeys: [publicKey] });
    const rawBytes = btoa(publicKey);
    expect(await verdict(verifier, withKey({ rawBytes, keyDetails: 'PKIX_ECDSA_P384_SHA_384' }))).toBe('verified');
    expect(await verdict(verifier, withKey({ rawBytes, hint: null }))).toBe('verified');
    expect(await verdict(verifier, withKey({ rawBytes: btoa(`${publicKey}\n`) }))).toBe('key-unknown');
    expect(await verdict(verifier, withKey({ rawBytes: btoa(await publicKeyPem({ keys: await generateKeys('P-384') })) }))).toBe(
      'key-unknown',
    );
    expect(await verdict(verifier, withKey({ rawBytes, keyDetails: 'other' }))).toBe('bundle-malformed');
    expect(await verdict(verifier, withKey({ rawBytes, hint: 'a'.repeat(64) }))).toBe('bundle-malformed');
    expect(await verdict(verifier, withKey({ hint: 'A'.repeat(64) }))).toBe('bundle-malformed');
    expect(await verdict(verifier, withKey({}))).toBe('bundle-malformed');
  });

  it.each(['P-256', 'P-384', 'P-521'] as const)('keys of %s may come as OpenSSL writes them by default (SEC 1)', async (kind) => {
    const pair = { keys: await generateKeys(kind) };
    const sec1 = createPrivateKey(await privateKeyPem(pair)).export({ type: 'sec1', format: 'pem' });
    expect(sec1).toContain('BEGIN EC PRIVATE KEY');
    const files = skillFiles();
    files.set(signatureName, await signSkill(files, { name: 'billing', signer: keySigner({ key: sec1.toString() }) }));
    expect(await verdict(createSkillVerifier({ publicKeys: [await publicKeyPem(pair)] }), files)).toBe('verified');
    await expect(keySigner({ key: sec1.toString().replace('\nM', '\nA') }).sign('a', bytes('b'))).rejects.toMatchObject({
      code: 'invalid-options',
    });
  });

  it.each(keyKinds)("what %s signs verifies by Node's own crypto as well", async (kind) => {
    const { root, signer, intermediate, sign } = await publisher(kind);
    const { dsseEnvelope } = JSON.parse(text((await sign(skillFiles())).get(signatureName))) as WrittenBundle;
    const payload = Buffer.from(dsseEnvelope.payload, 'base64');
    const signed = Buffer.concat([Buffer.from(`DSSEv1 28 application/vnd.in-toto+json ${payload.length} `), payload]);
    const certificates = [signer, intermediate, root].map((holder) => new X509Certificate(der(holder)));
    const hash = { 'P-256': 'sha256', 'P-384': 'sha384', 'P-521': 'sha512', Ed25519: null, RSA: 'sha256' }[kind];
    expect(verify(hash, signed, certificates[0]!.publicKey, Buffer.from(dsseEnvelope.signatures[0]!.sig, 'base64'))).toBe(true);
    expect(certificates[0]!.verify(certificates[1]!.publicKey) && certificates[1]!.verify(certificates[2]!.publicKey)).toBe(true);
  });

  it('mixed chains: an RSA root above P-384 above Ed25519', async () => {
    const root = await certificate({ kind: 'RSA' });
    const intermediate = await certificate({ kind: 'P-384', issuer: root, authority: true, signingHash: 'SHA-512' });
    const signer = await certificate({ kind: 'Ed25519', issuer: intermediate });
    const files = skillFiles();
    const certificates = pem(signer, intermediate, root);
    files.set(signatureName, await signSkill(files, { name: 'billing', signer: keySigner({ key: signer.keys.privateKey, certificates }) }));
    expect(await verdict(createSkillVerifier({ roots: [pem(root)], at: now }), files)).toBe('verified');
  });

  it('names are compared byte for byte, in any script', async () => {
    const { sign, verifier } = await publisher();
    const files = skillFiles()
      .set('references/über/日本.md', bytes('a'))
      .set('references/\u{1F4C4}.md', bytes('b'))
      .set('references/\uFFFD.md', bytes('c'));
    const signed = await sign(files);
    expect(await verdict(verifier(), signed)).toBe('verified');
    const decomposed = new Map([...signed].map(([path, content]) => [path.normalize('NFD'), content]));
    expect(await verdict(verifier(), decomposed)).toBe('file-extra references/u\u0308ber/日本.md; file-missing references/über/日本.md');
    // Code points: U+FFFD stands before U+1F4C4, whose first UTF-16 unit is smaller.
    const result = await verifier().verifySkill(signed);
    const names = result.verified ? [...result.statement.files.keys()] : [];
    expect(names.indexOf('references/\uFFFD.md')).toBeLessThan(names.indexOf('references/\u{1F4C4}.md'));
  });

  it('writes what the format prescribes', async () => {
    const { sign } = await publisher();
    const bundle = JSON.parse(text((await sign(skillFiles().set('.gitignore', bytes('x')))).get(signatureName))) as {
      dsseEnvelope: { payload: string };
    };
    expect(bundle).toEqual({
      mediaType: 'application/vnd.dev.sigstore.bundle.v0.3+json',
      verificationMaterial: {
        x509CertificateChain: { certificates: [{ rawBytes: expect.any(String) }, { rawBytes: expect.any(String) }] },
        tlogEntries: [],
      },
      dsseEnvelope: {
        payload: expect.any(String),
        payloadType: 'application/vnd.in-toto+json',
        signatures: [{ sig: expect.any(String), keyid: '' }],
      },
    });
    expect(JSON.parse(atob(bundle.dsseEnvelope.payload))).toEqual({
      _type: 'https://in-toto.io/Statement/v1',
      subject: [{ name: 'billing', digest: { sha256: expect.stringMatching(/^[0-9a-f]{64}$/) } }],
      predicateType: 'https://model_signing/signature/v1.0',
      predicate: {
        serialization: {
          method: 'files',
          hash_type: 'sha256',
          allow_symlinks: false,
          ignore_paths: ['.git', '.gitattributes', '.github', '.gitignore', signatureName],
        },
        resources: ['SKILL.md', 'assets/empty.bin', 'references/policy.md', 'scripts/run.sh'].map((name) => ({
          name,
          algorithm: 'sha256',
          digest: expect.stringMatching(/^[0-9a-f]{64}$/),
        })),
      },
    });
  });

  it('refuses to sign what cannot be verified', async () => {
    const { signer, intermediate } = await chain();
    const other = await chain();
    const wrong = keySigner({ key: other.signer.keys.privateKey, certificates: pem(signer, intermediate) });
    const own = keySigner({ key: signer.keys.privateKey });
    const signing = (files: Map<string, Uint8Array | null>, by = own): Promise<unknown> =>
      signSkill(files, { name: 'billing', signer: by });
    await expect(signing(skillFiles(), wrong)).rejects.toMatchObject({
      code: 'invalid-options',
      message: expect.stringContaining('does not belong'),
    });
    await expect(signing(new Map())).rejects.toMatchObject({ code: 'invalid-skill' });
    await expect(signing(skillFiles().set('link', null))).rejects.toMatchObject({ code: 'invalid-skill', path: 'link' });
    await expect(signing(skillFiles().set('../up', bytes('')))).rejects.toMatchObject({ code: 'invalid-path', path: '../up' });
    await expect(signing(skillFiles().set('skill.MD', bytes('')))).rejects.toMatchObject({ code: 'invalid-skill', path: 'skill.MD' });
    expect(() => keySigner({ key: '', certificates: 'nothing' })).toThrow(expect.objectContaining({ code: 'invalid-options' }));
    await expect(signing(skillFiles(), keySigner({ key: 'nothing' }))).rejects.toMatchObject({ code: 'invalid-options' });
    await expect(signing(skillFiles(), keySigner({ key: (await privateKeyPem(signer)).replace('MI', 'MA') }))).rejects.toMatchObject({
      code: 'invalid-options',
    });
  });

  it('tells a host at once that it trusts nothing, or what cannot be used', () => {
    expect(() => createSkillVerifier({})).toThrow(expect.objectContaining({ code: 'invalid-options' }));
    expect(() => createSkillVerifier({ roots: [] })).toThrow(expect.objectContaining({ code: 'invalid-options' }));
    expect(() => createSkillVerifier({ roots: ['-----BEGIN CERTIFICATE-----'] })).toThrow(
      expect.objectContaining({ code: 'invalid-options' }),
    );
    expect(() => createSkillVerifier({ roots: [new Uint8Array([0x30, 0x00])] })).toThrow(
      expect.objectContaining({ code: 'invalid-options' }),
    );
    expect(() => createSkillVerifier({ publicKeys: ['x'] })).toThrow(expect.objectContaining({ code: 'invalid-options' }));
  });
});
