import type { BaseChatModel } from '@langchain/core/language_models/chat_models';
import { ChatOpenAI } from '@langchain/openai';
import { scriptedModel, type ScriptedChatModelCall, type ScriptedTurn } from '@repertoire/skills-testkit/langchain';
import type { Environment } from './environment.ts';

/**
 * A model of OpenAI or with its protocol if there is a key, otherwise a stand-in that costs nothing
 * and knows two tasks.
 */
export function chooseModel({ OPENAI_API_KEY: apiKey, OPENAI_BASE_URL: baseURL }: Environment): BaseChatModel {
  if (apiKey === undefined) return scriptedModel(standIn);
  return new ChatOpenAI({ model: 'gpt-5.5', apiKey, ...(baseURL !== undefined && { configuration: { baseURL } }) });
}

/**
 * Loads the skill of a task if its tool is not visible, calls the tool, and answers with the
 * result.
 */
function standIn({ messages, toolNames }: ScriptedChatModelCall): ScriptedTurn {
  const asked = messages.findLast(({ type }) => type === 'human')?.text ?? '';
  const title = /reserve (?<title>[^.!?]+)/i.exec(asked)?.groups?.['title'];
  const amount = /fee of (?<amount>[\d.]+)/i.exec(asked)?.groups?.['amount'];
  if (title !== undefined) return errand('reservations', 'reserve_copy', { title });
  if (amount !== undefined) return errand('late-fees', 'waive_fee', { amount: Number(amount), reason: asked });
  return { text: 'Say "Reserve Middlemarch", or "Waive my fee of 4: I was ill".' };

  function errand(skill: string, tool: string, input: object): ScriptedTurn {
    const last = messages.at(-1);
    if (last?.type === 'tool' && last.name === tool) return { text: last.text };
    const call = toolNames.includes(tool) ? { toolName: tool, input } : { toolName: 'load_skill', input: { name: skill } };
    return { toolCalls: [{ ...call, toolCallId: `call-${messages.length}` }] };
  }
}
