import fc from 'fast-check';
import type { SkillError } from '@repertoire/skills-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { propertyRuns } from '../../../test/support/property-runs.ts';
import { createSkillVerifier, type SkillFiles, type SkillVerifier } from '../src/index.ts';
import { ecdsaSignatureFromDer, ecdsaSignatureToDer } from '../src/keys/ecdsa-signature.ts';
import { der } from './support/certificates.ts';
import {
  bytes,
  editBundle,
  publisher,
  signatureName,
  skillFiles,
  text,
  type Publisher,
  type WrittenBundle,
} from './support/signed-skills.ts';

const seed = 20_261_121;
/** Of each kind; there are six kinds. */
const mutations = propertyRuns(2000);

let own: Publisher;
let signed: Map<string, Uint8Array | null>;
let signature: Uint8Array;
let signer: string;
let digest: string;
beforeAll(async () => {
  own = await publisher();
  signed = await own.sign(skillFiles());
  signature = signed.get(signatureName)!;
  const result = await own.verifier().verifySkill(signed);
  if (!result.verified) throw new Error('The skill should verify.');
  signer = result.signer.id;
  digest = result.statement.digest;
});

/** A change of bytes: one bit, a piece taken out, repeated, or put in. */
const edit = fc.record({ kind: fc.nat(3), at: fc.nat(), bit: fc.nat(7), length: fc.integer({ min: 1, max: 40 }), byte: fc.nat(255) });
type Edit = typeof edit extends fc.Arbitrary<infer Value> ? Value : never;

function mutate(original: Uint8Array, { kind, at: place, bit, length, byte }: Edit): Uint8Array {
  const at = original.length === 0 ? 0 : place % original.length;
  if (kind === 0 && original.length > 0) return original.map((value, index) => (index === at ? value ^ (1 << bit) : value));
  const [before, piece, after] = [original.subarray(0, at), original.subarray(at, at + length), original.subarray(at + length)];
  if (kind === 1 && original.length > 0) return Buffer.concat([before, after]);
  if (kind === 2 && piece.length > 0) return Buffer.concat([before, piece, piece, after]);
  return Buffer.concat([before, Buffer.of(byte), piece, after]);
}

const unchanged = (a: Uint8Array, b: Uint8Array): boolean => Buffer.compare(a, b) === 0;

/** `refused`, or who signed what. Never anything else, and never an exception. */
async function outcome(verifier: SkillVerifier, files: SkillFiles): Promise<string> {
  const result = await verifier.verifySkill(files);
  if (result.verified) return `${result.signer.id} ${result.statement.digest}`;
  if (result.problems.length === 0 || result.problems.some(({ message }) => message === '')) return 'refused without a reason';
  return 'refused';
}

/**
 * Judges mutations one by one, and lists those that did not end as they had to. One verifier for all of them has to tell them apart from
 * what it remembers; one for each has to do all of the work.
 */
async function expectAll(
  change: (edit: Edit) => SkillFiles | null,
  allowed: readonly string[],
  verifierOf: () => SkillVerifier,
): Promise<void> {
  const wrong: unknown[] = [];
  let judged = 0;
  for (const one of fc.sample(edit, { seed, numRuns: mutations })) {
    const files = change(one);
    if (files === null) continue;
    judged += 1;
    const found = await outcome(verifierOf(), files);
    if (!allowed.includes(found)) wrong.push([one, found]);
  }
  expect(wrong).toEqual([]);
  expect(judged).toBeGreaterThan(mutations * 0.8);
}

/** One verifier, which knows the skill already. */
function remembering(): () => SkillVerifier {
  const verifier = own.verifier();
  return () => verifier;
}

const refused: readonly string[] = ['refused'];

describe('GOV-12: mutations', () => {
  it('every change of a file is refused', async () => {
    const paths = ['SKILL.md', 'references/policy.md', 'scripts/run.sh', 'assets/empty.bin'];
    await expectAll(
      (one) => {
        const path = paths[one.length % paths.length]!;
        const content = mutate(signed.get(path)!, one);
        return unchanged(content, signed.get(path)!) ? null : new Map(signed).set(path, content);
      },
      refused,
      remembering(),
    );
  });

  it('every change of a path, every file more and every file less is refused', async () => {
    const paths = [...signed.keys()].filter((path) => path !== signatureName);
    await expectAll(
      (one) => {
        const path = paths[one.length % paths.length]!;
        const files = new Map(signed);
        if (one.kind !== 3) files.delete(path);
        if (one.kind === 1) return files;
        const name = text(mutate(bytes(path), one));
        return signed.has(name) ? null : files.set(name, signed.get(path)!);
      },
      refused,
      remembering(),
    );
  });

  it('every change of the signed payload is refused', async () => {
    await expectAll(
      (one) => {
        const change = (bundle: WrittenBundle): void => {
          bundle.dsseEnvelope.payload = mutate64(bundle.dsseEnvelope.payload, one);
        };
        const edited = editBundle(signature, change);
        return unchanged(edited, signature) ? null : new Map(signed).set(signatureName, edited);
      },
      refused,
      remembering(),
    );
  });

  it('a change of the signature file is refused, or changes neither the verdict nor the signer', async () => {
    await expectAll(
      (one) => new Map(signed).set(signatureName, mutate(signature, one)),
      ['refused', `${signer} ${digest}`],
      () => own.verifier(),
    );
  });

  it('every change of a certificate is refused, also where the chain was verified before', async () => {
    await expectAll(
      (one) => {
        const change = ({ verificationMaterial: { x509CertificateChain } }: WrittenBundle): void => {
          const certificate = x509CertificateChain.certificates[one.length % 2]!;
          certificate.rawBytes = mutate64(certificate.rawBytes, one);
        };
        const edited = editBundle(signature, change);
        return unchanged(edited, signature) ? null : new Map(signed).set(signatureName, edited);
      },
      refused,
      remembering(),
    );
  });

  it('a change of the signature or of its type is refused', async () => {
    await expectAll(
      (one) => {
        const change = ({ dsseEnvelope }: WrittenBundle): void => {
          const [only] = dsseEnvelope.signatures;
          if (one.byte % 4 === 0) dsseEnvelope.payloadType = text(mutate(bytes(dsseEnvelope.payloadType), one));
          else only!.sig = mutate64(only!.sig, one);
        };
        const edited = editBundle(signature, change);
        return unchanged(edited, signature) ? null : new Map(signed).set(signatureName, edited);
      },
      refused,
      remembering(),
    );
  });

  it('a changed root is told to the host, or trusts nobody else', async () => {
    const ends: string[] = [];
    for (const one of fc.sample(edit, { seed, numRuns: 500 })) {
      try {
        const verifier = own.verifier({ roots: [mutate(der(own.root), one)] });
        const found = await outcome(verifier, signed);
        // The digest of the root is part of the signer.
        ends.push(found.endsWith(`:C=US, O=Example, CN=Signer ${digest}`) ? 'same name' : found);
      } catch (error) {
        ends.push((error as SkillError).code);
      }
    }
    expect([...new Set(ends)].toSorted()).toEqual(['invalid-options', 'refused', 'same name']);
  });

  it('one ECDSA signature has a twin, which is the same signer over the same content', async () => {
    const order = 0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551n;
    const twin = editBundle(signature, (bundle) => {
      const fixed = ecdsaSignatureFromDer(Buffer.from(bundle.dsseEnvelope.signatures[0]!.sig, 'base64'), 32)!;
      const s = order - BigInt(`0x${Buffer.from(fixed.subarray(32)).toString('hex')}`);
      fixed.set(Buffer.from(s.toString(16).padStart(64, '0'), 'hex'), 32);
      bundle.dsseEnvelope.signatures[0]!.sig = Buffer.from(ecdsaSignatureToDer(fixed)).toString('base64');
    });
    expect(unchanged(twin, signature)).toBe(false);
    expect(
      await outcome(createSkillVerifier({ roots: [der(own.root)], at: new Date('2030-01-01') }), new Map(signed).set(signatureName, twin)),
    ).toBe(`${signer} ${digest}`);
  });
});

/** Changes the bytes that a base64 text stands for. */
function mutate64(base64: string, one: Edit): string {
  return Buffer.from(mutate(Buffer.from(base64, 'base64'), one)).toString('base64');
}
