import { deepFreeze } from '../../contract/deep-freeze.ts';
import { isTrusted } from '../../contract/is-trusted.ts';
import { identityOfSkill } from '../../contract/skill-identity.ts';
import type { SkillDiagnostic, SkillMetadata } from '../../contract/skill-provider.ts';
import { wantsFork } from '../../policy/fork.ts';
import { contentElement, frame } from '../../prompt/frames.ts';
import { alreadyActiveText, placedText, sameTextText } from '../../prompt/model-texts.ts';
import { hashText } from '../../providers/digest/hash-text.ts';
import { revisionOf } from '../../state/revision.ts';
import { skillsDueForRefresh } from '../../state/refresh.ts';
import { loadedSkill, type LoadedSkill, type SkillEvent } from '../../state/skill-state.ts';
import { argumentsOf } from '../../state/transcript.ts';
import { emitWithText } from '../emit-with-text.ts';
import type { SkillToolContext, SkillToolResult } from '../skill-tool.ts';
import { identityOf, type ToolEnvironment } from '../tool-environment.ts';
import { openToLoad, type ActivationRequest } from '../pinned/read-skill-to-load.ts';
import { contentAttributes } from './render-skill.ts';
import { hasCommands, plainTextAgain, reportCommandsNotRun, skillText, textWithOutput, type TextRequest } from './skill-text.ts';

/**
 * Level 2: reads a skill and returns the text that the model gets, with the event that makes it
 * loaded. Every way to load a skill ends here, so the same rules hold for all of them.
 *
 * @throws {SkillError} `skill-not-found`, `permission-denied`, or what the provider rejects with
 */
export async function activateSkill(
  environment: ToolEnvironment,
  request: ActivationRequest,
  context: SkillToolContext,
): Promise<SkillToolResult> {
  const { use, content, revision, approval } = await openToLoad(environment, request, context);
  const { grants } = use;
  const { onlyAsk, signal } = context;
  if (onlyAsk === true) return { text: '', events: [] };
  const hooked = { skill: use.skill, arguments: request.arguments };
  const { skill, arguments: given } = (await environment.hooks?.load(hooked, signal)) ?? hooked;
  const text: TextRequest = { ...use, skill, given, revision, signal };
  const written = await skillText(environment, text);
  if (context.canFork === true && wantsFork(skill)) return await forkSkill(environment, request, text, written);
  environment.present.seen(use.skill, content);
  // Unpinned skills have nothing to compare later.
  if (content === null) environment.report(unpinnedSkill(use.skill));
  else await environment.contents.set(revision, deepFreeze(use.skill));
  const told = { by: request.by, ...identityOf(skill) };
  const eventWith = (texts: readonly string[] | undefined) =>
    loadEvent(use.skill, { content, at: context.at, renewed: request.renewed, approval, arguments: argumentsOf(request), texts });
  /** A text that the model gets for this load. */
  const give = async (full: string, texts: readonly string[] | undefined): Promise<SkillToolResult> => {
    await context.onLoad?.(environment.approvals?.asBringer(skill, grants) ?? skill);
    await emitWithText(environment, full, (measured) => ({ type: 'skill_loaded', ...measured, ...told }));
    return { text: full, events: [eventWith(texts)] };
  };
  const again = (words: string, unchanged?: string) => frame(contentElement, { ...contentAttributes(skill, revision), unchanged }, words);
  // The short result for a skill whose body stands in the system prompt.
  const placed = environment.surfaceOf(skill).body.toolResult ? undefined : again(placedText(skill.name));
  const standing = isDue(environment, request, context) ? undefined : standingLoad(environment, request, context);
  if (standing !== undefined && isSameLoad(environment, standing, { skill, revision, grants, text: placed ?? written })) {
    environment.emit({ type: 'skill_already_active', ...told });
    // The text stands; what it may do rests on the new answer.
    return { text: alreadyActiveText(skill.name), events: approval === standing.approval ? [] : [eventWith(undefined)] };
  }
  // The standing text is the same but for its revision: then only files changed.
  if (standing?.texts.includes(hashText(await skillText(environment, { ...text, revision: standing.revision }))) === true)
    return await give(again(sameTextText(skill.name), 'true'), undefined);
  if (placed !== undefined) {
    reportCommandsNotRun(environment, { skill, grants });
    return await give(placed, [hashText(placed)]);
  }
  const full = await textWithOutput(environment, text, written);
  const plain = await plainTextAgain(environment, text, written);
  return await give(full, [...new Set([full, plain].map(hashText))]);
}

async function forkSkill(
  environment: ToolEnvironment,
  request: ActivationRequest,
  text: TextRequest,
  written: string,
): Promise<SkillToolResult> {
  const { skill } = text;
  const prompt = await textWithOutput(environment, text, written);
  await emitWithText(environment, prompt, (measured) => ({ type: 'skill_forked', by: request.by, ...measured, ...identityOf(skill) }));
  const { name, agent, model } = skill;
  return { text: '', events: [], fork: { skill: name, agent, model, prompt, arguments: argumentsOf(request) } };
}

/**
 * Whether what stands is what would be given now. The revision tells neither what a hook made of
 * the text nor the body of an unpinned skill. The output of commands differs each time. A load that
 * was closed because another content was seen is opened by a new one, also if the old content is
 * back.
 */
function isSameLoad(
  environment: ToolEnvironment,
  standing: LoadedSkill,
  { skill, revision, grants, text }: Pick<TextRequest, 'skill' | 'revision' | 'grants'> & { readonly text: string },
): boolean {
  if (standing.revision !== revision || standing.changed === true) return false;
  return hasCommands(environment, { skill, grants }) || standing.texts.includes(hashText(text));
}

/** What is loaded with the same arguments and stands in the context as a whole. */
function standingLoad(environment: ToolEnvironment, request: ActivationRequest, { state }: SkillToolContext): LoadedSkill | undefined {
  const loaded = loadedSkill(state, request.skill.name);
  if (loaded === undefined || loaded.arguments !== argumentsOf(request) || loaded.cut === true) return undefined;
  return loaded.inContext || environment.surfaceOf(request.skill).body.systemPrompt ? loaded : undefined;
}

function isDue({ refresh, catalog, surfaceOf }: ToolEnvironment, { skill }: ActivationRequest, { state, at }: SkillToolContext): boolean {
  // What stands in the system prompt is read at every step, and needs no repeating.
  if (at === undefined || surfaceOf(skill).body.systemPrompt) return false;
  return skillsDueForRefresh(state, refresh, at, catalog.listed).includes(skill.name);
}

function unpinnedSkill({ name, origin }: SkillMetadata): SkillDiagnostic {
  return {
    code: 'skill-unpinned',
    severity: 'info',
    skill: name,
    message: `Skill ${JSON.stringify(name)} is unpinned: its source does not say which content it has, so what is read later may differ from what was loaded.`,
    fix: `${origin?.trusted === true ? '' : 'It gets no grants. '}Let the source give a digest for every file, or the content of the skill.`,
  };
}

/** What a load adds to what the skill itself says. */
interface LoadEventRequest {
  /** The content that was loaded; `null` for an unpinned skill. */
  readonly content: string | null;
  /** Hashes of the given texts; `undefined` if the standing one is its text. */
  readonly texts: readonly string[] | undefined;
  readonly arguments?: string | undefined;
  readonly at?: number | undefined;
  readonly renewed?: true | undefined;
  readonly approval?: string | undefined;
}

/** The event that binds a conversation to a skill: its identity, its content and its texts. */
export function loadEvent(skill: SkillMetadata, request: LoadEventRequest): Extract<SkillEvent, { type: 'loaded' }> {
  const { content, texts, at, renewed, approval, arguments: given } = request;
  return {
    type: 'loaded',
    name: skill.name,
    ...identityOfSkill(skill),
    version: skill.version,
    content,
    revision: revisionOf(skill, content),
    ...(texts !== undefined && { texts }),
    ...(given !== undefined && { arguments: given }),
    ...(!isTrusted(skill) && { untrusted: true as const }),
    ...(at !== undefined && { at }),
    ...(approval !== undefined && { approval }),
    ...(renewed === true && { renewed }),
  };
}
