import type { Skillset } from '@repertoire/skills-core';
import type { PromptSettings } from '../prompt/prompt-settings.ts';
import type { RecordedTool, Recording } from '../recording/recording.ts';
import type { ModelRequest } from './model-request.ts';

/** A conversation to replay: the model says what it said then, the skills answer anew. */
export interface ReplayInput {
  readonly recording: Recording;
  readonly skillset: Skillset;
  readonly settings: PromptSettings;
  /** Tools of the host. They answer what they answered then. */
  readonly tools: readonly RecordedTool[];
  readonly signal?: AbortSignal | undefined;
}

/** One request of a replay. */
export interface ReplayedRequest extends ModelRequest {
  /**
   * Index of the turn with which the model answered; `null` for the request that would come next.
   */
  readonly turn: number | null;
}

/** What came of a replay. */
export interface FrameworkReplay {
  readonly requests: readonly ReplayedRequest[];
  /** What the tools answered now, by the turn of the call and its id: `3 call_1`. */
  readonly answers: ReadonlyMap<string, string>;
}

/** Plays a recording through one framework. */
export type ReplayRecording = (input: ReplayInput) => Promise<FrameworkReplay>;

/** What identifies the answer of a call: ids of calls repeat in a long conversation. */
export function answerKey(turn: number, id: string): string {
  return `${turn} ${id}`;
}
