import { aiSdkSkills } from '@repertoire/adapter-vercel-ai';
import { createSkillset } from '@repertoire/skills-core';
import { scriptedModel } from '@repertoire/skills-testkit/ai-sdk';
import { generateText, isStepCount } from 'ai';
import { exampleSkills } from './library.ts';

/** A conversation through the AI SDK, as a server would have stored it: a load, a file that is not there, another load, an answer. */
export async function recordedConversation(): Promise<string> {
  const instructions = 'You are a senior engineer.';
  const skills = await aiSdkSkills(createSkillset({ provider: exampleSkills() }));
  const call = (toolCallId: string, toolName: string, input: unknown) => ({ toolCalls: [{ toolCallId, toolName, input }] });
  const model = scriptedModel([
    call('call_1', 'load_skill', { name: 'sql-tuning' }),
    call('call_2', 'read_skill_file', { skill: 'sql-tuning', path: 'references/none.md' }),
    call('call_3', 'load_skill', { name: 'incident-report' }),
    { text: 'Add an index, then write the report.' },
  ]);
  const user = { role: 'user' as const, content: 'The page with open tickets got slow.' };
  const settings = skills.agentSettings({ instructions });
  const { responseMessages } = await generateText({ model, messages: [user], stopWhen: isStepCount(8), ...settings });
  return JSON.stringify({ messages: [user, ...responseMessages], instructions });
}
