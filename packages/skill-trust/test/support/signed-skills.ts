import {
  createSkillVerifier,
  keySigner,
  signSkill,
  type SkillFiles,
  type SkillVerifier,
  type SkillVerifierOptions,
} from '../../src/index.ts';
import { chain, der, now, pem, privateKeyPem, type CertificateRequest, type Holder, type KeyKind } from './certificates.ts';

export const signatureName = 'skill.oms.sig';

const encoder = new TextEncoder();

/** The bytes of a text. */
export const bytes = (text: string): Uint8Array => encoder.encode(text);

/** The text of bytes. */
export const text = (content: Uint8Array | null | undefined): string => new TextDecoder().decode(content ?? undefined);

/** The files of a small skill. */
export function skillFiles(name = 'billing', note = ''): Map<string, Uint8Array | null> {
  return new Map<string, Uint8Array | null>([
    ['SKILL.md', bytes(`---\nname: ${name}\ndescription: Does ${name}. Use it for ${name}.\n---\nFollow references/policy.md.${note}\n`)],
    ['references/policy.md', bytes('# Policy\nWithin 30 days.\n')],
    ['scripts/run.sh', bytes('echo run\n')],
    ['assets/empty.bin', new Uint8Array()],
  ]);
}

/** A signer with its chain, whose signatures the verifier accepts. */
export interface Publisher {
  readonly root: Holder;
  readonly intermediate: Holder;
  readonly signer: Holder;
  /** Signs files and returns them with their signature. */
  sign(files: SkillFiles, name?: string): Promise<Map<string, Uint8Array | null>>;
  /** Signs a payload of any type. */
  signPayload(payloadType: string, payload: Uint8Array): Promise<Uint8Array>;
  /** A verifier that trusts the root; it is at the time of all certificates. */
  verifier(options?: SkillVerifierOptions): SkillVerifier;
}

/** Makes a publisher with a chain of three certificates. */
export async function publisher(kind: KeyKind = 'P-256', request: CertificateRequest = {}): Promise<Publisher> {
  const holders = await chain(kind, request);
  const signer = keySigner({
    key: await privateKeyPem(holders.signer),
    certificates: [der(holders.signer), der(holders.intermediate)],
  });
  return {
    ...holders,
    sign: async (files, name = 'billing') => new Map([...files, [signatureName, await signSkill(files, { name, signer })]]),
    signPayload: async (payloadType, payload) => await signer.sign(payloadType, payload),
    verifier: (options = {}) => createSkillVerifier({ roots: [pem(holders.root)], at: now, ...options }),
  };
}

/** The code and the path of every problem, or `verified`. */
export async function verdict(verifier: SkillVerifier, files: SkillFiles): Promise<string> {
  const result = await verifier.verifySkill(files);
  return result.verified ? 'verified' : result.problems.map(({ code, path }) => (path === undefined ? code : `${code} ${path}`)).join('; ');
}

/** Changes the parsed JSON of a signature. */
export function editBundle(signature: Uint8Array | null | undefined, edit: (bundle: WrittenBundle) => unknown): Uint8Array {
  const bundle = JSON.parse(text(signature)) as WrittenBundle;
  return bytes(JSON.stringify(edit(bundle) ?? bundle));
}

/** The JSON of a signature with certificates. */
export interface WrittenBundle {
  mediaType: string;
  verificationMaterial: Record<string, unknown> & { x509CertificateChain: { certificates: { rawBytes: string }[] } };
  dsseEnvelope: { payload: string; payloadType: string; signatures: { sig: string; keyid?: string | null }[] };
}

/** Signs with a key and lists certificates that nobody looked at. */
export async function signWithChain(
  files: SkillFiles,
  key: CryptoKey,
  certificates: readonly Uint8Array[],
): Promise<Map<string, Uint8Array | null>> {
  const signature = await signSkill(files, { name: 'billing', signer: keySigner({ key }) });
  const listed = certificates.map((raw) => ({ rawBytes: Buffer.from(raw).toString('base64') }));
  return new Map([
    ...files,
    [
      signatureName,
      editBundle(signature, (bundle) => ({
        ...bundle,
        verificationMaterial: { x509CertificateChain: { certificates: listed }, tlogEntries: [] },
      })),
    ],
  ]);
}
