import { assertKnownOptions, numberOption, SizedCache, skillSignatureFile, type OptionRules } from '@repertoire/skills-core/internal';
import { catchRefusal } from '../problem/refusal.ts';
import { signatureProblem, type SignatureProblem } from '../problem/signature-problem.ts';
import { assertSignatureName } from '../statement/file-names.ts';
import { readStatement, statementPayloadType, type SkillStatement } from '../statement/skill-statement.ts';
import { authenticator } from './authenticate.ts';
import type { SkillSigner } from './skill-signer.ts';
import type { SkillVerifierOptions } from './skill-verifier-options.ts';
import { compareFiles, type SkillFiles } from './verify-files.ts';

/** A payload whose signature was verified. */
export interface VerifiedPayload {
  readonly verified: true;
  readonly signer: SkillSigner;
  /** The bytes that were signed. */
  readonly payload: Uint8Array;
}

/** A verified signature and its content. The files are not compared yet. */
export interface VerifiedSignature {
  readonly verified: true;
  readonly signer: SkillSigner;
  readonly statement: SkillStatement;
}

/** A rejected signature, with every reason that was found. */
export interface RefusedSignature {
  readonly verified: false;
  readonly problems: readonly [SignatureProblem, ...SignatureProblem[]];
}

/** Verifies signatures against the roots and keys of a host. */
export interface SkillVerifier {
  /** Name of the file with the signature. */
  readonly signatureName: string;
  /** Maximum bytes of a signature file. */
  readonly maxSignatureBytes: number;
  /** Verifies the signature, and that the files are exactly the signed ones. */
  verifySkill(files: SkillFiles): Promise<VerifiedSignature | RefusedSignature>;
  /** Verifies a signature file and its content, without the files. */
  verifySignature(signature: Uint8Array): Promise<VerifiedSignature | RefusedSignature>;
  /** Verifies a signature over a payload of the given type. The caller parses the payload. */
  verifyPayload(signature: Uint8Array, payloadType: string): Promise<VerifiedPayload | RefusedSignature>;
}

/** Bytes of verified statements that are cached. */
const cacheBytes = 8 * 1024 * 1024;

/** `verifiedProvider` takes these, too. */
export const skillVerifierRules: OptionRules<SkillVerifierOptions> = {
  roots: '[]',
  publicKeys: 'string[]',
  keyless: '()',
  at: { '{}': true, '()': true, 'signer-not-before': true },
  allowIgnored: 'string[]',
  allowAuthorityAsSigner: 'boolean',
  allowAnyUsage: 'boolean',
  signatureName: 'string',
  maxSignatureBytes: 'number',
  maxFiles: 'number',
};

/**
 * Creates a verifier of signed skills: OpenSSF Model Signing, a sigstore bundle with certificates,
 * a public key or a keyless identity.
 *
 * The result of a verification is data: `verified: true` with the signer, or `verified: false` with
 * every reason. Only mistakes of the host are thrown. It runs wherever Web Crypto exists, needs no
 * network, and caches by digest, so that the same bytes cost one hash. Validity is checked at each
 * call.
 *
 * A valid signature proves who signed the bytes. It does not prove that they are safe, current or
 * reviewed.
 *
 * @throws {SkillError} `invalid-options` for an unusable root or key, or if neither roots nor keys
 *   are given
 * @example
 * ```ts
 * import { createSkillVerifier } from '@repertoire/skill-trust';
 *
 * export async function whoSigned(files: ReadonlyMap<string, Uint8Array>, rootPem: string): Promise<string> {
 *   const verifier = createSkillVerifier({ roots: [rootPem] });
 *   const result = await verifier.verifySkill(files);
 *   return result.verified ? result.signer.id : result.problems.map(({ message }) => message).join('\n');
 * }
 * ```
 */
export function createSkillVerifier(options: SkillVerifierOptions): SkillVerifier {
  assertKnownOptions('createSkillVerifier', options, skillVerifierRules);
  const { signatureName = skillSignatureFile } = options;
  const of = 'createSkillVerifier';
  const maxSignatureBytes = numberOption('maxSignatureBytes', options.maxSignatureBytes, { of, fallback: 1024 * 1024, least: 1 });
  const maxFiles = numberOption('maxFiles', options.maxFiles, { of, fallback: 10_000, least: 1 });
  const authenticateOnce = authenticator(options, maxSignatureBytes);
  assertSignatureName(signatureName);
  const rules = { maxFiles, ignored: options.allowIgnored ?? [], signatureName };
  const statements = new SizedCache<SkillStatement>(cacheBytes);

  const verifySignature: SkillVerifier['verifySignature'] = async (signature) =>
    await asResult(async () => {
      const { key, payload, signer } = await authenticateOnce(signature, statementPayloadType);
      let statement = statements.get(key);
      if (statement === undefined) {
        statement = await readStatement(payload, rules);
        statements.set(key, statement, payload.length);
      }
      // The caller gets a copy, so that the cached value stays as it was verified.
      return { verified: true, signer, statement: copyOfStatement(statement) };
    });

  return {
    signatureName,
    maxSignatureBytes,
    verifySignature,

    async verifySkill(files) {
      const signature = files.get(signatureName);
      if (signature === undefined) return refused('unsigned', `There is no ${signatureName}.`, signatureName);
      if (signature === null) return refused('file-irregular', `${signatureName} is not a regular file.`, signatureName);
      const result = await verifySignature(signature);
      if (!result.verified) return result;
      const [problem, ...others] = await compareFiles(files, result.statement, signatureName);
      return problem === undefined ? result : { verified: false, problems: [problem, ...others] };
    },

    verifyPayload: async (signature, payloadType) =>
      await asResult(async () => {
        const { signer, payload } = await authenticateOnce(signature, payloadType);
        return { verified: true, signer, payload: payload.slice() };
      }),
  };
}

function copyOfStatement({ files, ignored, ...rest }: SkillStatement): SkillStatement {
  return { ...rest, files: new Map(files), ignored: [...ignored] };
}

function refused(...problem: Parameters<typeof signatureProblem>): RefusedSignature {
  return { verified: false, problems: [signatureProblem(...problem)] };
}

async function asResult<Value extends { readonly verified: true }>(work: () => Promise<Value>): Promise<Value | RefusedSignature> {
  const result = await catchRefusal(work);
  return 'verified' in result ? result : { verified: false, problems: [result] };
}
