import { createSkillVerifier, type SkillVerifier, type SkillVerifierOptions } from '@repertoire/skill-trust';
import { readTextFile } from '../source/read-text-file.ts';
import { trustsSomebody, type TrustOptions } from './trust-options.ts';
import { wrongUsage } from '../text/wrong-usage.ts';

/**
 * Reads the roots and keys that a person trusts.
 *
 * @throws {SkillError} `invalid-options` where there are none, or a file cannot be read
 */
export async function readTrust(options: TrustOptions, cwd: string): Promise<Pick<SkillVerifierOptions, 'roots' | 'publicKeys'>> {
  if (!trustsSomebody(options)) throw wrongUsage('Give --root or --public-key: whom you trust is yours to say.');
  const read = async (files: readonly string[] = [], option: string): Promise<string[]> =>
    await Promise.all(files.map(async (file) => await readTextFile(file, option, cwd)));
  return { roots: await read(options.root, '--root'), publicKeys: await read(options.publicKey, '--public-key') };
}

/** A verifier with these roots and keys. @throws {SkillError} `invalid-options` */
export async function openVerifier(options: TrustOptions, cwd: string, signatureName?: string): Promise<SkillVerifier> {
  return createSkillVerifier({ ...(await readTrust(options, cwd)), signatureName });
}
