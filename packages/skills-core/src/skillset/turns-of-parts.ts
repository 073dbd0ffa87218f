import type { SkillState } from '../state/skill-state.ts';
import type { SkillTranscriptEntry } from '../state/transcript-entry.ts';
import type { SkillSession } from './skill-session.ts';
import type { RestoredSkill, SkillTurn } from './restore-skills.ts';

/** A part of a message, as an adapter reads it from its framework's messages. */
export type TurnPart =
  /** The model begins to answer. */
  | { readonly type: 'step' }
  | { readonly type: 'text'; readonly text: string }
  /** `written`: what the model wrote. @default the JSON of `input` */
  | { readonly type: 'call'; readonly id: string; readonly tool: string; readonly input: unknown; readonly written?: string | undefined }
  /**
   * `text` is missing if the result was a failure; `read` is what the model read in any case. A
   * result with a `tool` answers only a call of that tool.
   */
  | {
      readonly type: 'result';
      readonly id: string;
      readonly tool?: string | undefined;
      readonly text?: string | undefined;
      readonly read: string;
    };

/** A message as its parts, in order. */
export interface TurnParts {
  readonly role: SkillTurn['role'];
  readonly parts: readonly TurnPart[];
}

/** Measures texts: a session. */
export interface Measure {
  lengthOf(text: string): number;
}

/**
 * Returns the messages of a conversation: the finished tool calls of each, and its length if
 * something measures it. A call that failed, was denied or has no result yet is not finished. A
 * result without its call is ignored, and so are calls and results in messages of a person or of
 * the system.
 */
export function turnsOfParts(messages: readonly TurnParts[], measure?: Measure): SkillTurn[] {
  const open = new Map<string, Pick<SkillTranscriptEntry, 'tool' | 'input'> & { readonly at: number }>();
  let [tokens, step] = [0, 0];
  return messages.map(({ role, parts }): SkillTurn => {
    const entries: SkillTranscriptEntry[] = [];
    const callIds: string[] = [];
    const before = tokens;
    for (const part of parts) {
      if (part.type === 'step') step = tokens;
      if (part.type === 'text') tokens += measure?.lengthOf(part.text) ?? 0;
      if (part.type === 'call') {
        const { id, tool, input } = part;
        tokens += measure?.lengthOf(part.written ?? textOf(input)) ?? 0;
        // Only a model makes calls. A client may write what it likes into messages of a person.
        if (role !== 'assistant') continue;
        // All calls in a step share the step's start offset, matching `SkillToolContext.at`.
        open.set(id, { tool, input, at: step });
        callIds.push(id);
      }
      if (part.type === 'result') {
        const { id, tool, text } = part;
        tokens += measure?.lengthOf(part.read) ?? 0;
        if (role !== 'assistant' && role !== 'tool') continue;
        const call = open.get(id);
        // Some models number calls anew in each turn: an id refers to its latest call.
        open.delete(id);
        if (call === undefined || text === undefined || (tool ?? call.tool) !== call.tool) continue;
        entries.push({ tool: call.tool, input: call.input, output: text, ...(measure !== undefined && { at: call.at }) });
      }
    }
    return { role, entries, callIds, ...(measure !== undefined && { tokens: tokens - before }) };
  });
}

/** Returns the finished tool calls of a conversation. */
export function entriesOfTurns(turns: readonly SkillTurn[]): SkillTranscriptEntry[] {
  return turns.flatMap(({ entries }) => entries);
}

/** Returns what a conversation has loaded, in a session. */
export function stateOfTurns(session: Pick<SkillSession, 'state'>, turns: readonly SkillTurn[], saved?: SkillState): SkillState {
  return session.state(entriesOfTurns(turns), saved);
}

/** Returns the messages with those that each skill becomes, at its place. */
export function withInserted<Message, Skill extends Pick<RestoredSkill, 'before'>>(
  messages: readonly Message[],
  skills: readonly Skill[],
  messagesOf: (skill: Skill) => readonly Message[],
): Message[] {
  const before = (index: number) => skills.filter((skill) => skill.before === index).flatMap(messagesOf);
  return [...messages.flatMap((message, index) => [...before(index), message]), ...before(messages.length)];
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
}
