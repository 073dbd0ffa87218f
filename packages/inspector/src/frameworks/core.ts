import type { SkillToolContext, SkillTranscriptEntry } from '@repertoire/skills-core/adapter';
import { conversationRuns, isAnswered, type PlayedAnswer } from '../replay/conversation-runs.ts';
import { callsOf } from '../recording/recording.ts';
import { answerKey, type FrameworkReplay, type ReplayedRequest, type ReplayInput } from './framework-replay.ts';

/**
 * Plays a recording on a session alone, without any framework: the system prompt, the skill tools
 * and their answers are what every adapter works with; messages have a plain shape of their own,
 * and no tool is hidden. Nothing has to be installed for it.
 */
export async function replayCore({ recording, skillset, settings, tools, signal }: ReplayInput): Promise<FrameworkReplay> {
  const session = await skillset.open({ availableTools: tools.map(({ name }) => name), signal });
  const requests: ReplayedRequest[] = [];
  const answers = new Map<string, string>();
  const transcript: SkillTranscriptEntry[] = [];
  const messages: string[] = [];
  const system = session.instructions(settings.instructions);
  const offered = [...session.tools, ...tools].map(({ name, description, inputSchema }) =>
    JSON.stringify({ name, description, inputSchema }),
  );
  let length = 0;
  const say = (message: object, text: string): void => {
    messages.push(JSON.stringify(message));
    length += session.lengthOf(text);
  };
  const ask = (turn: number | null): void => void requests.push({ system, tools: offered, messages: [...messages], turn });

  async function answer({ turn, answer: said, results }: PlayedAnswer): Promise<void> {
    const state = session.state(transcript);
    const at = length;
    say({ role: 'assistant', content: said.parts.map(({ metadata: _metadata, ...part }) => part) }, JSON.stringify(said.parts));
    for (const call of callsOf(said)) {
      const recorded = results.find(({ id }) => id === call.id);
      const own = session.tools.find(({ name }) => name === call.tool);
      if (own === undefined && recorded === undefined) continue;
      const context: SkillToolContext = { state, at, callId: call.id, signal };
      const refusal = own === undefined ? await session.judgeCall(state, { tool: call.tool, input: call.input }) : undefined;
      const output =
        refusal?.decision === 'denied'
          ? String(refusal.error)
          : ((await own?.execute(call.input, context))?.text ?? recorded?.output ?? '');
      answers.set(answerKey(turn, call.id), output);
      if (own !== undefined) transcript.push({ tool: call.tool, input: call.input, output, at });
      say({ role: 'tool', id: call.id, tool: call.tool, content: output }, output);
    }
  }

  let last: PlayedAnswer | undefined;
  for (const run of conversationRuns(recording)) {
    for (const { text } of run.user) say({ role: 'user', content: text }, text);
    for (const played of run.answers) {
      signal?.throwIfAborted();
      ask(played.turn);
      await answer(played);
      last = played;
    }
    if (run.answers.length === 0) last = undefined;
  }
  // The conversation waits for the model: after a person's message, or after tool results.
  const waits = last === undefined ? messages.length > 0 : callsOf(last.answer).length > 0 && isAnswered(last);
  if (waits) ask(null);
  return { requests, answers };
}
