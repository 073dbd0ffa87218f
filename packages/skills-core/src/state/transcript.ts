import { contentElement, readFrame, unloadedElement } from '../prompt/frames.ts';
import { defaultSkillToolNames, type SkillToolNames } from '../prompt/tool-names.ts';
import { hashText } from '../providers/digest/hash-text.ts';
import { emptySkillState, type SkillEvent, type SkillState } from './skill-state.ts';
import { SkillStateFold } from './skill-state-fold.ts';
import { skillStateInContext } from './state-in-context.ts';
import type { SkillTranscriptEntry, SkillTranscriptOptions } from './transcript-entry.ts';

/**
 * Derives the state of a conversation from its tool calls alone, oldest first, for a stateless
 * server. Calls that failed, were denied, or belong to other tools change nothing. The time is
 * linear in the length of the transcript.
 *
 * A transcript is evidence only where it is trusted: one that comes from a browser can be forged.
 * What a text says of itself is compared with the source before it opens anything. That catches
 * edits and deployments, not a forger who knows the revision: keep the state on the server, or seal
 * it, where that matters.
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
  if (options.state !== undefined) return skillStateInContext(options.state, entries, options);
  const names = options.toolNames ?? defaultSkillToolNames;
  const fold = new SkillStateFold(emptySkillState, options.activation);
  for (const entry of entries) {
    const event = eventOf(entry, names);
    if (event !== null) fold.add(event);
  }
  return fold.state;
}

/** The effect of a finished call, or `null`. The result has the exact name. */
export function eventOf({ tool, input, output, at }: SkillTranscriptEntry, names: SkillToolNames): SkillEvent | null {
  if (tool === names.load) {
    const attributes = readFrame(contentElement, output);
    if (attributes?.['name'] === undefined || attributes['withdrawn'] !== undefined) return null;
    const skillArguments = argumentsOf(input);
    return {
      type: 'loaded',
      name: attributes['name'],
      source: attributes['source'] ?? '',
      version: attributes['version'] ?? null,
      revision: attributes['revision'] ?? '',
      // The answer to a load whose text stands already has none of its own.
      ...(attributes['unchanged'] === undefined && { texts: [hashText(output)] }),
      ...(skillArguments !== undefined && { arguments: skillArguments }),
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

/** The arguments of a load, if it has any. */
export function argumentsOf(input: unknown): string | undefined {
  if (typeof input !== 'object' || input === null || !Object.hasOwn(input, 'arguments')) return undefined;
  const value = (input as { readonly arguments: unknown }).arguments;
  return typeof value === 'string' && value.trim() !== '' ? value : undefined;
}
