import { skillNotFound } from '../../catalog/find-skill.ts';
import { listedVersions } from '../../catalog/listed-versions.ts';
import { isModelInvocable, isUserInvocable, type SkillCatalog } from '../../catalog/skill-catalog.ts';
import type { Skill, SkillMetadata } from '../../contract/skill-provider.ts';
import { SkillError } from '../../errors/skill-error.ts';
import type { SkillActor } from '../../events/skill-activity.ts';
import { wantsFork } from '../../policy/fork.ts';
import { contentElement, frame } from '../../prompt/frames.ts';
import { alreadyActiveText, placedText } from '../../prompt/model-texts.ts';
import { listWords, quoteWord } from '../../prompt/source-words.ts';
import { fingerprint } from '../../state/fingerprint.ts';
import { skillsDueForRefresh } from '../../state/refresh.ts';
import { loadedSkill, type SkillState } from '../../state/skill-state.ts';
import { eventOf } from '../../state/transcript.ts';
import { emitWithText } from '../emit-with-text.ts';
import type { SkillToolContext, SkillToolResult } from '../skill-tool.ts';
import { identityOf, type ToolEnvironment } from '../tool-environment.ts';
import { listedRevision } from './listed-revision.ts';
import { contentAttributes } from './render-skill.ts';
import { reportCommandsNotRun, skillText, textWithOutput } from './skill-text.ts';

/** What to activate, and for whom. */
export interface ActivationRequest {
  /** The skill as the catalog has it. */
  readonly skill: SkillMetadata;
  /** A version or range. @default that of `skill` */
  readonly version?: string | undefined;
  readonly arguments?: string | undefined;
  readonly by: SkillActor;
}

/**
 * Level 2: reads a skill and returns the text that the model gets, with the event that makes it loaded. Every way to load a skill ends here,
 * so the same rules hold for all of them.
 *
 * @throws {SkillError} `skill-not-found`, `permission-denied`, or what the provider rejects with
 */
export async function activateSkill(
  environment: ToolEnvironment,
  request: ActivationRequest,
  context: SkillToolContext,
): Promise<SkillToolResult> {
  const { name } = request.skill;
  const found = await readSkill(environment, request, context);
  // Asked of what would be given: its version, or its author's last edit, may differ from the catalog's.
  await environment.assertAllowed('load', found);
  const hooked = { skill: found, arguments: request.arguments };
  const { skill, arguments: given } = (await environment.hooks?.load(hooked, context.signal)) ?? hooked;
  const revision = listedRevision(environment, skill);
  const written = await skillText(environment, skill, given, context.signal);
  const { by } = request;
  if (context.canFork === true && wantsFork(skill)) {
    const text = await textWithOutput(environment, skill, given, written, context.signal);
    await emitWithText(environment, text, (measured) => ({ type: 'skill_forked', by, ...measured, ...identityOf(skill) }));
    return { text: '', events: [], fork: { skill: name, agent: skill.agent, model: skill.model, prompt: text } };
  }
  const surface = environment.surfaceOf(skill).body;
  const placed = surface.toolResult ? undefined : placedInPrompt(skill, written, revision);
  if (!isDue(environment, request, context) && standsUnchanged(context.state, name, placed ?? written, surface.systemPrompt)) {
    environment.emit({ type: 'skill_already_active', by, ...identityOf(skill) });
    return { text: alreadyActiveText(name), events: [] };
  }
  if (placed !== undefined) reportCommandsNotRun(environment, skill);
  const text = placed ?? (await textWithOutput(environment, skill, given, written, context.signal));
  await context.onLoad?.(skill);
  await emitWithText(environment, text, (measured) => ({ type: 'skill_loaded', by, ...measured, ...identityOf(skill) }));
  // The event is read from the text, as the fold over a transcript will read it later, so that both are always the same.
  const event = eventOf(
    { tool: environment.names.load, input: { arguments: request.arguments }, output: text, at: context.at },
    environment.names,
  );
  return { text, events: event === null ? [] : [event] };
}

/** The short result for a skill whose body stands in the system prompt. Its `body` attribute changes with the body, so that an edit is noticed. */
function placedInPrompt(skill: Skill, text: string, revision: string): string {
  return frame(contentElement, { ...contentAttributes(skill, revision), body: fingerprint(text) }, placedText(skill.name));
}

function standsUnchanged(state: SkillState, name: string, text: string, inPrompt: boolean): boolean {
  const loaded = loadedSkill(state, name);
  return loaded !== undefined && (loaded.inContext || inPrompt) && loaded.cut !== true && loaded.fingerprint === fingerprint(text);
}

function isDue({ refresh, catalog, surfaceOf }: ToolEnvironment, { skill }: ActivationRequest, { state, at }: SkillToolContext): boolean {
  // What stands in the system prompt is read at every step, and needs no repeating.
  if (at === undefined || surfaceOf(skill).body.systemPrompt) return false;
  return skillsDueForRefresh(state, refresh, at, catalog.listed).includes(skill.name);
}

async function readSkill(
  environment: ToolEnvironment,
  { skill: known, version: range, by }: ActivationRequest,
  { signal }: SkillToolContext,
): Promise<Skill> {
  const { provider, catalog } = environment;
  const { name } = known;
  const listed = listedVersions(catalog.listed, name).map((candidate) => candidate.version);
  const version = range === undefined ? known.version : environment.resolveVersion(listed, range);
  let skill = version === undefined ? null : await provider.getSkill(name, { version, signal });
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
  return new SkillError('skill-not-found', `Skill ${quoteWord(name)} has been removed since the list of skills was made. ${others}`, {
    skill: name,
  });
}

function noSuchVersion(catalog: SkillCatalog, name: string, version: string): SkillError {
  const versions = listedVersions(catalog.listed, name).map((skill) => skill.version ?? '(none)');
  return new SkillError(
    'skill-not-found',
    `Skill ${quoteWord(name)} has no version ${quoteWord(version)}. It has: ${listWords(versions)}. Leave version out to get the newest.`,
    { skill: name },
  );
}

function without(catalog: SkillCatalog, name: string): readonly SkillMetadata[] {
  return catalog.skills.filter((skill) => skill.name !== name);
}
