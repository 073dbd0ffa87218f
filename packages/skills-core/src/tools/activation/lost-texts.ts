import type { OptionRules } from '../../contract/known-options.ts';
import { identityOf } from '../../events/session-events.ts';
import { contentElement, frame, readFrame } from '../../prompt/frames.ts';
import { cutSkillText, untrustedContentText } from '../../prompt/model-texts.ts';
import type { SkillRefreshPolicy } from '../../state/refresh.ts';
import { loadedSkill, loadedSkillNames, type SkillEvent, type SkillState } from '../../state/skill-state.ts';
import { hashText } from '../../providers/digest/hash-text.ts';
import type { OpenedApprovals } from '../approvals/session-approvals.ts';
import type { SessionHooks, SkillToolHost } from '../tool-host.ts';
import { isDenied, notRestored, type OmittedSkill, type SkillInstructions } from './skill-instructions.ts';

/** What those who restore, renew and view skills use of a session. */
export interface SessionInside {
  readonly host: SkillToolHost;
  readonly instructions: SkillInstructions;
  readonly hooks: SessionHooks | undefined;
  readonly approvals: OpenedApprovals | undefined;
  readonly refresh: SkillRefreshPolicy | undefined;
  /** Whether the host says which skills there are, so that an earlier answer proves nothing. */
  readonly asksHost: boolean;
  /** Estimates the tokens of a text. */
  countTokens(text: string): number;
}

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

/** With fewer tokens than this, a piece of a skill is useless. */
const leastTokens = 50;

/**
 * Renders loaded skills that were compacted away. The budget is spent on the most recently loaded
 * first; results are in load order. Skills whose body stands in the system prompt need nothing.
 */
export async function lostTexts(session: SessionInside, state: SkillState, options: LostTextsOptions = {}): Promise<LostTexts> {
  const { host, instructions, countTokens } = session;
  const { tokenBudget = 25_000, perSkill = 5_000, signal } = options;
  const wanted = options.names ?? loadedSkillNames(state).filter((name) => loadedSkill(state, name)?.inContext === false);
  const order = loadedSkillNames(state).filter((name) => wanted.includes(name) && !instructions.standsInPrompt(state, name));
  const omitted: OmittedSkill[] = [];
  const skills: RestoredText[] = [];
  let room = tokenBudget;
  for (const name of order.toReversed()) {
    const limit = Math.min(room, perSkill);
    const found = limit < leastTokens ? ({ reason: 'budget' } as const) : await render(session, state, name, signal);
    const text = 'reason' in found ? '' : fit(session, found.text, name, limit);
    const tokens = countTokens(text);
    // Not even its frame and the notes in it may fit.
    if ('reason' in found || tokens > limit) {
      omitted.unshift({ name, reason: 'reason' in found ? found.reason : 'budget' });
      continue;
    }
    room -= tokens;
    const cut = text !== found.text;
    const events = [{ type: 'given', name, text: `${cut ? '~' : ''}${hashText(text)}` }] as const;
    skills.unshift({ name, input: inputOf(state, name), text, cut, events });
    await host.events.emitText(text, (measured) => ({ type: 'skill_restored', ...measured, cut, ...identityOf(found.skill) }));
  }
  for (const one of omitted) host.events.report(notRestored(one));
  return { skills, omitted };
}

async function render({ instructions }: SessionInside, state: SkillState, name: string, signal: AbortSignal | undefined) {
  try {
    const found = await instructions.again(state, name, 'restored', signal);
    return 'changed' in found ? ({ reason: found.changed === 'gone' ? 'gone' : 'changed' } as const) : found;
  } catch (error) {
    signal?.throwIfAborted();
    return { reason: isDenied(error) ? 'denied' : 'failed' } as const;
  }
}

/**
 * Cuts at the last line that fits, by halving: estimating tokens is cheap, rendering is pure. The
 * frame says that it is cut.
 */
function fit({ host, countTokens }: SessionInside, text: string, name: string, limit: number): string {
  if (countTokens(text) <= limit) return text;
  const attributes = readFrame(contentElement, text) ?? { name };
  const lines = text.split('\n').slice(1, -1);
  // The notice stands behind the instructions, so it would be the first to go.
  const notice = attributes['trust'] === 'untrusted' ? ['', untrustedContentText] : [];
  const upTo = (count: number) =>
    frame(
      contentElement,
      { ...attributes, cut: 'true' },
      [...lines.slice(0, count), cutSkillText(name, host.names.load), ...notice].join('\n'),
    );
  let [low, high] = [0, lines.length - 1];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (countTokens(upTo(middle)) <= limit) low = middle;
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
