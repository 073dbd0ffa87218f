import { isTrusted } from '../contract/is-trusted.ts';
import type { SkillCallOptions, SkillListing, SkillMetadata } from '../contract/skill-provider.ts';
import { olderRevision } from '../state/parse-skill-state.ts';
import { isFrom } from '../contract/skill-identity.ts';
import { revisionOf } from '../state/revision.ts';
import { loadedSkill, loadedSkillNames, type LoadedSkill, type SkillState } from '../state/skill-state.ts';
import type { SkillGrants } from './approvals/skill-grants.ts';

/**
 * How a loaded skill differs from what its source has now. `content`: other files or another level
 * 1. `gone`: no such skill any more, at least not there. `trust`: the host trusts the source
 * otherwise. `older-state`: the state is of an earlier version of this library.
 */
export type SkillChangeReason = 'content' | 'gone' | 'trust' | 'older-state';

/**
 * Why a loaded skill may not be used, besides that it changed. `other-name`: the listing gives its
 * identity another name than the state does. `not-permitted`: the host does not let this request
 * load it. `expired`: its source has not confirmed its listing for too long.
 */
export type NotInForceReason = SkillChangeReason | 'other-name' | 'not-permitted' | 'expired';

/** A listing, and what the host selects of it for this request. */
export interface SelectedListing {
  readonly listing: SkillListing;
  readonly selected: readonly SkillMetadata[];
}

/** What the source has at this moment, for a judgement. Both reject if the source cannot answer. */
export interface PresentSkills {
  /** The listing, read again if it is too old. */
  now(options?: SkillCallOptions): Promise<SelectedListing>;
  /** The content of a listed skill; `null` for an open one, `undefined` if it is gone. */
  contentOf(skill: SkillMetadata, loaded: LoadedSkill, options: SkillCallOptions): Promise<string | null | undefined>;
  /** Whether the host lets this request load a skill, as it says now. */
  mayLoad(skill: SkillMetadata): Promise<boolean>;
  /** Whether its source has not confirmed its listing for too long to open anything. */
  isExpired(skill: SkillMetadata): boolean;
  /** What this content may do; of a loaded skill also what was answered for its load. */
  grantsOf(skill: SkillMetadata, content: string | null | undefined, loaded?: LoadedSkill): Promise<SkillGrants>;
}

declare const made: unique symbol;

/** A loaded skill that this request may use now. Only {@link inForce} makes one. */
export interface SkillInForce {
  readonly [made]: true;
  readonly inForce: true;
  readonly name: string;
  /** As listed: its own name, place, version, trust. Never the key of a state. */
  readonly skill: SkillMetadata;
  readonly loaded: LoadedSkill;
  /** What it may do: after trust and approvals. */
  readonly grants: SkillGrants;
}

/** A loaded skill that may not be used now, and why. */
export interface NotInForce {
  readonly inForce: false;
  readonly name: string;
  readonly reason: NotInForceReason;
  /** As listed, if this request may know of it. */
  readonly skill?: SkillMetadata | undefined;
  /** As listed, where it may not: for the host alone. */
  readonly refused?: SkillMetadata | undefined;
}

/** A loaded skill beside what its source has now. */
export type LoadedLook = SkillInForce | NotInForce;

/** A loaded skill that its source lists, and that this request may load. */
export interface AdmittedSkill {
  readonly skill: SkillMetadata;
  readonly loaded: LoadedSkill;
}

/**
 * The first steps of the door, before anything is read: the listed skill of the entry's identity,
 * under the name that the listing gives it, selected, permitted, and trusted as it was.
 *
 * @param listed what the host selects of the listing for this request
 */
export async function admitLoaded(
  present: Pick<PresentSkills, 'mayLoad'>,
  listed: readonly SkillMetadata[],
  state: SkillState,
  name: string,
): Promise<AdmittedSkill | NotInForce> {
  const loaded = loadedSkill(state, name);
  const not = (reason: NotInForceReason, skill?: SkillMetadata): NotInForce => ({ inForce: false, name, reason, skill });
  if (loaded === undefined) return not('gone');
  if (loaded.revision === olderRevision) return not('older-state');
  const skill = listedIdentity(listed, name, loaded);
  if (skill === undefined) return not('gone');
  // A claim that renames a skill would have all rules by name judge another one.
  if (skill.name !== name) return not('other-name');
  if (!(await present.mayLoad(skill))) return { ...not('not-permitted'), refused: skill };
  if (isTrusted(skill) === (loaded.untrusted === true)) return not('trust', skill);
  return { skill, loaded };
}

/**
 * The one door to a loaded skill: everything that it opens, approves, restricts or chooses goes
 * through here, and in this order. Bodies and files go through `readPinnedSkill`, which begins with
 * the same steps.
 *
 * @throws what the source rejects with: an outage opens nothing
 */
export async function inForce(
  present: PresentSkills,
  state: SkillState,
  name: string,
  options: SkillCallOptions = {},
): Promise<LoadedLook> {
  const admitted = await admitLoaded(present, (await present.now(options)).selected, state, name);
  if ('inForce' in admitted) return admitted;
  const { skill, loaded } = admitted;
  const not = (reason: NotInForceReason): NotInForce => ({ inForce: false, name, reason, skill });
  if (loaded.changed === true) return not('content');
  const content = await present.contentOf(skill, loaded, options);
  if (content === undefined) return not('gone');
  if (revisionOf(skill, content) !== loaded.revision) return not('content');
  if (present.isExpired(skill)) return not('expired');
  const grants = await present.grantsOf(skill, content, loaded);
  return { inForce: true, name, skill, loaded, grants } as SkillInForce;
}

/** The same for every loaded skill, in the order of loading. */
export async function allInForce(
  present: PresentSkills,
  state: SkillState,
  options: SkillCallOptions = {},
): Promise<readonly LoadedLook[]> {
  return await Promise.all(loadedSkillNames(state).map((name) => inForce(present, state, name, options)));
}

/** What a model and a listener are told: of a skill that is not theirs, that it is gone. */
export function changeOf(reason: NotInForceReason): SkillChangeReason {
  return reason === 'other-name' || reason === 'not-permitted' || reason === 'expired' ? 'gone' : reason;
}

/** The listed skill of a loaded identity; by name if the place is unknown. */
export function listedIdentity(
  listed: readonly SkillMetadata[],
  name: string,
  { source, place, version }: Pick<LoadedSkill, 'source' | 'place' | 'version'>,
): SkillMetadata | undefined {
  const isIt = (skill: SkillMetadata): boolean =>
    skill.version === version &&
    (place === undefined ? skill.name === name && isFrom(skill, { source }) : isFrom(skill, { source, place }));
  return listed.find((skill) => skill.name === name && isIt(skill)) ?? listed.find(isIt);
}
