import { SkillError } from '@repertoire/skills-core';
import { sha256Hex } from '@repertoire/skills-core/provider';
import { keyTypeOf } from '../keys/key-type.ts';
import { Refusal } from '../problem/refusal.ts';
import { parseCertificate, type Certificate } from '../x509/certificate.ts';
import { decodePem, encodePem } from '../x509/pem.ts';

/** Parses the host's roots. Mistakes are reported immediately. */
export function parseRoots(roots: readonly (string | Uint8Array)[]): Certificate[] {
  return roots.flatMap((root) => {
    const blocks = typeof root === 'string' ? decodePem(root, 'CERTIFICATE') : [root];
    if (blocks === null || blocks.length === 0)
      throw new SkillError('invalid-options', 'A root is not PEM text with "-----BEGIN CERTIFICATE-----". Give the PEM text or DER bytes.');
    return blocks.map((raw) => explained('A root', () => parseCertificate(raw)));
  });
}

export function parsePublicKeys(keys: readonly string[]): Uint8Array[] {
  return keys.flatMap((key) => {
    const blocks = decodePem(key, 'PUBLIC KEY');
    if (blocks === null || blocks.length === 0)
      throw new SkillError('invalid-options', 'A public key is not PEM text with "-----BEGIN PUBLIC KEY-----".');
    for (const block of blocks) explained('A public key', () => keyTypeOf(block));
    return blocks;
  });
}

/**
 * Returns the hint by which a signature names its key: SHA-256 of the PEM text, not of its bytes.
 */
export async function publicKeyHint(publicKey: Uint8Array): Promise<string> {
  return await sha256Hex(encodePem(publicKey, 'PUBLIC KEY'));
}

function explained<Value>(what: string, parse: () => Value): Value {
  try {
    return parse();
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    throw new SkillError('invalid-options', `${what} cannot be used: ${error.message}`, { cause: error });
  }
}
