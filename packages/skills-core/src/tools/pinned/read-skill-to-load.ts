import { skillNotFound } from '../../catalog/find-skill.ts';
import { isModelInvocable, isUserInvocable, type SkillCatalog } from '../../catalog/skill-catalog.ts';
import { identityOfSkill, identityOptions, isFrom } from '../../contract/skill-identity.ts';
import type { Skill, SkillMetadata } from '../../contract/skill-provider.ts';
import { SkillError } from '../../errors/skill-error.ts';
import type { SkillActor } from '../../events/skill-activity.ts';
import { grantsByTrust } from '../../policy/approvals/skill-grants.ts';
import { quoteWord } from '../../prompt/source-words.ts';
import { revisionOf } from '../../state/revision.ts';
import { argumentsOf } from '../../state/transcript.ts';
import type { ApprovedLoad } from '../approvals/session-approvals.ts';
import type { SkillToolContext } from '../skill-tool.ts';
import type { ToolEnvironment } from '../tool-environment.ts';
import { noSuchVersion, wantedVersion } from '../wanted-version.ts';
import { contentOfSkill } from './content-of-skill.ts';
import { inUse, type SkillInUse } from './skill-in-use.ts';

/** What to activate, and for whom. */
export interface ActivationRequest {
  /** The skill as the catalog has it. */
  readonly skill: SkillMetadata;
  /** A version or range. @default that of `skill` */
  readonly version?: string | undefined;
  readonly arguments?: string | undefined;
  readonly by: SkillActor;
  /** The host loads it by itself, because its content changed. */
  readonly renewed?: true | undefined;
}

/** A skill that is about to be loaded, with what its load is bound to. */
export interface SkillToLoad {
  readonly use: SkillInUse;
  /** `null` for an unpinned skill. */
  readonly content: string | null;
  readonly revision: string;
  /** Names the answer that the load rests on. */
  readonly approval?: string | undefined;
}

/**
 * The door to a skill that is to be loaded, with all that is asked of it: of what would be given,
 * which may differ from the catalog.
 *
 * @throws {SkillError} `skill-not-found`, `permission-denied`, `needs-approval`, or what the
 *   provider rejects with
 */
export async function openToLoad(
  environment: ToolEnvironment,
  request: ActivationRequest,
  context: SkillToolContext,
): Promise<SkillToLoad> {
  const found = await readSkillToLoad(environment, request, context);
  await environment.assertAllowed('load', found);
  const content = await contentOfSkill(environment.provider, found, context);
  const skill = found.content === content ? found : { ...found, content };
  const asked = { ...context, skill, content, arguments: argumentsOf(request) };
  const { grants, approval }: ApprovedLoad = (await environment.approvals?.load(asked)) ?? { grants: grantsByTrust(skill) };
  return { use: inUse(skill, undefined, grants), content, revision: revisionOf(skill, content), approval };
}

/**
 * Reads the skill that is to be loaded, as its source has it now: of the source and place that the
 * catalog tells, selected by the host, and open to whoever loads it.
 *
 * @throws {SkillError} `skill-not-found`, or what the provider rejects with
 */
async function readSkillToLoad(
  environment: ToolEnvironment,
  { skill: known, version: range, by }: ActivationRequest,
  { signal }: SkillToolContext,
): Promise<Skill> {
  const { provider, catalog } = environment;
  const { name } = known;
  // The versions of a skill may lie at different places.
  const wanted = range === undefined ? known : wantedVersion(environment, name, range);
  const { version } = wanted;
  const { source, place } = identityOptions(wanted);
  let skill = await provider.getSkill(name, { version, source, place, signal });
  // It may have got another version since the catalog was read; the newest one of the same source
  // and place is what was asked for.
  if (skill === null && range === undefined) skill = await provider.getSkill(name, { source, place, signal });
  // A source may ignore what it is asked for.
  if (skill !== null && !isFrom(skill, identityOfSkill(wanted))) skill = null;
  // What was selected may have changed with it.
  if (skill !== null && !environment.isSelected(skill)) skill = null;
  if (skill === null) throw range === undefined ? gone(catalog, name) : noSuchVersion(catalog, name, range);
  // Its author may have closed it since the catalog was read.
  const open = by === 'user' ? isUserInvocable(skill) : isModelInvocable(skill) || by === 'host';
  if (!open) throw skillNotFound(without(catalog, name), name);
  return skill;
}

function gone(catalog: SkillCatalog, name: string): SkillError {
  const others = skillNotFound(without(catalog, name), name).message;
  return new SkillError('skill-not-found', `Skill ${quoteWord(name)} has been removed since the list of skills was made. ${others}`, {
    skill: name,
  });
}

function without(catalog: SkillCatalog, name: string): readonly SkillMetadata[] {
  return catalog.skills.filter((skill) => skill.name !== name);
}
