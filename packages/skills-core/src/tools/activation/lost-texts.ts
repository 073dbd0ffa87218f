import type { OptionRules } from '../../contract/known-options.ts';
import { SkillError } from '../../errors/skill-error.ts';
import type { SkillDiagnostic } from '../../contract/skill-provider.ts';
import { contentElement, frame, readFrame } from '../../prompt/frames.ts';
import { cutSkillText, untrustedContentText } from '../../prompt/model-texts.ts';
import { loadedSkill, loadedSkillNames, type SkillEvent, type SkillState } from '../../state/skill-state.ts';
import { hashText } from '../../providers/digest/hash-text.ts';
import { emitWithText } from '../emit-with-text.ts';
import { identityOf, type ToolEnvironment } from '../tool-environment.ts';
import { readPinnedSkill } from '../pinned/read-pinned-skill.ts';
import { skillTextAgain } from './skill-text.ts';
import { standsInPrompt } from './stands-in-prompt.ts';

/** The token budget for loaded skills whose text left the context. */
export interface RestoreBudget {
  /** Most tokens for all of them. @default 25000 */
  readonly tokenBudget?: number | undefined;
  /** Most tokens for one; a longer one is cut at a line, and says so. @default 5000 */
  readonly perSkill?: number | undefined;
}

/** The rules of what adapters take as their option `restore`. */
export const restoreRules: OptionRules<RestoreBudget> = { tokenBudget: 'number', perSkill: 'number' };

interface LostTextsOptions extends RestoreBudget {
  /** Which ones. @default every loaded skill that is not in the context */
  readonly names?: readonly string[] | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** A skill's text, to be restored as the result of a call of the load tool. */
export interface RestoredText {
  readonly name: string;
  /** Input of the call that the text is a result of. */
  readonly input: { readonly name: string; readonly arguments?: string; readonly version?: string };
  readonly text: string;
  /** Whether it had to be cut. */
  readonly cut: boolean;
  /** What a saved state has to record, so that the text is known as one that the host gave. */
  readonly events: readonly SkillEvent[];
}

/** What to restore, in the order in which the skills were loaded, and what had to stay out. */
interface LostTexts {
  readonly skills: readonly RestoredText[];
  /**
   * Loaded skills that did not fit, changed or are gone, with the reason. They stay loaded and can
   * be loaded again. Each is also reported as a diagnostic.
   */
  readonly omitted: readonly OmittedSkill[];
}

/**
 * A loaded skill whose text could not be restored. `changed` and `gone`: nothing takes its place.
 */
export interface OmittedSkill {
  readonly name: string;
  readonly reason: 'budget' | 'changed' | 'gone' | 'denied' | 'failed';
}

/** With fewer tokens than this, a piece of a skill is useless. */
const leastTokens = 50;

/**
 * Renders loaded skills that were compacted away. The budget is spent on the most recently loaded
 * first; results are in load order. Skills whose body stands in the system prompt need nothing.
 */
export async function lostTexts(environment: ToolEnvironment, state: SkillState, options: LostTextsOptions = {}): Promise<LostTexts> {
  const { tokenBudget = 25_000, perSkill = 5_000, signal } = options;
  const wanted = options.names ?? loadedSkillNames(state).filter((name) => loadedSkill(state, name)?.inContext === false);
  const order = loadedSkillNames(state).filter((name) => wanted.includes(name) && !standsInPrompt(environment, state, name));
  const omitted: OmittedSkill[] = [];
  const skills: RestoredText[] = [];
  let room = tokenBudget;
  for (const name of order.toReversed()) {
    const limit = Math.min(room, perSkill);
    const found = limit < leastTokens ? ({ reason: 'budget' } as const) : await render(environment, state, name, signal);
    const text = 'reason' in found ? '' : fit(environment, found.text, name, limit);
    const tokens = environment.countTokens(text);
    // Not even its frame and the notes in it may fit.
    if ('reason' in found || tokens > limit) {
      omitted.unshift({ name, reason: 'reason' in found ? found.reason : 'budget' });
      continue;
    }
    room -= tokens;
    const cut = text !== found.text;
    const events = [{ type: 'given', name, text: `${cut ? '~' : ''}${hashText(text)}` }] as const;
    skills.unshift({ name, input: inputOf(state, name), text, cut, events });
    await emitWithText(environment, text, (measured) => ({ type: 'skill_restored', ...measured, cut, ...found.identity }));
  }
  for (const one of omitted) environment.report(notRestored(one));
  return { skills, omitted };
}

async function render(environment: ToolEnvironment, state: SkillState, name: string, signal: AbortSignal | undefined) {
  try {
    const loaded = loadedSkill(state, name);
    const found = await readPinnedSkill(environment, state, name, signal);
    if ('changed' in found) return { reason: found.changed === 'gone' ? 'gone' : 'changed' } as const;
    const revision = loaded?.revision ?? '';
    const text = await skillTextAgain(environment, { ...found, given: loaded?.arguments, revision, signal }, 'restored');
    return { text, identity: identityOf(found.skill) };
  } catch (error) {
    signal?.throwIfAborted();
    return { reason: isDenied(error) ? 'denied' : 'failed' } as const;
  }
}

/** Whether the host does not let this request have a loaded skill, or nobody approved it yet. */
export function isDenied(error: unknown): boolean {
  return SkillError.isInstance(error) && (error.code === 'permission-denied' || error.code === 'needs-approval');
}

/**
 * Cuts at the last line that fits, by halving: estimating tokens is cheap, rendering is pure. The
 * frame says that it is cut.
 */
function fit(environment: ToolEnvironment, text: string, name: string, limit: number): string {
  if (environment.countTokens(text) <= limit) return text;
  const attributes = readFrame(contentElement, text) ?? { name };
  const lines = text.split('\n').slice(1, -1);
  // The notice stands behind the instructions, so it would be the first to go.
  const notice = attributes['trust'] === 'untrusted' ? ['', untrustedContentText] : [];
  const upTo = (count: number) =>
    frame(
      contentElement,
      { ...attributes, cut: 'true' },
      [...lines.slice(0, count), cutSkillText(name, environment.names.load), ...notice].join('\n'),
    );
  let [low, high] = [0, lines.length - 1];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (environment.countTokens(upTo(middle)) <= limit) low = middle;
    else high = middle - 1;
  }
  return upTo(low);
}

/** Input of the call that restores a loaded skill's text. */
export function inputOf(state: SkillState, name: string): RestoredText['input'] {
  const { arguments: skillArguments, version } = loadedSkill(state, name) ?? {};
  return {
    name,
    ...(skillArguments !== undefined && { arguments: skillArguments }),
    ...(version !== undefined && version !== null && { version }),
  };
}

/** What the host is told of it. */
export function notRestored({ name, reason }: OmittedSkill): SkillDiagnostic {
  return {
    code: 'skill-not-restored',
    severity: 'warning',
    skill: name,
    message: `The instructions of the loaded skill ${JSON.stringify(name)} could not be restored (${reason}). The skill stays loaded, and the model can load it again.`,
    fix: reason === 'budget' ? 'Give `restore` more room.' : 'Look at the source of the skill.',
  };
}
