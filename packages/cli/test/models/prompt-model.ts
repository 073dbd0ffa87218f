import { scriptedModel, type ScriptedModel } from '@repertoire/skills-testkit/ai-sdk';

/** Says its system prompt. */
export function model(): ScriptedModel {
  return scriptedModel((call) => ({
    text: call.prompt.flatMap((message) => (message.role === 'system' ? [message.content] : [])).join('\n'),
  }));
}
