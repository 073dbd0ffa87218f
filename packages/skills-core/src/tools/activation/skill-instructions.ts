import type { SkillSurface } from '../../catalog/surface.ts';
import { isTrusted } from '../../contract/is-trusted.ts';
import { identityOfSkill } from '../../contract/skill-identity.ts';
import type { Skill, SkillDiagnostic, SkillMetadata } from '../../contract/skill-provider.ts';
import { SkillError } from '../../errors/skill-error.ts';
import { identityOf } from '../../events/session-events.ts';
import { wantsFork } from '../../policy/fork.ts';
import { listedIdentity, type SkillChangeReason } from '../../policy/in-force.ts';
import { contentElement, frame } from '../../prompt/frames.ts';
import {
  alreadyActiveText,
  placedText,
  sameTextText,
  scriptsNotRunText,
  skillAwayText,
  skillChangedText,
} from '../../prompt/model-texts.ts';
import { hashText } from '../../providers/digest/hash-text.ts';
import { skillsDueForRefresh, type SkillRefreshPolicy } from '../../state/refresh.ts';
import { revisionOf } from '../../state/revision.ts';
import { loadedSkill, loadedSkillNames, type LoadedSkill, type SkillEvent, type SkillState } from '../../state/skill-state.ts';
import { argumentsOf } from '../../state/transcript.ts';
import type { HookedLoad, SessionHooks, SkillScripts, SkillToolHost, SkillWorkflows } from '../tool-host.ts';
import type { OpenedApprovals } from '../approvals/session-approvals.ts';
import type { ActivationRequest, SkillInUse } from '../pinned/skill-doors.ts';
import type { SkillToolContext, SkillToolResult } from '../skill-tool.ts';
import { contentAttributes, renderSkill } from './render-skill.ts';

/** Where the text of a loaded skill stands again. */
type TextPlace = 'restored' | 'system-prompt';

/** Gives the instructions of skills to a model: when one is loaded, and again later. */
export interface SkillInstructions {
  /**
   * Level 2: reads a skill and returns the text that the model gets, with the event that makes it
   * loaded. Every way to load a skill ends here, so the same rules hold for all of them.
   *
   * @throws {SkillError} `skill-not-found`, `permission-denied`, or what the provider rejects with
   */
  activate(request: ActivationRequest, context: SkillToolContext): Promise<SkillToolResult>;
  /** Returns the text of a loaded skill again. Nothing runs, so it stays the same. */
  again(
    state: SkillState,
    name: string,
    place: TextPlace,
    signal: AbortSignal | undefined,
  ): Promise<{ readonly skill: Skill; readonly text: string } | { readonly changed: SkillChangeReason }>;
  /**
   * Returns the bodies of loaded skills that stand in the system prompt, in the order of loading;
   * empty if none does. In place of one that changed, is gone or cannot be read now stands one
   * sentence; one that is denied in the meantime is left out.
   */
  inPrompt(state: SkillState, signal: AbortSignal | undefined): Promise<string>;
  /**
   * Whether the body of a loaded skill stands in the system prompt, where nothing cuts it. One that
   * is not listed any more stood where the host places skills. What was read from a text, which
   * tells no place, is known only while it is listed: no text puts a name into the system prompt.
   */
  standsInPrompt(state: SkillState, name: string): boolean;
}

/** What {@link skillInstructions} needs. */
export interface SkillInstructionsRequest {
  readonly host: SkillToolHost;
  /** Where a skill's line and its body stand. */
  surfaceOf(skill: SkillMetadata): SkillSurface;
  /** Name of the tool that reads a listed file; the text of a loaded skill mentions it. */
  readonly fileReader: string;
  /**
   * What runs scripts, or what the host says of them in one sentence. @default they can be read,
   * not run
   */
  readonly scripts: SkillScripts | string | undefined;
  readonly workflows: SkillWorkflows | undefined;
  readonly hooks: SessionHooks | undefined;
  readonly approvals: OpenedApprovals | undefined;
  readonly refresh: SkillRefreshPolicy | undefined;
}

/** A skill that is to be written for a model. */
interface TextRequest extends SkillInUse {
  /** Arguments as typed, if any. */
  readonly given: string | undefined;
  /** Revision of the load, which stands in the frame. */
  readonly revision: string;
  readonly signal: AbortSignal | undefined;
}

/** Prepares the instructions of one session. */
export function skillInstructions(request: SkillInstructionsRequest): SkillInstructions {
  const { host, surfaceOf, fileReader, scripts, workflows, hooks, approvals, refresh } = request;
  const { catalog, doors, events, names } = host;
  const inSystemPrompt = (skill: SkillMetadata) => surfaceOf(skill).body.systemPrompt;

  /** What runs the commands in a body, where they are replaced by their output. */
  function runsCommands({ skill, grants }: Pick<SkillInUse, 'skill' | 'grants'>): SkillScripts | undefined {
    return typeof scripts === 'object' && grants.has('snippets') && scripts.hasSnippets(skill) ? scripts : undefined;
  }

  /** @param body where it is not as its author wrote it: complete, with its arguments */
  async function rendered(text: TextRequest, body?: string): Promise<string> {
    const { skill, revision, grants, given } = text;
    const runs = [await scriptsOf(text), (grants.has('scripts') && workflows?.describe(host, skill)) || ''];
    return renderSkill(skill, { fileReader, revision, runs, arguments: given, body });
  }

  async function scriptsOf(text: TextRequest): Promise<string> {
    if (!text.skill.resources.some(({ kind }) => kind === 'script')) return '';
    if (typeof scripts === 'string') return scripts;
    return (text.grants.has('scripts') && (await scripts?.describe(host, text, text.signal))) || scriptsNotRunText;
  }

  /** What the model reads of a skill, with no command run. */
  async function textOf(text: TextRequest): Promise<string> {
    events.reportInvisible(text.skill.name, 'SKILL.md', text.skill.body);
    return await rendered(text);
  }

  /** The same text with the output of the commands in the body, where the host has them run. */
  async function withOutput(text: TextRequest, written: string): Promise<string> {
    const ran = await runsCommands(text)?.expand(host, text, text.given, text.signal);
    if (ran === undefined) return written;
    for (const diagnostic of ran.diagnostics) events.report(diagnostic);
    return await rendered(text, ran.body);
  }

  /** The same for a text whose commands do not run. */
  async function withoutOutput(text: TextRequest, place: TextPlace): Promise<string> {
    return await rendered(text, runsCommands(text)?.withoutOutput(text.skill, text.given, place));
  }

  async function hooked(load: HookedLoad, signal: AbortSignal | undefined): Promise<HookedLoad> {
    return (await hooks?.load(load, signal)) ?? load;
  }

  async function again(state: SkillState, name: string, place: TextPlace, signal: AbortSignal | undefined) {
    const found = await doors.loaded(state, name, signal);
    if ('changed' in found) return found;
    if (place === 'system-prompt' && !inSystemPrompt(found.skill)) return { skill: found.skill, text: '' };
    const { arguments: typed, revision = '' } = found.loaded ?? {};
    const { skill, arguments: given } = await hooked({ skill: found.skill, arguments: typed }, signal);
    return { skill: found.skill, text: await withoutOutput({ ...found, skill, given, revision, signal }, place) };
  }

  /** Whether the refresh policy has it given again. */
  function isDue({ skill }: ActivationRequest, { state, at }: SkillToolContext): boolean {
    // What stands in the system prompt is read at every step, and needs no repeating.
    if (at === undefined || inSystemPrompt(skill)) return false;
    return skillsDueForRefresh(state, refresh, at, catalog.listed).includes(skill.name);
  }

  /** What is loaded with the same arguments and stands in the context as a whole. */
  function standingLoad(asked: ActivationRequest, { state }: SkillToolContext): LoadedSkill | undefined {
    const loaded = loadedSkill(state, asked.skill.name);
    if (loaded === undefined || loaded.arguments !== argumentsOf(asked) || loaded.cut === true) return undefined;
    return loaded.inContext || inSystemPrompt(asked.skill) ? loaded : undefined;
  }

  function standsInPrompt(state: SkillState, name: string): boolean {
    const loaded = loadedSkill(state, name);
    if (loaded === undefined) return false;
    const { source, place, version, untrusted } = loaded;
    const origin = { kind: 'loaded', label: source, trusted: untrusted !== true };
    const asLoaded: SkillMetadata = { name, description: '', version, origin };
    const known = listedIdentity(catalog.listed, name, loaded) ?? (place === undefined ? undefined : asLoaded);
    return known !== undefined && inSystemPrompt(known);
  }

  async function promptTextOf(state: SkillState, name: string, signal: AbortSignal | undefined): Promise<string> {
    // Its place is known before it is read, and reading may cost a request.
    if (!standsInPrompt(state, name)) return '';
    try {
      const found = await again(state, name, 'system-prompt', signal);
      return 'changed' in found ? skillChangedText(name, found.changed, names) : found.text;
    } catch (error) {
      signal?.throwIfAborted();
      if (isDenied(error)) return '';
      if (!SkillError.isInstance(error) || error.code !== 'source-unavailable') throw error;
      events.report(notRestored({ name, reason: 'failed' }));
      return skillAwayText(name);
    }
  }

  return {
    async activate(asked, context) {
      const opened = await doors.toLoad(asked, context);
      const { use, content, revision, approval } = opened;
      const { grants } = use;
      const { onlyAsk, signal } = context;
      if (onlyAsk === true) return { text: '', events: [] };
      const { skill, arguments: given } = await hooked({ skill: use.skill, arguments: asked.arguments }, signal);
      const text: TextRequest = { ...use, skill, given, revision, signal };
      const written = await textOf(text);
      const told = { by: asked.by, ...identityOf(skill) };
      if (context.canFork === true && wantsFork(skill)) {
        const prompt = await withOutput(text, written);
        await events.emitText(prompt, (measured) => ({ type: 'skill_forked', ...measured, ...told }));
        const { name, agent, model } = skill;
        return { text: '', events: [], fork: { skill: name, agent, model, prompt, arguments: argumentsOf(asked) } };
      }
      await doors.remember(opened);
      const eventWith = (texts: readonly string[] | undefined) =>
        loadEvent(use.skill, { content, at: context.at, renewed: asked.renewed, approval, arguments: argumentsOf(asked), texts });
      /** A text that the model gets for this load. */
      const give = async (full: string, texts: readonly string[] | undefined): Promise<SkillToolResult> => {
        await context.onLoad?.(approvals?.asBringer(skill, grants) ?? skill);
        await events.emitText(full, (measured) => ({ type: 'skill_loaded', ...measured, ...told }));
        return { text: full, events: [eventWith(texts)] };
      };
      const short = (words: string, unchanged?: string) =>
        frame(contentElement, { ...contentAttributes(skill, revision), unchanged }, words);
      // The short result for a skill whose body stands in the system prompt.
      const placed = surfaceOf(skill).body.toolResult ? undefined : short(placedText(skill.name));
      const standing = isDue(asked, context) ? undefined : standingLoad(asked, context);
      // The revision tells neither what a hook made of the text nor the body of an unpinned skill.
      // The output of commands differs each time. A load that was closed because another content
      // was seen is opened by a new one, also if the old content is back.
      const isSame =
        standing?.revision === revision &&
        standing.changed !== true &&
        (runsCommands(text) !== undefined || standing.texts.includes(hashText(placed ?? written)));
      if (isSame) {
        events.emit({ type: 'skill_already_active', ...told });
        // The text stands; what it may do rests on the new answer.
        return { text: alreadyActiveText(skill.name), events: approval === standing.approval ? [] : [eventWith(undefined)] };
      }
      // The standing text is the same but for its revision: then only files changed.
      if (standing?.texts.includes(hashText(await textOf({ ...text, revision: standing.revision }))) === true)
        return await give(short(sameTextText(skill.name), 'true'), undefined);
      if (placed !== undefined) {
        if (runsCommands(text) !== undefined) events.report(commandsNotRun(skill.name));
        return await give(placed, [hashText(placed)]);
      }
      const full = await withOutput(text, written);
      const plain = runsCommands(text) === undefined ? written : await withoutOutput(text, 'restored');
      return await give(full, [...new Set([full, plain].map(hashText))]);
    },
    again,
    standsInPrompt,
    async inPrompt(state, signal) {
      const texts = await Promise.all(loadedSkillNames(state).map((name) => promptTextOf(state, name, signal)));
      return texts.filter((text) => text !== '').join('\n\n');
    },
  };
}

/** Whether the host does not let this request have a loaded skill, or nobody approved it yet. */
export function isDenied(error: unknown): boolean {
  return SkillError.isInstance(error) && (error.code === 'permission-denied' || error.code === 'needs-approval');
}

/**
 * A loaded skill whose text could not be restored. `changed` and `gone`: nothing takes its place.
 */
export interface OmittedSkill {
  readonly name: string;
  readonly reason: 'budget' | 'changed' | 'gone' | 'denied' | 'failed';
}

/** Returns what the host is told of it. */
export function notRestored({ name, reason }: OmittedSkill): SkillDiagnostic {
  return {
    code: 'skill-not-restored',
    severity: 'warning',
    skill: name,
    message: `The instructions of the loaded skill ${JSON.stringify(name)} could not be restored (${reason}). The skill stays loaded, and the model can load it again.`,
    fix: reason === 'budget' ? 'Give `restore` more room.' : 'Look at the source of the skill.',
  };
}

function commandsNotRun(skill: string): SkillDiagnostic {
  return {
    code: 'snippets-not-run',
    severity: 'warning',
    skill,
    message: `The commands in the body of ${JSON.stringify(skill)} did not run: its instructions stand in the system prompt.`,
    fix: "Use surface: { instructions: 'tool-result' }, or give the skill another surface mode.",
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

/** Returns the event that binds a conversation to a skill: its identity, content and texts. */
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
