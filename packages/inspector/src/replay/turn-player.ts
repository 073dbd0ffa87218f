import { answerKey, type FrameworkReplay, type ReplayedRequest } from '../frameworks/framework-replay.ts';
import type { ModelRequest } from '../frameworks/model-request.ts';
import { callsOf, type Recording, type RecordedResult, type RecordingFormat } from '../recording/recording.ts';
import { isAnswered, type ConversationRun, type PlayedAnswer } from './conversation-runs.ts';

/** Says what the model and the host's tools of a recording said, and notes what they were given. */
export interface TurnPlayer extends FrameworkReplay {
  /**
   * Whether the recording is of this framework: what another keeps of a message is no message here.
   */
  readonly isOwn: boolean;
  begin(run: ConversationRun): void;
  /** The next answer of the model to this request; `null` where the recording ends. */
  answer(request: ModelRequest): PlayedAnswer | null;
  /** What was recorded for a call of the answer that was played last. */
  resultOf(id: string): RecordedResult | undefined;
  /** The same as a text. */
  outputOf(id: string): string;
  /** Notes what a tool answered now to a call of the answer that was played last. */
  note(id: string, output: string): void;
}

/** Plays a recording for a framework whose own recordings have this format. */
export function turnPlayer(recording: Recording, format: RecordingFormat): TurnPlayer {
  const requests: ReplayedRequest[] = [];
  const answers = new Map<string, string>();
  let left: readonly PlayedAnswer[] = [];
  let current: PlayedAnswer | null = null;
  const resultOf = (id: string): RecordedResult | undefined => current?.results.find((result) => result.id === id);
  return {
    requests,
    answers,
    isOwn: recording.format === format,
    begin(run) {
      left = run.answers;
    },
    answer(request) {
      // If the last answer left calls open, what follows is made up.
      const isOpenEnded = current !== null && callsOf(current.answer).length > 0 && !isAnswered(current);
      const [played = null, ...rest] = left;
      left = rest;
      if (played !== null || !isOpenEnded) requests.push({ ...request, turn: played?.turn ?? null });
      current = played ?? current;
      return played;
    },
    resultOf,
    outputOf: (id) => resultOf(id)?.output ?? 'The recording has no answer to this call.',
    note(id, output) {
      if (current !== null) answers.set(answerKey(current.turn, id), output);
    },
  };
}
