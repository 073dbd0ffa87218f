import assert from 'node:assert/strict';
import { MemorySaver } from '@langchain/langgraph';
import { skillsMiddleware } from '@repertoire/adapter-langchain';
import { loadedSkills } from '@repertoire/adapter-langchain/langgraph';
import { scriptedModel } from '@repertoire/skills-testkit/langchain';
import { createAgent } from 'langchain';
import { shopTools, skillset } from './shop-skills.ts';

/**
 * An agent of `createAgent` whose tools open with its skills. It uses a scripted model, so it runs
 * offline; replace it with your own.
 */
export async function runSupportAgent(tell: (line: string) => void): Promise<void> {
  const { done, tools } = shopTools();
  const model = scriptedModel([
    { toolCalls: [{ toolName: 'pay_back', input: { order: 'A-17', amount: 40 } }] },
    { toolCalls: [{ toolName: 'load_skill', input: { name: 'refunds' } }] },
    { toolCalls: [{ toolName: 'read_skill_file', input: { skill: 'refunds', path: 'references/limits.md' } }] },
    { toolCalls: [{ toolName: 'pay_back', input: { order: 'A-17', amount: 40 } }] },
    { text: '40 is on its way to you.' },
    { toolCalls: [{ toolName: 'unload_skill', input: { name: 'refunds' } }] },
    { toolCalls: [{ toolName: 'pay_back', input: { order: 'A-18', amount: 9 } }] },
    { text: 'I cannot do that now.' },
  ]);
  const agent = createAgent({
    model,
    systemPrompt: 'You are a support agent.',
    checkpointer: new MemorySaver(),
    middleware: [skillsMiddleware(skillset, { tools })],
  });

  const thread = { configurable: { thread_id: 'customer-1' }, recursionLimit: 50 };
  const first = await agent.invoke({ messages: [{ role: 'user', content: 'I want 40 back for A-17.' }] }, thread);
  for (const message of first.messages) tell(`${message.type}: ${message.text.split('\n', 1)[0] ?? ''}`);
  // The first call came before the skill was loaded, and was refused.
  assert.deepEqual(done, ['paid 40 back for A-17']);
  assert.deepEqual(
    loadedSkills(first).map(({ name }) => name),
    ['refunds'],
  );

  // The next turn of the same thread still has the loaded skill. Here the model unloads it, and its
  // tool closes again.
  const second = await agent.invoke({ messages: [{ role: 'user', content: 'And 9 for A-18.' }] }, thread);
  assert.deepEqual(done, ['paid 40 back for A-17']);
  assert.deepEqual(loadedSkills(second), []);
  // The prompt before the conversation never changed, so a prompt cache stays valid.
  assert.equal(new Set(model.calls.map(({ messages, toolNames }) => JSON.stringify([messages[0]?.text, toolNames]))).size, 1);
}
