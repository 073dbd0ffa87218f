import type { RecordedPart, RecordedTurn } from './recording.ts';

/** One step of a conversation that somebody makes up. */
export type ConversationStep =
  | { readonly kind: 'say'; readonly text: string }
  | { readonly kind: 'answer'; readonly text: string }
  | { readonly kind: 'load' | 'unload'; readonly skill: string }
  | { readonly kind: 'read'; readonly skill: string; readonly path: string }
  | { readonly kind: 'call'; readonly tool: string; readonly answer: string };

/** The steps as turns of a recording; playing them fills in the answers of skills. */
export function stepTurns(steps: readonly ConversationStep[]): RecordedTurn[] {
  return steps.flatMap((step, index): RecordedTurn[] => {
    if (step.kind === 'say') return [{ role: 'user', text: step.text }];
    if (step.kind === 'answer') return [{ role: 'assistant', parts: [{ type: 'text', text: step.text }] }];
    const call = callOf(step, `call_${index + 1}`);
    return [
      { role: 'assistant', parts: [call] },
      { role: 'tool', results: [{ id: call.id, tool: call.tool, output: step.kind === 'call' ? step.answer : '' }] },
    ];
  });
}

function callOf(step: Exclude<ConversationStep, { readonly text: string }>, id: string): Extract<RecordedPart, { type: 'call' }> {
  switch (step.kind) {
    case 'load':
      return { type: 'call', id, tool: 'load_skill', input: { name: step.skill } };
    case 'unload':
      return { type: 'call', id, tool: 'unload_skill', input: { name: step.skill } };
    case 'read':
      return { type: 'call', id, tool: 'read_skill_file', input: { skill: step.skill, path: step.path } };
    case 'call':
      return { type: 'call', id, tool: step.tool, input: {} };
  }
}
