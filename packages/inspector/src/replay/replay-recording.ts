import { readRecording } from '../recording/read-recording.ts';
import type { SkillProvider } from '@repertoire/skills-core';
import { loadFramework } from '../frameworks/load-framework.ts';
import { answerKey, type ReplayedRequest } from '../frameworks/framework-replay.ts';
import { defaultSettings, skillsetOf, type PromptSettings } from '../prompt/prompt-settings.ts';
import { callsOf, type Recording } from '../recording/recording.ts';
import { hostToolsOf } from './host-tools.ts';
import { overlayProvider, type SkillOverlay } from './overlay-provider.ts';

/** Options of {@link replayRecording}. */
export interface ReplayOptions {
  /** What the model gets its skills through, and how. @default those of the page */
  readonly settings?: Partial<PromptSettings> | undefined;
  /** What if this skill had been different? @default no skill is */
  readonly overlay?: SkillOverlay | undefined;
  /** Gives the work up; it rejects with `signal.reason`. @default never aborted */
  readonly signal?: AbortSignal | undefined;
}

/** An answer of a skill tool that is not the one that was recorded. */
export interface ChangedAnswer {
  /** Index of the turn with the call. */
  readonly turn: number;
  readonly id: string;
  readonly tool: string;
  readonly recorded: string;
  readonly now: string;
}

/** A conversation that was played again. */
export interface Replay {
  /** Every request, in order: exactly what the model was given. */
  readonly requests: readonly ReplayedRequest[];
  /** How many answers of skill tools were compared with the recorded ones. */
  readonly compared: number;
  /** Those that differ: the skills are not what they were. */
  readonly changed: readonly ChangedAnswer[];
}

/**
 * Plays a recorded conversation again, through the real adapter of a framework: the model says what
 * it said then, the tools of the host answer what they answered then, and the skills answer what
 * they answer now. Over a source that is locked to the bytes of then (`lockedProvider`), every
 * request is byte for byte the one that was sent.
 *
 * @param from the recording as text: messages, checkpoints, or transcripts of other agents, in JSON
 *   or JSON Lines
 * @throws {SkillError} `invalid-options` for a framework that is not installed, or an overlay that
 *   is no skill; what reading the text throws, and what the provider rejects with
 * @example
 * ```ts
 * import { replayRecording } from '@repertoire/inspector';
 * import type { SkillProvider } from '@repertoire/skills-core';
 *
 * export async function systemPromptOf(provider: SkillProvider, transcript: string): Promise<string | undefined> {
 *   const { requests } = await replayRecording(provider, transcript, { settings: { framework: 'ai-sdk' } });
 *   return requests[0]?.system;
 * }
 * ```
 */
export async function replayRecording(provider: SkillProvider, from: string | Recording, options: ReplayOptions = {}): Promise<Replay> {
  const { overlay, signal } = options;
  const recording = typeof from === 'string' ? readRecording(from) : from;
  const settings: PromptSettings = {
    ...defaultSettings,
    ...(recording.instructions !== undefined && { instructions: recording.instructions }),
    ...options.settings,
  };
  const skillset = skillsetOf(overlay === undefined ? provider : overlayProvider(provider, overlay), settings);
  const play = await loadFramework(settings.framework);
  const { requests, answers } = await play({ recording, skillset, settings, tools: hostToolsOf(recording, skillset), signal });
  const skillTools = new Set<string>(Object.values(skillset.toolNames));
  // What was made up was never answered.
  const turns = recording.format === 'steps' ? [] : recording.turns;
  const recorded = turns.flatMap((turn, index) =>
    callsOf(turn).flatMap(({ id, tool }) => {
      if (!skillTools.has(tool)) return [];
      const result = resultAfter(recording, index, id);
      const now = answers.get(answerKey(index, id));
      return result === undefined || now === undefined ? [] : [{ turn: index, id, tool, recorded: result, now }];
    }),
  );
  return { requests, compared: recorded.length, changed: recorded.filter((answer) => answer.recorded !== answer.now) };
}

function resultAfter({ turns }: Recording, index: number, id: string): string | undefined {
  for (const turn of turns.slice(index + 1)) {
    if (turn.role !== 'tool') return undefined;
    const found = turn.results.find((result) => result.id === id);
    if (found !== undefined) return found.output;
  }
  return undefined;
}
