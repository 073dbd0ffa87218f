import { replayCore } from '../frameworks/core.ts';
import { answerKey } from '../frameworks/framework-replay.ts';
import type { Skillset } from '@repertoire/skills-core';
import type { PromptSettings } from '../prompt/prompt-settings.ts';
import { callsOf, type Recording } from '../recording/recording.ts';
import { hostToolsOf } from './host-tools.ts';

/** Fills in what skills answer in a made-up conversation. Other recordings stay as they are. */
export async function fillAnswers(
  recording: Recording,
  skillset: Skillset,
  settings: PromptSettings,
  signal: AbortSignal,
): Promise<Recording> {
  if (recording.format !== 'steps') return recording;
  const { answers } = await replayCore({ recording, skillset, settings, tools: hostToolsOf(recording, skillset), signal });
  let asked = -1;
  const turns = recording.turns.map((turn, index) => {
    if (callsOf(turn).length > 0) asked = index;
    if (turn.role !== 'tool') return turn;
    return {
      ...turn,
      results: turn.results.map((result) => ({ ...result, output: answers.get(answerKey(asked, result.id)) ?? result.output })),
    };
  });
  return { ...recording, turns };
}
