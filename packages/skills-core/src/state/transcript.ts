import { contentElement, readFrame, unloadedElement } from '../prompt/frames.ts';
import { defaultSkillToolNames, type SkillToolNames } from '../tools/tool-names.ts';
import { fingerprint } from './fingerprint.ts';
import { emptySkillState, reduceSkillState, type SkillEvent, type SkillState } from './skill-state.ts';

/** One finished tool call of a conversation, in no framework's shape. */
export interface SkillTranscriptEntry {
  /** Name of the tool that was called. */
  readonly tool: string;
  /** What it was called with. */
  readonly input: unknown;
  /** The text that the model got. */
  readonly output: string;
}

/** Options of {@link skillStateFromTranscript}. */
export interface SkillTranscriptOptions {
  /** Names of the skill tools, where they were renamed. @default the default names */
  readonly toolNames?: SkillToolNames | undefined;
}

/**
 * The state that a conversation is in, from nothing but its own tool calls, oldest first: what a server that remembers nothing uses. Calls that failed, were
 * denied, or belong to other tools change nothing.
 *
 * A transcript is evidence only where it is trusted: one that comes from a browser can be forged.
 *
 * @example
 * ```ts
 * import { loadedSkillNames, skillStateFromTranscript, type SkillTranscriptEntry } from '@repertoire/skills-core';
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
    return event === null ? state : reduceSkillState(state, event);
  }, emptySkillState);
}

/** What a finished tool call did to the state; `null` where nothing. The name comes from the result, since the model may have spelled it otherwise. */
export function eventOf({ tool, input, output }: SkillTranscriptEntry, names: SkillToolNames): SkillEvent | null {
  if (tool === names.load) {
    const attributes = readFrame(contentElement, output);
    if (attributes?.['name'] === undefined) return null;
    return loadedEvent(attributes['name'], attributes['version'], argumentsOf(input), output);
  }
  if (tool === names.unload) {
    const name = readFrame(unloadedElement, output)?.['name'];
    return name === undefined ? null : { type: 'unloaded', name };
  }
  return null;
}

/** The event of a skill whose text the model got: the same, whether it is made at the call or read from the transcript later. */
export function loadedEvent(name: string, version: string | undefined, skillArguments: string | undefined, text: string): SkillEvent {
  return {
    type: 'loaded',
    name,
    ...(version !== undefined && { version }),
    ...(skillArguments !== undefined && { arguments: skillArguments }),
    digest: fingerprint(text),
  };
}

function argumentsOf(input: unknown): string | undefined {
  if (typeof input !== 'object' || input === null || !Object.hasOwn(input, 'arguments')) return undefined;
  const value = (input as { readonly arguments: unknown }).arguments;
  return typeof value === 'string' && value.trim() !== '' ? value : undefined;
}
