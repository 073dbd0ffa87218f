import { skillNotFound } from '../../catalog/find-skill.ts';
import { listedVersions } from '../../catalog/listed-versions.ts';
import { isModelInvocable, isUserInvocable, type SkillCatalog } from '../../catalog/skill-catalog.ts';
import { isFrom } from '../../contract/is-from.ts';
import { deepFreeze } from '../../contract/deep-freeze.ts';
import type { Skill, SkillDiagnostic, SkillMetadata } from '../../contract/skill-provider.ts';
import { SkillError } from '../../errors/skill-error.ts';
import type { SkillActor } from '../../events/skill-activity.ts';
import { wantsFork } from '../../policy/fork.ts';
import { contentElement, frame } from '../../prompt/frames.ts';
import { alreadyActiveText, placedText, sameTextText } from '../../prompt/model-texts.ts';
import { listWords, quoteWord } from '../../prompt/source-words.ts';
import { hashText } from '../../providers/digest/hash-text.ts';
import { identityOptions } from '../../providers/identity-options.ts';
import { identityOfSkill, revisionOf } from '../../state/revision.ts';
import { skillsDueForRefresh } from '../../state/refresh.ts';
import { loadedSkill, type LoadedSkill } from '../../state/skill-state.ts';
import { argumentsOf } from '../../state/transcript.ts';
import { emitWithText } from '../emit-with-text.ts';
import type { SkillToolContext, SkillToolResult } from '../skill-tool.ts';
import { identityOf, type ToolEnvironment } from '../tool-environment.ts';
import { contentOfSkill } from '../held/content-of-skill.ts';
import { loadEvent } from './load-event.ts';
import { contentAttributes } from './render-skill.ts';
import { plainTextAgain, hasCommands, reportCommandsNotRun, skillText, textWithOutput, type TextRequest } from './skill-text.ts';

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
  const found = await readSkill(environment, request, context);
  // Asked of what would be given: its version, or its author's last edit, may differ from the catalog's.
  await environment.assertAllowed('load', found);
  const content = await contentOfSkill(environment.provider, found, context);
  const bound = found.content === content ? found : { ...found, content };
  const revision = revisionOf(bound, content);
  const hooked = { skill: bound, arguments: request.arguments };
  const { skill, arguments: given } = (await environment.hooks?.load(hooked, context.signal)) ?? hooked;
  const text: TextRequest = { skill, given, revision, signal: context.signal };
  const written = await skillText(environment, text);
  const { by } = request;
  const identity = identityOf(skill);
  if (context.canFork === true && wantsFork(skill)) {
    const prompt = await textWithOutput(environment, text, written);
    await emitWithText(environment, prompt, (measured) => ({ type: 'skill_forked', by, ...measured, ...identity }));
    return {
      text: '',
      events: [],
      fork: { skill: skill.name, agent: skill.agent, model: skill.model, prompt, arguments: argumentsOf(request) },
    };
  }
  environment.present.seen(bound, content);
  if (content === null) environment.report(openSkill(bound));
  else await environment.contents.set(revision, deepFreeze(bound));
  const load = {
    content,
    at: context.at,
    renewed: request.renewed,
    ...(argumentsOf(request) !== undefined && { arguments: argumentsOf(request) }),
  };
  const placed = environment.surfaceOf(skill).body.toolResult ? undefined : placedInPrompt(skill, revision);
  const standing = isDue(environment, request, context) ? undefined : standingLoad(environment, request, context);
  // A load that was closed because another content was seen is opened by a new one, also if the old content is back.
  const isSame = standing?.revision === revision && standing.changed !== true;
  // The revision does not tell what a hook made of the text, nor the body of an open skill. The output of commands differs each time.
  if (isSame && (hasCommands(environment, skill) || standing.texts.includes(hashText(placed ?? written)))) {
    environment.emit({ type: 'skill_already_active', by, ...identity });
    return { text: alreadyActiveText(skill.name), events: [] };
  }
  if (standing !== undefined && (await isSameText(environment, text, standing))) {
    await context.onLoad?.(skill);
    const line = frame(contentElement, { ...contentAttributes(skill, revision), unchanged: 'true' }, sameTextText(skill.name));
    await emitWithText(environment, line, (measured) => ({ type: 'skill_loaded', by, ...measured, ...identity }));
    return { text: line, events: [loadEvent(bound, { ...load, texts: undefined })] };
  }
  if (placed !== undefined) reportCommandsNotRun(environment, skill);
  const full = placed ?? (await textWithOutput(environment, text, written));
  await context.onLoad?.(skill);
  await emitWithText(environment, full, (measured) => ({ type: 'skill_loaded', by, ...measured, ...identity }));
  const again = placed ?? (await plainTextAgain(environment, text, written));
  const texts = [...new Set([full, again].map(hashText))];
  return { text: full, events: [loadEvent(bound, { ...load, texts })] };
}

/** The short result for a skill whose body stands in the system prompt. */
function placedInPrompt(skill: Skill, revision: string): string {
  return frame(contentElement, contentAttributes(skill, revision), placedText(skill.name));
}

/** What is loaded with the same arguments and stands in the context as a whole. */
function standingLoad(environment: ToolEnvironment, request: ActivationRequest, { state }: SkillToolContext): LoadedSkill | undefined {
  const loaded = loadedSkill(state, request.skill.name);
  if (loaded === undefined || loaded.arguments !== argumentsOf(request) || loaded.cut === true) return undefined;
  return loaded.inContext || environment.surfaceOf(request.skill).body.systemPrompt ? loaded : undefined;
}

/** Whether the text that stands is the one that would be given now, but for its revision: then only files changed. */
async function isSameText(environment: ToolEnvironment, text: TextRequest, standing: LoadedSkill): Promise<boolean> {
  return standing.texts.includes(hashText(await skillText(environment, { ...text, revision: standing.revision })));
}

function openSkill({ name, origin }: SkillMetadata): SkillDiagnostic {
  return {
    code: 'skill-open',
    severity: 'info',
    skill: name,
    message: `Skill ${JSON.stringify(name)} is open: its source does not say which content it has, so what is read later may differ from what was loaded.`,
    fix:
      origin?.trusted === true
        ? 'Give every file a digest, or wrap the source with withDigests.'
        : 'It gets no grants. Wrap the source with withDigests to bind it.',
  };
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
  const versions = listedVersions(catalog.listed, name);
  const version =
    range === undefined
      ? known.version
      : environment.resolveVersion(
          versions.map((candidate) => candidate.version),
          range,
        );
  // The versions of a skill may lie at different places.
  const wanted = range === undefined ? known : (versions.find((candidate) => candidate.version === version) ?? known);
  const { source, place } = identityOptions(wanted);
  let skill = version === undefined ? null : await provider.getSkill(name, { version, source, place, signal });
  // It may have got another version since the catalog was read; the newest one of the same source and place is what was asked for.
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
