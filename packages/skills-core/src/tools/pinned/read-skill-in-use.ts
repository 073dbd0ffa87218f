import { findAlike, findSkill, skillNotFound } from '../../catalog/find-skill.ts';
import { isModelInvocable } from '../../catalog/skill-catalog.ts';
import { identityOfSkill, identityOptions, isFrom } from '../../contract/skill-identity.ts';
import type { SkillMetadata } from '../../contract/skill-provider.ts';
import { grantsByTrust } from '../../policy/approvals/skill-grants.ts';
import { loadedSkill, loadedSkillNames, type SkillState } from '../../state/skill-state.ts';
import type { ApprovalOfRead } from '../approvals/session-approvals.ts';
import type { SkillToolContext } from '../skill-tool.ts';
import type { ToolEnvironment } from '../tool-environment.ts';
import { assertLoadedVersion, noSuchVersion, wantedVersion } from '../wanted-version.ts';
import { readPinnedSkill } from './read-pinned-skill.ts';
import { changedSkill } from './skill-changed.ts';
import { inUse, type SkillInUse } from './skill-in-use.ts';

/** What a tool asks for besides the skill. */
export interface ReadSkillOptions {
  /** Version or range. @default the loaded version, else the newest */
  readonly version?: string | undefined;
  /** A read that a person may be asked about. @default only the skill is judged */
  readonly call?: ApprovalOfRead | undefined;
}

/**
 * Level 2 of a skill whose files are asked for: a loaded one as it was loaded, whoever loaded it,
 * else one that the model may load, as the source and the host have it now. A person may have
 * started a skill that is closed to models; its files go with it.
 *
 * @throws {SkillError} `skill-not-found`, `invalid-input` for another version than the loaded one,
 *   `skill-changed`, `permission-denied`, `needs-approval`, or what the provider rejects with
 */
export async function readSkillInUse(
  environment: ToolEnvironment,
  asked: string,
  { state, signal }: SkillToolContext,
  { version, call }: ReadSkillOptions = {},
): Promise<SkillInUse> {
  const { catalog } = environment;
  const name = loadedName(state, asked);
  if (name !== undefined) {
    assertLoadedVersion(environment, state, name, version);
    const found = await readPinnedSkill(environment, state, name, signal);
    if ('skill' in found) return found;
    throw await changedSkill(environment, { name, loaded: loadedSkill(state, name), reason: found.changed }, signal);
  }
  const found = findSkill(catalog, asked);
  const known = version === undefined ? found : wantedVersion(environment, found.name, version);
  // A version may be closed to models while the one in the catalog is open.
  if (!isModelInvocable(known)) throw noSuchVersion(catalog, found.name, version ?? '');
  const read = await mayRead(environment, known, { call, signal });
  if (read !== null) return read;
  throw skillNotFound(
    catalog.skills.filter((other) => other.name !== known.name),
    known.name,
  );
}

/**
 * The door to a listed skill that is not loaded: of the identity that is listed, selected, and
 * shown by a person where one must be asked. Who gives its body or its list of files asks for the
 * permission to load it, and who gives a file for that to read it.
 *
 * @returns `null` if it is not there for this request
 * @throws {SkillError} `needs-approval`, or what the provider rejects with
 */
export async function mayRead(
  { provider, isSelected, approvals }: ToolEnvironment,
  known: SkillMetadata,
  { call, signal }: { readonly call?: ApprovalOfRead | undefined; readonly signal?: AbortSignal | undefined },
): Promise<SkillInUse | null> {
  const skill = await provider.getSkill(known.name, { ...identityOptions(known), signal });
  if (skill === null || !isFrom(skill, identityOfSkill(known)) || !isSelected(skill)) return null;
  return inUse(skill, undefined, (await approvals?.read(skill, call)) ?? grantsByTrust(skill));
}

/** The name under which a skill is loaded, also by another spelling. */
export function loadedName(state: SkillState, asked: string): string | undefined {
  if (loadedSkill(state, asked) !== undefined) return asked;
  const names = loadedSkillNames(state).map((name) => ({ name }));
  return names.length === 0 ? undefined : findAlike(names, asked)?.name;
}
