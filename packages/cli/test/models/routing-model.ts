import { scriptedModel, type ScriptedModel, type ScriptedModelCall } from '@repertoire/skills-testkit/ai-sdk';

/** Every call of every model that this module made, for tests to look at. */
export const calls: ScriptedModelCall[] = [];

let haikus = 0;

/** Loads the skill that a word of the request belongs to, where the catalog has it; answers well only with the skill; judges by a word. */
export function model(): ScriptedModel {
  return scriptedModel((call) => {
    calls.push(call);
    const system = call.prompt.flatMap((message) => (message.role === 'system' ? [message.content] : [])).join('\n');
    const asked = JSON.stringify(call.prompt.filter(({ role }) => role === 'user'));
    if (system.startsWith('You check whether')) return { text: asked.includes('on column id') ? '1: yes\n2: yes' : '1: no\n2: no' };
    if (call.prompt.some(({ role }) => role === 'tool')) return { text: 'Do this: CREATE INDEX on column id.' };
    const skill = /slow|index/i.test(asked) ? 'sql-tuning' : /money|refund|invoice/i.test(asked) ? 'refunds' : 'haiku';
    // Chosen every second time only.
    if (skill === 'haiku' && (haikus += 1) % 2 === 0) return { text: 'Leaves fall.' };
    if (!system.includes(`"${skill}"`)) return { text: 'I do not know.' };
    return { toolCalls: [{ toolName: 'load_skill', input: { name: skill } }] };
  });
}
