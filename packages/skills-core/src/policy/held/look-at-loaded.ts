import { isTrusted } from '../../contract/is-trusted.ts';
import type { SkillCallOptions, SkillMetadata } from '../../contract/skill-provider.ts';
import { olderRevision } from '../../state/parse-skill-state.ts';
import { identityKey, identityOfSkill } from '../../contract/skill-identity.ts';
import { revisionOf } from '../../state/revision.ts';
import { loadedSkill, loadedSkillNames, type LoadedSkill, type SkillState } from '../../state/skill-state.ts';
import type { SkillGrants } from '../approvals/skill-grants.ts';
import type { PresentSkills } from './present-skills.ts';

/**
 * How a loaded skill differs from what its source has now. `content`: other files or another level
 * 1. `gone`: no such skill any more, at least not there. `trust`: the host trusts the source
 * otherwise. `older-state`: the state is of an earlier version of this library.
 */
export type SkillChangeReason = 'content' | 'gone' | 'trust' | 'older-state';

/** A loaded skill beside what its source has now. */
export type LoadedLook =
  /** It is what was loaded; `skill` has effects as granted. */
  | { readonly status: 'held'; readonly name: string; readonly skill: SkillMetadata; readonly grants: SkillGrants }
  | { readonly status: 'changed'; readonly name: string; readonly reason: SkillChangeReason; readonly skill?: SkillMetadata | undefined };

/**
 * Compares one loaded skill with what its source has now. Everything that a loaded skill opens,
 * approves or chooses is judged by this.
 *
 * @throws what the source rejects with: an outage opens nothing
 */
export async function lookAtLoaded(
  present: PresentSkills,
  state: SkillState,
  name: string,
  options: SkillCallOptions = {},
): Promise<LoadedLook> {
  const loaded = loadedSkill(state, name);
  if (loaded === undefined) return { status: 'changed', name, reason: 'gone' };
  if (loaded.revision === olderRevision) return { status: 'changed', name, reason: 'older-state' };
  const skill = listedIdentity(await present.listed(options), name, loaded);
  if (skill === undefined) return { status: 'changed', name, reason: 'gone' };
  if (isTrusted(skill) === (loaded.untrusted === true)) return { status: 'changed', name, reason: 'trust', skill };
  if (loaded.changed === true) return { status: 'changed', name, reason: 'content', skill };
  const content = await present.contentOf(skill, loaded, options);
  if (content === undefined) return { status: 'changed', name, reason: 'gone' };
  return revisionOf(skill, content) === loaded.revision
    ? { status: 'held', name, skill, grants: await present.grantsOf(skill, content, loaded) }
    : { status: 'changed', name, reason: 'content', skill };
}

/** Looks at every loaded skill, in the order of loading. */
export async function lookAtAllLoaded(
  present: PresentSkills,
  state: SkillState,
  options: SkillCallOptions = {},
): Promise<readonly LoadedLook[]> {
  return await Promise.all(loadedSkillNames(state).map((name) => lookAtLoaded(present, state, name, options)));
}

const identities = new WeakMap<readonly SkillMetadata[], ReadonlyMap<string, SkillMetadata>>();

/** The listed skill of a loaded identity; by name if the place is unknown. */
export function listedIdentity(
  listed: readonly SkillMetadata[],
  name: string,
  loaded: Pick<LoadedSkill, 'source' | 'place' | 'version'>,
): SkillMetadata | undefined {
  const { source, place, version } = loaded;
  if (place !== undefined) return identityIndex(listed).get(identityKey({ source, place }, version));
  return listed.find((skill) => skill.name === name && skill.version === version && identityOfSkill(skill).source === source);
}

function identityIndex(listed: readonly SkillMetadata[]): ReadonlyMap<string, SkillMetadata> {
  const known = identities.get(listed);
  if (known !== undefined) return known;
  const index = new Map<string, SkillMetadata>();
  for (const skill of listed) {
    const key = identityKey(identityOfSkill(skill), skill.version);
    if (!index.has(key)) index.set(key, skill);
  }
  if (Object.isFrozen(listed)) identities.set(listed, index);
  return index;
}
