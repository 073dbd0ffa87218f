import { aiSdkSkills } from '@repertoire/adapter-vercel-ai';
import { skillPartOf } from '@repertoire/adapter-vercel-ai/ui';
import { skillsMiddleware } from '@repertoire/adapter-langchain';
import { createSkillset, type SkillDefinition } from '@repertoire/skills-core';
import { scriptedModel } from '@repertoire/skills-testkit/ai-sdk';
import { scriptedModel as scriptedChatModel } from '@repertoire/skills-testkit/langchain';
import { skillWorkflows } from '@repertoire/skill-workflow';
import { isStepCount, readUIMessageStream, streamText, toUIMessageStream } from 'ai';
import { createAgent, HumanMessage, type BaseMessage } from 'langchain';
import { describe, expect, it } from 'vitest';

const math: SkillDefinition = {
  name: 'math-workflow',
  description: 'Multi-step arithmetic workflow with automated pipeline',
  body: '# Math Workflow',
  tools: ['add-numbers'],
  steps: [
    { name: 'first-add', tool: 'add-numbers', input: { a: '$.input.a', b: '$.input.b' } },
    { name: 'second-add', tool: 'add-numbers', input: { a: '$.steps.first-add.output.result', b: '$.input.c' } },
    { name: 'summarize', prompt: 'Explain the result.', input: { final_result: '$.steps.second-add.output' } },
  ],
};
const call = { skill: 'math-workflow', input: { a: 1, b: 2, c: 3 } };

function mathSkillset() {
  return createSkillset({
    skills: [math],
    workflows: skillWorkflows({
      tools: {
        'add-numbers': ({ a, b }) => ({ result: Number(a) + Number(b) }),
      },
      generate: async ({ prompt }) => `Read: ${prompt.replaceAll(/\s+/g, ' ')}`,
    }),
  });
}

const answer = 'Read: Explain the result. <input name="final_result"> { "result": 6 } </input>';

describe('a workflow skill in an agent', () => {
  it('FLW-4: AI SDK: one call runs it, people see its progress, and the model reads the answer alone', async () => {
    const skillset = mathSkillset();
    const model = scriptedModel([
      { toolCalls: [{ toolName: 'load_skill', input: { name: 'math-workflow' } }] },
      { toolCalls: [{ toolName: 'run_skill_workflow', input: call }] },
      { text: 'Six.' },
    ]);
    const skills = await aiSdkSkills(skillset, {});
    const result = streamText({ model, prompt: 'Add 1, 2 and 3.', stopWhen: isStepCount(5), ...skills.agentSettings() });
    const labels = new Set<string>();
    const progress = new Set<string>();
    for await (const message of readUIMessageStream({ stream: toUIMessageStream({ stream: result.stream }) })) {
      for (const part of message.parts) {
        const told = skillPartOf(part);
        if (told?.role !== 'runWorkflow' || part.type !== 'dynamic-tool') continue;
        labels.add(told.label);
        if (part.state === 'output-available' && part.preliminary === true) progress.add(String(part.output).split('\n').at(-1) ?? '');
      }
    }
    expect([...labels].slice(-2)).toEqual(['Running workflow: math-workflow …', 'Ran workflow: math-workflow']);
    expect(progress).toContain('math-workflow 3/3 summarize: finished');
    expect(JSON.stringify(model.calls[1]?.prompt.at(-1))).toContain(
      'This skill is a workflow of 3 steps: first-add, second-add, summarize.',
    );
    expect(model.calls[2]?.prompt.at(-1)).toMatchObject({ role: 'tool', content: [{ output: { type: 'text', value: answer } }] });
  });

  it('FLW-4: LangChain: the same call, registered before any session is open', async () => {
    const skillset = mathSkillset();
    const model = scriptedChatModel([{ toolCalls: [{ toolName: 'run_skill_workflow', input: call }] }, { text: 'Six.' }]);
    const agent = createAgent({ model, tools: [], middleware: [skillsMiddleware(skillset)] });
    const progress: unknown[] = [];
    let messages: BaseMessage[] = [];
    for await (const [mode, chunk] of await agent.stream(
      { messages: [new HumanMessage('Add 1, 2 and 3.')] },
      { streamMode: ['custom', 'values'] },
    )) {
      if (mode === 'custom') progress.push(chunk);
      else messages = (chunk as { messages: BaseMessage[] }).messages;
    }
    expect(progress.map((chunk) => (chunk as { line: string }).line)).toEqual(
      ['1/3 first-add', '2/3 second-add', '3/3 summarize'].flatMap((step) => [
        `math-workflow ${step}: started`,
        `math-workflow ${step}: finished`,
      ]),
    );
    expect(progress[0]).toMatchObject({ type: 'skill_progress', tool: 'run_skill_workflow' });
    expect(messages.map(({ type, text }) => [type, text]).slice(-2)).toEqual([
      ['tool', answer],
      ['ai', 'Six.'],
    ]);
  });
});
