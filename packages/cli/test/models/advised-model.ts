import { scriptedModel, type ScriptedModel } from '@repertoire/skills-testkit/ai-sdk';

/** Loads the skill `sql-tuning` where the catalog has it, and does what its instructions say; without it, it knows a little. */
export function model(): ScriptedModel {
  return scriptedModel((call) => {
    const text = JSON.stringify(call.prompt);
    if (call.prompt.some(({ role }) => role === 'tool')) return { text: /Answer: ([A-Z ]+)\./.exec(text)?.[1] ?? 'CREATE INDEX' };
    if (!text.includes('name=\\"sql-tuning\\"')) return { text: 'I do not know.' };
    return { toolCalls: [{ toolName: 'load_skill', input: { name: 'sql-tuning' } }] };
  });
}
