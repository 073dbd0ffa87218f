import { contentElement, readFrame, unloadedElement } from '../prompt/frames.ts';
import { defaultSkillToolNames, type SkillToolNames } from '../prompt/tool-names.ts';
import { fingerprint } from './fingerprint.ts';
import { emptySkillState, reduceSkillState, type SkillActivation, type SkillEvent, type SkillState } from './skill-state.ts';

/** One finished tool call of a conversation, in no framework's shape. */
export interface SkillTranscriptEntry {
  /** Name of the tool that was called. */
  readonly tool: string;
  /** What it was called with. */
  readonly input: unknown;
  /** The text that the model got. */
  readonly output: string;
  /** Tokens of the conversation before this result, where the host counts them; a refresh policy needs it. */
  readonly at?: number | undefined;
}

/** Options of {@link skillStateFromTranscript}. */
export interface SkillTranscriptOptions {
  /** Names of the skill tools, if they were renamed. @default the default names */
  readonly toolNames?: SkillToolNames | undefined;
  /** How many skills are active at once. @default 'cumulative' */
  readonly activation?: SkillActivation | undefined;
}

/**
 * Derives the state of a conversation from its tool calls alone, oldest first, for a stateless server. Calls that failed, were
 * denied, or belong to other tools change nothing.
 *
 * A transcript is evidence only where it is trusted: one that comes from a browser can be forged.
 *
 * @example
 * ```ts
 * import { loadedSkillNames, skillStateFromTranscript, type SkillTranscriptEntry } from '@repertoire/skills-core/adapter';
 *
 * export function loadedIn(entries: readonly SkillTranscriptEntry[]): string[] {
 *   return loadedSkillNames(skillStateFromTranscript(entries));
 * }
 * ```
 */
export function skillStateFromTranscript(entries: readonly SkillTranscriptEntry[], options: SkillTranscriptOptions = {}): SkillState {
  const names = options.toolNames ?? defaultSkillToolNames;
  return entries.reduce((state, entry) => {
    const event = eventOf(entry, names);
    return event === null ? state : reduceSkillState(state, event, options.activation);
  }, emptySkillState);
}

/** What a finished tool call did to the state; `null` for nothing. The name comes from the result, because the model may have spelled it otherwise. */
export function eventOf({ tool, input, output, at }: SkillTranscriptEntry, names: SkillToolNames): SkillEvent | null {
  if (tool === names.load) {
    const attributes = readFrame(contentElement, output);
    if (attributes?.['name'] === undefined || attributes['withdrawn'] !== undefined) return null;
    const skillArguments = argumentsOf(input);
    return {
      type: 'loaded',
      name: attributes['name'],
      version: attributes['version'] ?? null,
      ...(skillArguments !== undefined && { arguments: skillArguments }),
      revision: attributes['revision'] ?? '',
      // A text whose commands ran differs each time; what its author wrote does not.
      fingerprint: attributes['written'] ?? fingerprint(output),
      ...(attributes['cut'] !== undefined && { cut: true as const }),
      ...(attributes['trust'] === 'untrusted' && { untrusted: true as const }),
      ...(at !== undefined && { at }),
    };
  }
  if (tool === names.unload) {
    const name = readFrame(unloadedElement, output)?.['name'];
    return name === undefined ? null : { type: 'unloaded', name };
  }
  return null;
}

function argumentsOf(input: unknown): string | undefined {
  if (typeof input !== 'object' || input === null || !Object.hasOwn(input, 'arguments')) return undefined;
  const value = (input as { readonly arguments: unknown }).arguments;
  return typeof value === 'string' && value.trim() !== '' ? value : undefined;
}
