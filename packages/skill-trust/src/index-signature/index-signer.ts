import { assertKnownOptions, numberOption, type OptionRules } from '@repertoire/skills-core/internal';
import type { SignSkillIndex } from '@repertoire/skills-core/provider';
import { signRelease } from '../release/sign-release.ts';
import type { ReleaseState } from '../release/verify-release.ts';
import type { PayloadSigner } from '../sign/payload-signer.ts';

/** What a publisher stores of its last signed release. The next release names its digest. */
export type LastRelease = Pick<ReleaseState, 'release' | 'digest'>;

/** Stores the number of the last release. Everything that signs for one source shares it. */
export interface ReleaseLog {
  /** `null` before the first release. */
  read(): Promise<LastRelease | null>;
  /** Stores the next one. Must reject if `before` is no longer stored: readers refuse both. */
  write(last: LastRelease, before: LastRelease | null): Promise<void>;
}

/** Options of {@link indexSigner}. */
export interface IndexSignerOptions {
  /** Signs: `keySigner`, `keylessSigner`. */
  readonly signer: PayloadSigner;
  /** The source, as its readers name it: `https://skills.example.com`. */
  readonly source: string;
  readonly log: ReleaseLog;
  /** Validity of an index in milliseconds. @default 2_592_000_000 (30 days) */
  readonly validForMs?: number | undefined;
  /** The clock. @default the current time */
  readonly now?: (() => Date) | undefined;
}

const knownOptions: OptionRules<IndexSignerOptions> = {
  signer: '{}',
  source: 'string',
  log: '{}',
  validForMs: 'number',
  now: '()',
};

/**
 * Signs the indexes of a source, for `signIndex` of `exportStatic`, `createSkillsHandler`,
 * `publishSkillsToStorage` and `rollbackSkills`. Each signature is a release document with the next
 * number. The same index is signed again only in the second half of its validity.
 *
 * The number is written to the log before the signature is published. If publishing then fails, a
 * number is skipped, which readers allow.
 *
 * @throws {SkillError} `invalid-options`
 * @example
 * ```ts
 * import { exportStatic } from '@repertoire/skill-http/node';
 * import { indexSigner, keySigner, type ReleaseLog } from '@repertoire/skill-trust';
 * import type { SkillProvider } from '@repertoire/skills-core';
 *
 * export async function publish(provider: SkillProvider, keyPem: string, log: ReleaseLog): Promise<void> {
 *   const signIndex = indexSigner({ signer: keySigner({ key: keyPem }), source: 'https://skills.acme.example', log });
 *   await exportStatic(provider, './public', { signIndex });
 * }
 * ```
 */
export function indexSigner(given: IndexSignerOptions): SignSkillIndex {
  assertKnownOptions('indexSigner', given, knownOptions);
  const { signer, source, log, now = () => new Date(), ...options } = given;
  const validForMs = numberOption('validForMs', options.validForMs, { of: 'indexSigner', fallback: 30 * 24 * 3600 * 1000, least: 1 });
  let signed: { readonly digest: string; readonly bytes: Uint8Array; readonly renewAt: number } | null = null;
  const sign: SignSkillIndex = async ({ digest: index }) => {
    const issued = now();
    if (signed?.digest === index && issued.getTime() < signed.renewAt) return signed.bytes.slice();
    const last = await log.read();
    const document = {
      source,
      release: (last?.release ?? 0) + 1,
      issued: issued.toISOString(),
      expires: new Date(issued.getTime() + validForMs).toISOString(),
      previous: last?.digest ?? null,
      skills: [],
      index,
    };
    const { bytes, digest } = await signRelease(document, signer);
    await log.write({ release: document.release, digest }, last);
    signed = { digest: index, bytes, renewAt: issued.getTime() + validForMs / 2 };
    return bytes.slice();
  };
  // One after the other, because each needs the previous number.
  let queue: Promise<unknown> = Promise.resolve();
  return async (request) => {
    const signing = queue.then(() => sign(request));
    queue = signing.catch(() => {});
    return await signing;
  };
}
