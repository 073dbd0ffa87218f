import { assertKnownOptions, numberOption, type OptionRules } from '@repertoire/skills-core/internal';
import { sha256Hex } from '@repertoire/skills-core/provider';
import { acceptsSigner, checkSignerRules, type SignerRule } from '../policy/signer-rule.ts';
import { catchRefusal, refuse } from '../problem/refusal.ts';
import type { SignatureProblem } from '../problem/signature-problem.ts';
import { signatureProblem } from '../problem/signature-problem.ts';
import type { RefusedSignature, SkillVerifier } from '../verify/create-skill-verifier.ts';
import type { SkillSigner } from '../verify/skill-signer.ts';
import { parseRelease, releasePayloadType, type ReleaseDocument } from './release-document.ts';

/** The last accepted release, as plain data. Store it where the source cannot write. */
export interface ReleaseState {
  readonly source: string;
  /** The `id` of the signer. */
  readonly signer: string;
  readonly release: number;
  readonly digest: string;
}

/** Options of {@link verifyRelease}. */
export interface VerifyReleaseOptions {
  readonly verifier: SkillVerifier;
  /** The source that the release must be for. */
  readonly source: string;
  /** The state stored after the last release; `null` for the first one. */
  readonly known: ReleaseState | null;
  /** Who may sign releases. @default every signer with a certificate or key that verifies */
  readonly require?: readonly SignerRule[] | undefined;
  /** The `id` of a signer that people accepted anew. Its numbers start again. @default none */
  readonly acceptSigner?: string | undefined;
  /**
   * SHA-256 of the index that was found, in lower-case hex. The release must be for exactly this
   * one.
   * @default the release may be for any index
   */
  readonly index?: string | undefined;
  /** The time of the check, one for all that belongs together. @default the current time */
  readonly at?: Date | undefined;
  /** What to do with an expired release. `warn` is for offline hosts. @default 'refuse' */
  readonly expired?: 'refuse' | 'warn' | undefined;
  /** What to do if releases between the known one and this one were never seen. @default 'allow' */
  readonly gaps?: 'allow' | 'refuse' | undefined;
  /** Maximum number of skills in a release. @default 10000 */
  readonly maxSkills?: number | undefined;
}

/** How far the clocks of a publisher and a reader may differ. */
const clockSkewMs = 3_600_000;
/**
 * How far a number may be ahead of the known one. It is enough for a publisher that counts in
 * milliseconds. With any number allowed, one wrong release could take the last one, after which no
 * other is newer.
 */
const maxStep = 2 ** 40;

/** A release that was verified. */
export interface VerifiedRelease {
  readonly verified: true;
  readonly release: ReleaseDocument;
  readonly signer: SkillSigner;
  /** What to store after the skills were checked against the release. */
  readonly state: ReleaseState;
  /** What the host allowed, such as an expired release. */
  readonly warnings: readonly SignatureProblem[];
}

/** `indexVerifier` takes these, too. */
export const releaseRules: OptionRules<Omit<VerifyReleaseOptions, 'known' | 'index' | 'at'>> = {
  verifier: '{}',
  source: 'string',
  require: '[]',
  acceptSigner: 'string',
  expired: { refuse: true, warn: true },
  gaps: { refuse: true, allow: true },
  maxSkills: 'number',
};

const knownOptions: OptionRules<VerifyReleaseOptions> = {
  ...releaseRules,
  known: { null: true, '{}': true },
  index: 'string',
  at: '{}',
};

/**
 * Verifies a signed release against the last accepted one: signature, signer, source, expiry,
 * number, and the link to the previous release. It stores nothing. Check the skills first and then
 * store `state`: a state that is stored too early would let a wrong release block the right one.
 *
 * @throws {SkillError} `invalid-options` for rules that can never match
 * @example
 * ```ts
 * import { verifyRelease, type ReleaseState, type SkillVerifier } from '@repertoire/skill-trust';
 *
 * export async function whyRefused(bytes: Uint8Array, verifier: SkillVerifier, known: ReleaseState | null): Promise<string[]> {
 *   const result = await verifyRelease(bytes, { verifier, source: 'https://skills.example.com', known });
 *   return result.verified ? [] : result.problems.map(({ code, message }) => `${code}: ${message}`);
 * }
 * ```
 */
export async function verifyRelease(bytes: Uint8Array, options: VerifyReleaseOptions): Promise<VerifiedRelease | RefusedSignature> {
  assertKnownOptions('verifyRelease', options, knownOptions);
  const { verifier, source, known, require = [{}], at = new Date(), expired = 'refuse', gaps = 'allow' } = options;
  const maxSkills = numberOption('maxSkills', options.maxSkills, { of: 'verifyRelease', fallback: 10_000, least: 1 });
  checkSignerRules(require);
  const opened = await verifier.verifyPayload(bytes, releasePayloadType);
  if (!opened.verified) return opened;
  const { payload, signer } = opened;
  const result = await catchRefusal(async (): Promise<VerifiedRelease> => {
    if (!require.some((rule) => acceptsSigner(rule, signer)))
      refuse('signer-not-accepted', `No rule of the host accepts ${signer.id} as the signer of releases.`);
    const release = parseRelease(payload, maxSkills);
    if (release.source !== source)
      refuse('release-source', `The release is for the source ${JSON.stringify(release.source)}, not ${JSON.stringify(source)}.`);
    if (options.index !== undefined && release.index !== options.index) {
      const signed = release.index === null ? 'is for no index' : `is for the index ${release.index}`;
      refuse('release-index', `Release ${release.release} ${signed}, and the source has ${options.index}.`);
    }
    const warnings = checkExpiry(release, at, expired);
    const state = { source, signer: signer.id, release: release.release, digest: await sha256Hex(payload) };
    if (known !== null) checkOrder(state, release, known, { gaps, acceptSigner: options.acceptSigner });
    return { verified: true, release, signer, state, warnings };
  });
  return 'verified' in result ? result : { verified: false, problems: [result] };
}

function checkExpiry({ issued, expires, release }: ReleaseDocument, at: Date, expired: 'refuse' | 'warn'): SignatureProblem[] {
  if (Date.parse(expires) <= Date.parse(issued)) refuse('release-malformed', 'The release expires before it was made.');
  const warnings: SignatureProblem[] = [];
  // Comparisons with an invalid date are false, so this must not accept by default.
  if (!(at.getTime() < Date.parse(expires))) {
    const message = `Release ${release} expired on ${expires}. Get the current one; if there is none, somebody may hold it back.`;
    if (expired !== 'warn') refuse('release-expired', message);
    warnings.push(signatureProblem('release-expired', message));
  }
  if (!(Date.parse(issued) <= at.getTime() + clockSkewMs))
    refuse('release-not-yet-valid', `Release ${release} was made on ${issued}, which is in the future. Check the clocks of both sides.`);
  return warnings;
}

function checkOrder(
  state: ReleaseState,
  { previous }: ReleaseDocument,
  known: ReleaseState,
  { gaps, acceptSigner }: Pick<VerifyReleaseOptions, 'gaps' | 'acceptSigner'>,
): void {
  // A comparison with NaN is false, and a negative number is below every release.
  if (!Number.isSafeInteger(known.release) || known.release < 1)
    refuse(
      'release-rollback',
      `What is known of ${JSON.stringify(state.source)} is damaged: release ${String(known.release)}. Restore it, or accept the signer anew.`,
    );
  if (known.source !== state.source)
    refuse('release-source', `What is known is about the source ${JSON.stringify(known.source)}. Keep one state for each source.`);
  if (known.signer !== state.signer) {
    // Numbers belong to a signer, so a new signer may start anywhere.
    if (acceptSigner === state.signer) return;
    refuse(
      'signer-changed',
      `Releases were signed by ${known.signer}, and this one by ${state.signer}. Accept the new signer, if that is right.`,
    );
  }
  const { release } = state;
  if (release < known.release)
    refuse('release-rollback', `Release ${release} is older than release ${known.release}, which was accepted before.`);
  if (release === known.release && state.digest !== known.digest)
    refuse('release-equivocation', `There are two releases ${release} with different content.`);
  if (release === known.release + 1 && previous !== known.digest)
    refuse('release-fork', `Release ${release} does not continue the release ${known.release} that was accepted before.`);
  if (release > known.release + maxStep)
    refuse('release-gap', `Release ${release} is too far after release ${known.release}. Numbers are 1, 2, 3 and so on.`);
  if (release > known.release + 1 && gaps === 'refuse')
    refuse('release-gap', `Release ${release} comes after release ${known.release}; those between were never seen.`);
}
