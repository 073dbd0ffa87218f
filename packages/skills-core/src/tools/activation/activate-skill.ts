import { skillNotFound } from '../../catalog/find-skill.ts';
import { isModelInvocable, isUserInvocable, type SkillCatalog } from '../../catalog/skill-catalog.ts';
import type { Skill, SkillMetadata } from '../../contract/skill-provider.ts';
import { SkillError } from '../../errors/skill-error.ts';
import type { SkillActor } from '../../events/skill-activity.ts';
import { contentElement, frame } from '../../prompt/frames.ts';
import { alreadyActiveText, placedText } from '../../prompt/model-texts.ts';
import { wantsFork } from '../../policy/fork.ts';
import { fingerprint } from '../../state/fingerprint.ts';
import { skillsDueForRefresh } from '../../state/refresh.ts';
import { loadedSkill, type SkillState } from '../../state/skill-state.ts';
import { eventOf } from '../../state/transcript.ts';
import type { SkillToolContext, SkillToolResult } from '../skill-tool.ts';
import { identityOf, type ToolEnvironment } from '../tool-environment.ts';
import { renderSkill } from './render-skill.ts';

/** What to activate, and for whom. */
export interface ActivationRequest {
  /** The skill as the catalog has it. */
  readonly skill: SkillMetadata;
  readonly version?: string | undefined;
  readonly arguments?: string | undefined;
  readonly by: SkillActor;
}

/**
 * Level 2: reads a skill and gives the text that the model gets, with the event that makes it loaded. Every way to load a skill ends here, so the same rules hold
 * for all of them.
 *
 * @throws {SkillError} `skill-not-found`, `permission-denied`, or what the provider rejects with
 */
export async function activateSkill(
  environment: ToolEnvironment,
  request: ActivationRequest,
  context: SkillToolContext,
): Promise<SkillToolResult> {
  const { name } = request.skill;
  const skill = await readSkill(environment, request, context);
  // Asked of what would be given: its version, or its author's last edit, may be another than the catalog's.
  await environment.assertAllowed('load', skill);
  const text = renderSkill(skill, { arguments: request.arguments, fileReader: environment.fileReader });
  if (context.canFork === true && wantsFork(skill)) {
    environment.emit({ type: 'skill_loaded', by: request.by, tokens: environment.countTokens(text), ...identityOf(skill) });
    return { text: '', events: [], fork: { skill: name, agent: skill.agent, model: skill.model, prompt: text } };
  }
  const given = environment.surfaceOf(skill).body.toolResult ? text : placedInPrompt(skill, text);
  if (!isDue(environment, request, context) && standsUnchanged(context.state, name, given)) {
    environment.emit({ type: 'skill_already_active', by: request.by, ...identityOf(skill) });
    return { text: alreadyActiveText(name), events: [] };
  }
  environment.emit({ type: 'skill_loaded', by: request.by, tokens: environment.countTokens(given), ...identityOf(skill) });
  // The event is read from the text, as the fold over a transcript will read it later, so that both are always the same.
  const event = eventOf(
    { tool: environment.names.load, input: { arguments: request.arguments }, output: given, at: context.at },
    environment.names,
  );
  return { text: given, events: event === null ? [] : [event] };
}

/** The short result for a skill whose body stands in the system prompt. Its revision tells an edit, so the state's digest still does. */
function placedInPrompt(skill: Skill, text: string): string {
  return frame(
    contentElement,
    { name: skill.name, version: skill.version, source: skill.origin?.label, revision: fingerprint(text) },
    placedText(skill.name),
  );
}

function standsUnchanged(state: SkillState, name: string, text: string): boolean {
  const loaded = loadedSkill(state, name);
  return loaded?.inContext === true && loaded.digest === fingerprint(text);
}

function isDue({ refresh, catalog }: ToolEnvironment, { skill }: ActivationRequest, { state, at }: SkillToolContext): boolean {
  return at !== undefined && skillsDueForRefresh(state, refresh, at, catalog.listed).includes(skill.name);
}

async function readSkill(
  environment: ToolEnvironment,
  { skill: known, version: range, by }: ActivationRequest,
  { signal }: SkillToolContext,
): Promise<Skill> {
  const { provider, catalog } = environment;
  const { name } = known;
  const listed = catalog.listed.filter((candidate) => candidate.name === name).map((candidate) => candidate.version);
  const version = range === undefined ? known.version : environment.resolveVersion(listed, range);
  let skill = version === null ? null : await provider.getSkill(name, { version, signal });
  // It may have got another version since the catalog was read; the newest is what was asked for.
  if (skill === null && range === undefined) skill = await provider.getSkill(name, { signal });
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
  return new SkillError('skill-not-found', `Skill ${JSON.stringify(name)} has been removed since the list of skills was made. ${others}`, {
    skill: name,
  });
}

function noSuchVersion(catalog: SkillCatalog, name: string, version: string): SkillError {
  const versions = catalog.listed.filter((skill) => skill.name === name).map((skill) => skill.version ?? '(none)');
  return new SkillError(
    'skill-not-found',
    `Skill ${JSON.stringify(name)} has no version ${JSON.stringify(version)}. It has: ${versions.join(', ')}. Leave version out to get the newest.`,
    { skill: name },
  );
}

function without(catalog: SkillCatalog, name: string): readonly SkillMetadata[] {
  return catalog.skills.filter((skill) => skill.name !== name);
}
