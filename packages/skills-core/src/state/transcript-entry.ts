import type { SkillToolNames } from '../prompt/tool-names.ts';
import type { SkillActivation, SkillState } from './skill-state.ts';

/** One finished tool call of a conversation, in no framework's shape. */
export interface SkillTranscriptEntry {
  /** Name of the tool that was called. */
  readonly tool: string;
  /** What it was called with. */
  readonly input: unknown;
  /** The text that the model got. */
  readonly output: string;
  /** Tokens before this result; a refresh policy needs it. */
  readonly at?: number | undefined;
}

/** Options of `skillStateFromTranscript`. */
export interface SkillTranscriptOptions {
  /** Names of the skill tools, if they were renamed. @default the default names */
  readonly toolNames?: SkillToolNames | undefined;
  /** How many skills are active at once. @default 'cumulative' */
  readonly activation?: SkillActivation | undefined;
  /**
   * What a server or a checkpoint saved. It decides what is loaded, and the transcript, which may
   * have been cut or forged, only which of it still stands in the context.
   * @default nothing: the transcript decides
   */
  readonly state?: SkillState | undefined;
}
