import { isFrom } from '../../contract/skill-identity.ts';
import { isTrusted } from '../../contract/is-trusted.ts';
import type { Skill, SkillMetadata } from '../../contract/skill-provider.ts';
import { admitLoaded, changeOf, inForce, type SkillChangeReason } from '../../policy/in-force.ts';
import { revisionOf } from '../../state/revision.ts';
import { loadedSkill, type LoadedSkill, type SkillState } from '../../state/skill-state.ts';
import type { SkillToolContext } from '../skill-tool.ts';
import type { ToolEnvironment } from '../tool-environment.ts';
import { contentOfSkill } from './content-of-skill.ts';
import { changedSkill, tellChanged } from './skill-changed.ts';
import { inUse, type SkillInUse } from './skill-in-use.ts';

/** A loaded skill as it was loaded, or why it cannot be had. */
export type PinnedSkill = SkillInUse | { readonly changed: SkillChangeReason };

type FoundSkill = { readonly skill: Skill } | { readonly changed: SkillChangeReason };

/**
 * The loaded skill: of the identity and content that the conversation loaded, remembered or read
 * from its source. Nothing takes its place. What the host does not select any more counts as gone.
 *
 * @throws {SkillError} `permission-denied`, or what the provider rejects with
 */
export async function readPinnedSkill(
  environment: ToolEnvironment,
  state: SkillState,
  name: string,
  signal: AbortSignal | undefined,
): Promise<PinnedSkill> {
  const loaded = loadedSkill(state, name);
  if (loaded === undefined) return { changed: 'gone' };
  const admitted = await admitLoaded(environment.present, environment.catalog.listed, state, name);
  // Told with its reason, to the host too. What is named wrongly is there for nobody.
  if ('inForce' in admitted && admitted.refused !== undefined) await environment.assertAllowed('load', admitted.refused);
  if ('inForce' in admitted && admitted.reason === 'other-name') return { changed: 'gone' };
  // A source that is away lists nothing, and what is remembered is served.
  const isAway = 'inForce' in admitted && admitted.reason === 'gone' && !environment.present.isComplete;
  const found =
    'inForce' in admitted && !isAway
      ? { changed: changeOf(admitted.reason) }
      : await pinnedSkill(environment, name, loaded, { skill: 'inForce' in admitted ? undefined : admitted.skill, signal });
  if ('changed' in found) {
    await tellChanged(environment, { name, loaded, reason: found.changed }, signal);
    return found;
  }
  const grants = await environment.present.grantsOf(found.skill, found.skill.content, loaded);
  environment.approvals?.assertShown(name, grants);
  return inUse(found.skill, loaded, grants);
}

/**
 * Before something of a loaded skill runs: its source must still have what was loaded. A skill that
 * is not loaded passes, since nothing was given of it.
 *
 * @throws {SkillError} `skill-changed`, or what the source rejects with
 */
export async function assertPinned(
  environment: ToolEnvironment,
  { skill, loaded }: SkillInUse,
  { state, signal }: SkillToolContext,
): Promise<void> {
  if (loaded === undefined) return;
  const { name } = skill;
  const look = await inForce(environment.present, state, name, { signal });
  if (look.inForce) return;
  if (look.refused !== undefined) await environment.assertAllowed('load', look.refused);
  throw await changedSkill(environment, { name, loaded, reason: changeOf(look.reason) }, signal);
}

async function pinnedSkill(
  environment: ToolEnvironment,
  name: string,
  loaded: LoadedSkill,
  { skill: listed, signal }: { readonly skill: SkillMetadata | undefined; readonly signal: AbortSignal | undefined },
): Promise<FoundSkill> {
  const { contents, isSelected } = environment;
  // A claim of a text is compared with the present: memory is of other conversations, too.
  const remembered = loaded.place === undefined ? undefined : await contents.get(loaded.revision);
  const found = remembered === undefined ? await fromSource(environment, name, loaded, signal) : { skill: remembered };
  if ('changed' in found) return found;
  const { skill } = found;
  // Memory is of others, too: where nothing is listed, the views of this request are asked.
  const isOurs = listed !== undefined || environment.provider.mayList?.(skill) !== false;
  if (skill.name !== name || !isOurs || !isSelected(listed ?? skill)) return { changed: 'gone' };
  // It was not listed, so nobody was asked about it before.
  if (listed === undefined) await environment.assertAllowed('load', skill);
  return found;
}

async function fromSource(
  { provider, contents }: ToolEnvironment,
  name: string,
  loaded: LoadedSkill,
  signal: AbortSignal | undefined,
): Promise<FoundSkill> {
  const { source, place, version } = loaded;
  const identity = { version, ...(source !== '' && { source }), ...(place !== undefined && { place }) };
  const content = loaded.content ?? undefined;
  const asked = await provider.getSkill(name, { ...identity, content, signal });
  if (asked !== null && isIdentity(asked, loaded)) {
    const pinned = await contentOfSkill(provider, asked, { signal });
    if (revisionOf(asked, pinned) === loaded.revision) {
      const skill = asked.content === pinned ? asked : { ...asked, content: pinned };
      // An unpinned skill may answer something else at each call.
      if (pinned !== null) await contents.set(loaded.revision, skill);
      return { skill };
    }
    return { changed: isTrusted(asked) === (loaded.untrusted === true) ? 'trust' : 'content' };
  }
  const now = content === undefined ? null : await provider.getSkill(name, { ...identity, signal });
  return { changed: now !== null && isIdentity(now, loaded) ? 'content' : 'gone' };
}

function isIdentity(skill: Skill, loaded: LoadedSkill): boolean {
  return skill.version === loaded.version && isFrom(skill, loaded);
}
