import { scriptedModel, type ScriptedModel, type ScriptedModelCall, type ScriptedTurn } from '@repertoire/skills-testkit/ai-sdk';

/** Stands in for a language model where there is no key for one: it loads the skill, and calls the tool for each order that is named. */
export function standInModel(): ScriptedModel {
  return scriptedModel(standInTurn);
}

export function standInTurn(call: ScriptedModelCall): ScriptedTurn {
  const [said, since] = lastWords(call);
  if (!/refund|money/i.test(said)) return { text: 'I can pay money back. Which order?' };
  const order = /\b[A-Z]-\d+\b/.exec(said)?.[0];
  if (!JSON.stringify(call.prompt).includes('"load_skill"')) return { toolCalls: [{ toolName: 'load_skill', input: { name: 'refunds' } }] };
  if (order === undefined) return { text: 'Which order?' };
  const amount = Number(/\d+/.exec(said.replace(order, ''))?.[0] ?? '40');
  if (!since.includes('"toolName":"refund"'))
    return { toolCalls: [{ toolName: 'refund', toolCallId: `refund-${crypto.randomUUID()}`, input: { order, amount } }] };
  if (since.includes('outcome of this call is unknown')) return { text: 'Nobody knows whether it was paid. Shall I ask the bank?' };
  return { text: since.includes('idempotencyKey') ? `I have refunded ${amount} for order ${order}.` : 'Then I do not pay.' };
}

/** What the person said last, and all that came after. */
function lastWords({ prompt }: ScriptedModelCall): readonly [said: string, since: string] {
  const at = prompt.findLastIndex(({ role }) => role === 'user');
  const last = prompt[at];
  const said = last?.role === 'user' ? last.content.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join(' ') : '';
  return [said, JSON.stringify(prompt.slice(at + 1))];
}
