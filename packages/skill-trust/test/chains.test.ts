import { X509Certificate } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import { keySigner, createSkillVerifier, signSkill, type SkillVerifierOptions } from '../src/index.ts';
import { derTag, writeDer } from '../src/encoding/der.ts';
import { ecdsaSignatureToDer } from '../src/keys/ecdsa-signature.ts';
import { parseCertificate } from '../src/x509/certificate.ts';
import {
  certificate,
  chain,
  codeSigning,
  cRLSign,
  der,
  digitalSignature,
  extension,
  keyCertSign,
  keyEncipherment,
  now,
  pem,
  rewrite,
  serverAuth,
  type CertificateRequest,
  type Holder,
} from './support/certificates.ts';
import { editBundle, signatureName, signWithChain, skillFiles, verdict } from './support/signed-skills.ts';

let root: Holder;
let intermediate: Holder;
beforeAll(async () => {
  root = await certificate();
  intermediate = await certificate({ issuer: root, authority: true, pathLength: 0 });
});

/** What is said of a skill that the first certificate signed. The others are listed behind it. */
async function judge(listed: readonly Holder[], options: SkillVerifierOptions = {}, signer = listed[0]): Promise<string> {
  const files = await signWithChain(skillFiles(), signer!.keys.privateKey, listed.map(der));
  return await verdict(createSkillVerifier({ roots: [pem(root)], at: now, ...options }), files);
}

const signer = async (request: CertificateRequest = {}): Promise<Holder> => await certificate({ issuer: intermediate, ...request });

describe('GOV-12: chains of certificates', () => {
  it('lead to a root of the host, with the root in the list or without', async () => {
    const own = await signer();
    expect(await judge([own, intermediate])).toBe('verified');
    expect(await judge([own, intermediate, root])).toBe('verified');
  });

  it('may end at an intermediate or at the signer itself, where the host gave that', async () => {
    const own = await signer();
    expect(await judge([own], { roots: [der(intermediate)] })).toBe('verified');
    expect(await judge([own], { roots: [der(own)] })).toBe('verified');
    expect(await judge([own, intermediate, root], { roots: [pem(intermediate, root)] })).toBe('verified');
  });

  it('are refused where they are cut short, out of order, foreign, or hold what is not needed', async () => {
    const own = await signer();
    const foreign = await chain();
    expect(await judge([own])).toBe('chain-untrusted');
    expect(await judge([own, root, intermediate])).toBe('chain-untrusted');
    expect(await judge([own, foreign.intermediate, intermediate])).toBe('chain-untrusted');
    expect(await judge([own, intermediate, foreign.root])).toBe('chain-invalid');
    expect(await judge([own, intermediate, intermediate])).toBe('chain-invalid');
    expect(await judge([foreign.signer, foreign.intermediate, foreign.root])).toBe('chain-untrusted');
    expect(await judge([foreign.signer, foreign.intermediate, foreign.root, root])).toBe('chain-untrusted');
    expect(await judge([own, intermediate, ...Array.from({ length: 7 }, () => root)])).toBe('chain-invalid');
  });

  it('a root of the same name with another key is another root', async () => {
    const twin = await certificate({ keyIdentifiers: false });
    const below = await certificate({ issuer: twin, authority: true, keyIdentifiers: false });
    expect(await judge([await certificate({ issuer: below, keyIdentifiers: false }), below])).toBe('chain-untrusted');
    // Both are given: the right one is found, although the wrong one comes first.
    expect(await judge([await signer(), intermediate], { roots: [pem(twin), pem(root)] })).toBe('verified');
  });

  it('an issuer is found by its key and not by its name', async () => {
    const namesake = await certificate({ issuer: root, authority: true, pathLength: 0 });
    expect(await judge([await signer(), namesake])).toBe('chain-untrusted');
    const renamed = await certificate({ issuer: root, authority: true, name: 'Renamed', keys: intermediate.keys });
    expect(await judge([await signer(), renamed])).toBe('chain-untrusted');
  });
});

describe('GOV-12: validity', () => {
  const early = { notBefore: new Date('2030-06-01T00:00:00Z') };
  const late = { notAfter: new Date('2029-06-01T00:00:00Z') };

  it('every certificate must be valid at the moment that the host names', async () => {
    expect(await judge([await signer(early), intermediate])).toBe('certificate-not-yet-valid');
    expect(await judge([await signer(late), intermediate])).toBe('certificate-expired');
    const expired = await certificate({ issuer: root, authority: true, ...late });
    expect(await judge([await certificate({ issuer: expired }), expired])).toBe('certificate-expired');
    const oldRoot = await certificate(late);
    expect(await judge([await certificate({ issuer: oldRoot })], { roots: [pem(oldRoot)] })).toBe('certificate-expired');
  });

  it('the moment is now unless the host says otherwise, and a clock is asked at each call', async () => {
    const own = await signer();
    expect(await judge([own, intermediate], { at: undefined })).toBe('certificate-not-yet-valid');
    expect(await judge([own, intermediate], { at: new Date('2031-01-01T00:00:00Z') })).toBe('verified');
    expect(await judge([own, intermediate], { at: new Date('2031-01-01T00:00:00.001Z') })).toBe('certificate-expired');
    expect(await judge([own, intermediate], { at: new Date('2028-12-31T23:59:59.999Z') })).toBe('certificate-not-yet-valid');
    expect(await judge([own, intermediate], { at: new Date(Number.NaN) })).toBe('certificate-expired');
    let clock = now;
    const verifier = createSkillVerifier({ roots: [pem(root)], at: () => clock });
    const files = skillFiles();
    files.set(
      signatureName,
      await signSkill(files, { name: 'b', signer: keySigner({ key: own.keys.privateKey, certificates: pem(own, intermediate) }) }),
    );
    expect(await verdict(verifier, files)).toBe('verified');
    clock = new Date('2031-02-01T00:00:00Z');
    expect(await verdict(verifier, files)).toBe('certificate-expired');
  });

  it('the first moment of the signer is accepted for ever, where the host asks for that by name', async () => {
    expect(await judge([await signer(late), intermediate], { at: 'signer-not-before' })).toBe('verified');
    const before = { notBefore: new Date('2028-06-01T00:00:00Z') };
    expect(await judge([await signer(before), intermediate], { at: 'signer-not-before' })).toBe('certificate-not-yet-valid');
  });

  it('dates of four digits are read as well', async () => {
    expect(await judge([await signer({ notAfter: new Date('9999-12-31T23:59:59Z') }), intermediate])).toBe('verified');
  });
});

describe('GOV-12: what a certificate may be used for', () => {
  it('a signer must be allowed to sign code', async () => {
    expect(await judge([await signer({ extendedUsage: [codeSigning] }), intermediate])).toBe('verified');
    expect(await judge([await signer({ usage: null, extendedUsage: [codeSigning] }), intermediate])).toBe('verified');
    expect(await judge([await signer({ usage: keyEncipherment }), intermediate])).toBe('certificate-usage');
    expect(await judge([await signer({ usage: keyEncipherment, extendedUsage: [codeSigning] }), intermediate])).toBe('certificate-usage');
    expect(await judge([await signer({ usage: null }), intermediate])).toBe('certificate-usage');
    const forServers = await signer({ extendedUsage: [serverAuth] });
    expect(await judge([forServers, intermediate])).toBe('certificate-usage');
    expect(await judge([forServers, intermediate], { allowAnyUsage: true })).toBe('verified');
  });

  it('an authority signs no skills unless the host says so', async () => {
    const authority = await certificate({ issuer: root, authority: true, usage: keyCertSign | digitalSignature });
    expect(await judge([authority])).toBe('certificate-usage');
    expect(await judge([authority], { allowAuthorityAsSigner: true })).toBe('verified');
  });

  it('an issuer must be an authority that may sign certificates', async () => {
    const own = await signer();
    expect(await judge([await certificate({ issuer: own }), own, intermediate])).toBe('certificate-usage');
    const noAuthority = await certificate({ issuer: root, usage: keyCertSign | digitalSignature });
    expect(await judge([await certificate({ issuer: noAuthority }), noAuthority])).toBe('certificate-usage');
    const noSigner = await certificate({ issuer: root, authority: true, usage: cRLSign });
    expect(await judge([await certificate({ issuer: noSigner }), noSigner])).toBe('certificate-usage');
    const forServers = await certificate({ issuer: root, authority: true, extendedUsage: [serverAuth] });
    expect(await judge([await certificate({ issuer: forServers }), forServers])).toBe('certificate-usage');
  });

  it('an authority may limit how many stand below it', async () => {
    const below = await certificate({ issuer: intermediate, authority: true });
    expect(await judge([await certificate({ issuer: below }), below, intermediate])).toBe('chain-invalid');
    const wide = await certificate({ issuer: root, authority: true, pathLength: 1 });
    const narrow = await certificate({ issuer: wide, authority: true });
    expect(await judge([await certificate({ issuer: narrow }), narrow, wide])).toBe('verified');
  });

  it('critical extensions and name constraints that nobody reads are refused', async () => {
    expect(await judge([await signer({ more: [extension('1.2.3.4', true, [5, 0])] }), intermediate])).toBe('certificate-unsupported');
    expect(await judge([await signer({ more: [extension('1.2.3.4', false, [5, 0])] }), intermediate])).toBe('verified');
    const limited = await certificate({ issuer: root, authority: true, more: [extension('2.5.29.30', false, [0x30, 0])] });
    expect(await judge([await certificate({ issuer: limited }), limited])).toBe('certificate-unsupported');
    const twice = [extension('1.2.3.4', false, [5, 0]), extension('1.2.3.4', false, [5, 0])];
    expect(await judge([await signer({ more: twice }), intermediate])).toBe('certificate-malformed');
  });
});

describe('GOV-12: nobody but the key chooses the algorithm', () => {
  it('a curve goes with one hash for skills; an authority may use another one for certificates', async () => {
    const own = await certificate({ issuer: intermediate, signingHash: 'SHA-512' });
    expect(await judge([own, intermediate])).toBe('verified');
    const files = skillFiles();
    const signed = await signSkill(files, {
      name: 'billing',
      signer: {
        sign: async (payloadType, payload) => {
          const written = await keySigner({ key: own.keys.privateKey, certificates: pem(own, intermediate) }).sign(payloadType, payload);
          const encoded = new TextEncoder().encode(`DSSEv1 ${payloadType.length} ${payloadType} ${payload.length} `);
          const signature = new Uint8Array(
            await crypto.subtle.sign({ name: 'ECDSA', hash: 'SHA-384' }, own.keys.privateKey, new Uint8Array([...encoded, ...payload])),
          );
          return editBundle(
            written,
            (bundle) => void (bundle.dsseEnvelope.signatures[0]!.sig = btoa(String.fromCharCode(...ecdsaSignatureToDer(signature)))),
          );
        },
      },
    });
    expect(await verdict(createSkillVerifier({ roots: [pem(root)], at: now }), files.set(signatureName, signed))).toBe('signature-invalid');
  });

  it('a certificate that names an algorithm of another kind of key is not issued by that key', async () => {
    const rsa = await certificate({ kind: 'RSA', name: 'Root' });
    const own = await certificate({ issuer: rsa });
    // The same name, and a key of another kind.
    const elliptic = await certificate({ kind: 'P-256', name: 'Root', keyIdentifiers: false });
    expect(await judge([own], { roots: [pem(rsa)] })).toBe('verified');
    expect(await judge([own], { roots: [pem(elliptic)] })).toBe('chain-untrusted');
  });

  it('keys that are too small are refused by name', async () => {
    const algorithm = { name: 'RSASSA-PKCS1-v1_5', hash: 'SHA-256', modulusLength: 1024, publicExponent: new Uint8Array([1, 0, 1]) };
    const small = await crypto.subtle.generateKey(algorithm, true, ['sign', 'verify']);
    const own = await certificate({ issuer: intermediate, keys: small, kind: 'RSA' });
    await expect(judge([own, intermediate])).rejects.toMatchObject({
      code: 'invalid-options',
      message: expect.stringContaining('1024 bits'),
    });
    expect(await judge([own, intermediate], {}, root)).toBe('key-unsupported');
  });
});

describe('GOV-12: RSA keys', () => {
  /** A public key of 2048 bits with an exponent of its own. */
  const keyOf = (...exponent: number[]): string => {
    const sequence = (...parts: Uint8Array[]) => writeDer(derTag.sequence, parts);
    const modulus = Uint8Array.from([0, 0xc1, ...Array.from({ length: 255 }, (_, index) => (index * 7 + 1) | 1)]);
    const rsa = Uint8Array.from([0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 1, 1, 1]);
    const key = sequence(writeDer(derTag.integer, [modulus]), writeDer(derTag.integer, [Uint8Array.from(exponent)]));
    const info = sequence(
      sequence(writeDer(derTag.objectIdentifier, [rsa]), writeDer(5, [])),
      writeDer(derTag.bitString, [Uint8Array.from([0]), key]),
    );
    return `-----BEGIN PUBLIC KEY-----\n${Buffer.from(info).toString('base64')}\n-----END PUBLIC KEY-----\n`;
  };

  it('with an exponent below 65537, or an even one, are refused: with 1, anybody could sign (ATK-60)', () => {
    expect(() => createSkillVerifier({ publicKeys: [keyOf(1, 0, 1)] })).not.toThrow();
    const wrong = [[1], [2], [3], [17], [0xff, 0xff], [0, 0xff, 0xff], [1, 0, 0], [1, 0, 2], [0xff, 1, 0, 1], [1, 0, 0, 0, 0, 0, 0, 0, 1]];
    for (const exponent of wrong)
      expect(() => createSkillVerifier({ publicKeys: [keyOf(...exponent)] }), String(exponent)).toThrow(/exponent|integer/i);
  });
});

describe('GOV-12: certificates that are not what they say', () => {
  const [version, algorithms, validity, subject, extensions] = [0, 2, 4, 5, 7];

  it('are refused: another algorithm inside than outside, another version, two meanings of one extension', async () => {
    const own = await signer();
    const rewritten = async (edit: (parts: Uint8Array[]) => void, outer?: Uint8Array): Promise<string> => {
      const files = await signWithChain(skillFiles(), own.keys.privateKey, [
        await rewrite(own, intermediate, edit, outer),
        der(intermediate),
      ]);
      return await verdict(createSkillVerifier({ roots: [pem(root)], at: now }), files);
    };
    const rsa = Uint8Array.from([0x30, 13, 6, 9, 0x2a, 0x86, 0x48, 0x86, 0xf7, 13, 1, 1, 11, 5, 0]);
    const unknown = Uint8Array.from([0x30, 5, 6, 3, 0x2a, 3, 4]);
    expect(await rewritten(() => {})).toBe('verified');
    expect(await rewritten((parts) => void (parts[algorithms] = rsa))).toBe('certificate-malformed');
    expect(await rewritten((parts) => void (parts[algorithms] = rsa), rsa)).toBe('chain-untrusted');
    expect(await rewritten((parts) => void (parts[algorithms] = unknown), unknown)).toBe('certificate-unsupported');
    expect(await rewritten((parts) => void (parts[version] = Uint8Array.from([0xa0, 3, 2, 1, 1])))).toBe('certificate-unsupported');
    expect(await rewritten((parts) => void parts.splice(version, 1))).not.toBe('verified');
    expect(await rewritten((parts) => void parts.push(parts[extensions]!))).toBe('certificate-malformed');
    expect(await rewritten((parts) => void parts.pop())).toBe('certificate-usage');
    expect(await rewritten((parts) => void (parts[subject] = Uint8Array.from([0x30, 0])))).toBe('certificate-unsupported');
    expect(await rewritten((parts) => void (parts[validity] = Uint8Array.from([0x30, 0])))).toBe('certificate-malformed');
  });

  it.each<[string, (raw: Uint8Array) => Uint8Array]>([
    ['a byte behind the end', (raw) => Uint8Array.from([...raw, 0])],
    ['a length that is too long', (raw) => Uint8Array.from([0x30, 0x83, 0, raw[2]!, raw[3]!, ...raw.subarray(4)])],
    ['an indefinite length', (raw) => Uint8Array.from([0x30, 0x80, ...raw.subarray(4), 0, 0])],
    ['nothing', () => new Uint8Array([0x30, 0])],
    ['a length without content', () => new Uint8Array([0x30, 0x82, 0xff, 0xff])],
    ['a tag of two bytes', () => new Uint8Array([0x3f, 0x81, 0, 0])],
    ['more bytes than a certificate has', () => Uint8Array.from({ length: 100_000 }, () => 0x30)],
    ['thousands of levels', () => Uint8Array.from({ length: 20_000 }, (_, index) => (index % 2 === 0 ? 0x30 : 0x7f))],
  ])('%s is refused at once', async (_name, edit) => {
    const own = await signer();
    const files = await signWithChain(skillFiles(), own.keys.privateKey, [edit(der(own)), der(intermediate)]);
    expect(await verdict(createSkillVerifier({ roots: [pem(root)], at: now }), files)).toBe('certificate-malformed');
  });
});

describe('GOV-12: a second opinion on certificates', () => {
  it("Node's parser reads the same names, dates and serial numbers", async () => {
    for (const holder of [root, intermediate, await signer({ extendedUsage: [codeSigning], notAfter: new Date('2060-02-29T12:00:00Z') })]) {
      const [ours, theirs] = [parseCertificate(der(holder)), new X509Certificate(der(holder))];
      expect(ours.subject).toBe(theirs.subject.replaceAll('\n', ', '));
      expect(ours.issuer).toBe(theirs.issuer.replaceAll('\n', ', '));
      expect([ours.notBefore, ours.notAfter]).toEqual([Date.parse(theirs.validFrom), Date.parse(theirs.validTo)]);
      expect(ours.serialNumber.replace(/^0+/, '')).toBe(theirs.serialNumber.toLowerCase().replace(/^0+/, ''));
      expect(ours.isAuthority).toBe(theirs.ca);
      expect(Buffer.from(ours.publicKey)).toEqual(theirs.publicKey.export({ format: 'der', type: 'spki' }));
    }
  });
});
