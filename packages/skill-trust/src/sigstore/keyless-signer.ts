import { assertKnownOptions, type OptionRules } from '@repertoire/skills-core/internal';
import { SkillError } from '@repertoire/skills-core';
import type { PayloadSigner } from '../sign/payload-signer.ts';

/** Options of {@link keylessSigner}. */
export interface KeylessSignerOptions {
  /**
   * A token of OpenID Connect for the audience `sigstore`, or a function that gets one.
   * @default the one that the CI system offers: GitHub Actions with `id-token: write`, or
   *   SIGSTORE_ID_TOKEN of others
   */
  readonly identityToken?: string | (() => Promise<string>) | undefined;
  /** Address of Fulcio, which issues certificates. @default sigstore's public service */
  readonly fulcioUrl?: string | undefined;
  /** Address of Rekor, the transparency log. @default sigstore's public service */
  readonly rekorUrl?: string | undefined;
  /** Kind of the log entry. @default 'dsse' */
  readonly entryType?: 'dsse' | 'intoto' | undefined;
}

const knownOptions: OptionRules<KeylessSignerOptions> = {
  identityToken: { string: true, '()': true },
  fulcioUrl: 'string',
  rekorUrl: 'string',
  entryType: { dsse: true, intoto: true },
};

/**
 * Signs without a key of your own. Fulcio issues a certificate that is valid for some minutes to an
 * identity, such as a workflow of a repository, and Rekor records the signature publicly. It needs
 * `@sigstore/sign` and the network, and publishes the identity permanently.
 *
 * @throws {SkillError} `source-unavailable` from `sign`, if there is no identity or a service does
 *   not answer
 * @example
 * ```ts
 * import { signSkill } from '@repertoire/skill-trust';
 * import { readSkillFolder } from '@repertoire/skill-trust/node';
 * import { keylessSigner } from '@repertoire/skill-trust/sigstore';
 *
 * export async function signInCi(folder: string, name: string): Promise<Uint8Array> {
 *   return await signSkill(await readSkillFolder(folder), { name, signer: keylessSigner() });
 * }
 * ```
 */
export function keylessSigner(options: KeylessSignerOptions = {}): PayloadSigner {
  assertKnownOptions('keylessSigner', options, knownOptions);
  const { identityToken, fulcioUrl, rekorUrl, entryType = 'dsse' } = options;
  return {
    async sign(payloadType, payload) {
      try {
        const { CIContextProvider, DEFAULT_FULCIO_URL, DEFAULT_REKOR_URL, DSSEBundleBuilder, FulcioSigner, RekorWitness } =
          await import('@sigstore/sign');
        const { bundleToJSON } = await import('@sigstore/bundle');
        const getToken = typeof identityToken === 'string' ? async () => identityToken : identityToken;
        const builder = new DSSEBundleBuilder({
          signer: new FulcioSigner({
            fulcioBaseURL: fulcioUrl ?? DEFAULT_FULCIO_URL,
            identityProvider: getToken === undefined ? new CIContextProvider('sigstore') : { getToken },
          }),
          witnesses: [new RekorWitness({ rekorBaseURL: rekorUrl ?? DEFAULT_REKOR_URL, entryType })],
        });
        const data = Buffer.from(payload);
        return new TextEncoder().encode(JSON.stringify(bundleToJSON(await builder.create({ type: payloadType, data }))));
      } catch (error) {
        throw new SkillError('source-unavailable', `Keyless signing failed: ${(error as Error).message}`, { cause: error });
      }
    },
  };
}
