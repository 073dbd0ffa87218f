import { callsOf, type RecordedResult } from '../recording/recording.ts';
import { isAnswered, type ConversationRun, type PlayedAnswer } from './conversation-runs.ts';

/** Says what the model and the host's tools of a recording said, turn by turn. */
export interface TurnPlayer {
  /** The next answer of the model; `null` where the recording ends. */
  next(): PlayedAnswer | null;
  /** What was recorded for a call of the answer that was played last. */
  resultOf(id: string): RecordedResult | undefined;
  /** The answer that was played last. */
  readonly current: PlayedAnswer | null;
  begin(run: ConversationRun): void;
  /** Whether the last answer left calls open, so that what follows is made up. */
  readonly isOpenEnded: boolean;
}

export function turnPlayer(): TurnPlayer {
  let answers: readonly PlayedAnswer[] = [];
  let at = 0;
  let current: PlayedAnswer | null = null;
  return {
    begin(run) {
      answers = run.answers;
      at = 0;
    },
    next() {
      const answer = answers[at] ?? null;
      at += 1;
      if (answer !== null) current = answer;
      return answer;
    },
    resultOf: (id) => current?.results.find((result) => result.id === id),
    get current() {
      return current;
    },
    get isOpenEnded() {
      return current !== null && callsOf(current.answer).length > 0 && !isAnswered(current);
    },
  };
}
