import { callsOf, type RecordedResult, type RecordedTurn, type Recording } from '../recording/recording.ts';

/** One turn of the model, and what its calls were answered with. */
export interface PlayedAnswer {
  /** Index of the turn in the recording. */
  readonly turn: number;
  readonly answer: Extract<RecordedTurn, { role: 'assistant' }>;
  readonly results: readonly RecordedResult[];
}

/** A message of a person, and the model's answers until it calls no more tools. */
export interface ConversationRun {
  readonly user: readonly Extract<RecordedTurn, { role: 'user' }>[];
  readonly answers: readonly PlayedAnswer[];
}

/** Cuts a conversation into the runs of which it was made. */
export function conversationRuns({ turns }: Pick<Recording, 'turns'>): ConversationRun[] {
  const runs: { user: ConversationRun['user'][number][]; answers: PlayedAnswer[] }[] = [];
  for (const [index, turn] of turns.entries()) {
    const last = runs.at(-1);
    if (turn.role === 'user') {
      if (last === undefined || last.answers.length > 0) runs.push({ user: [turn], answers: [] });
      else last.user.push(turn);
    }
    if (turn.role === 'assistant') {
      const played = { turn: index, answer: turn, results: resultsAfter(turns, index) };
      const before = last?.answers.at(-1);
      const goesOn = last !== undefined && (before === undefined || callsOf(before.answer).length > 0);
      if (goesOn) last.answers.push(played);
      else runs.push({ user: [], answers: [played] });
    }
  }
  return runs;
}

/** Whether the calls of an answer all have a result: else nobody knows what comes next. */
export function isAnswered({ answer, results }: PlayedAnswer): boolean {
  const ids = new Set(results.map(({ id }) => id));
  return callsOf(answer).every(({ id }) => ids.has(id));
}

/** The results between this answer of the model and the next message. */
function resultsAfter(turns: readonly RecordedTurn[], index: number): RecordedResult[] {
  const found: RecordedResult[] = [];
  for (const turn of turns.slice(index + 1)) {
    if (turn.role !== 'tool') break;
    found.push(...turn.results);
  }
  return found;
}
