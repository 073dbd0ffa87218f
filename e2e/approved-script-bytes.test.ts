import { skillsMiddleware } from '@repertoire/adapter-langchain';
import { aiSdkSkills } from '@repertoire/adapter-vercel-ai';
import { HumanMessage, type BaseMessage } from '@langchain/core/messages';
import { Command, INTERRUPT, interrupt, MemorySaver } from '@langchain/langgraph';
import { approvedRunner, type ApprovalAnswer } from '@repertoire/skill-runner';
import { processRunner } from '@repertoire/skill-runner/process';
import { skillScripts } from '@repertoire/skill-runner/scripts';
import { createSkillset, defineSkill, emptySkillState, SkillRegistry } from '@repertoire/skills-core';
import { scriptedModel as scriptedAiModel } from '@repertoire/skills-testkit/ai-sdk';
import { scriptedModel as scriptedChatModel } from '@repertoire/skills-testkit/langchain';
import { generateText, isStepCount, type ModelMessage } from 'ai';
import { createAgent } from 'langchain';
import { beforeEach, describe, expect, it } from 'vitest';

const report = (script: string) =>
  defineSkill({ name: 'report', description: 'Reports.', body: 'Run scripts/a.sh.', resources: { 'scripts/a.sh': script } });
const reviewed = report('# Says hello.\necho the reviewed bytes\n');
const changed = report('# Says hello.\necho OTHER BYTES\n');
const turns = [
  { toolCalls: [{ toolName: 'load_skill', input: { name: 'report' } }] },
  { toolCalls: [{ toolName: 'run_skill_script', input: { skill: 'report', script: 'scripts/a.sh' } }] },
  { text: 'Done.' },
];

beforeEach((context) => {
  context.skip(process.platform === 'win32', 'processRunner does not run on Windows');
});

describe('the bytes of a script that a person approved', () => {
  it.each([{ changes: false }, { changes: true }])(
    'SCR-2: AI SDK: run, and no others (changed before the answer: $changes)',
    async ({ changes }) => {
      const registry = new SkillRegistry({ skills: [reviewed], trusted: true });
      const skillset = createSkillset({ provider: registry, scripts: skillScripts(processRunner({ requireConfinement: false })) });
      const model = scriptedAiModel(turns);
      const state = { current: emptySkillState };
      const go = async (messages: ModelMessage[]) => {
        const skills = await aiSdkSkills(skillset, { state });
        const settings = skills.agentSettings({ toolApproval: { run_skill_script: 'user-approval' } as never });
        return await generateText({ model, messages, stopWhen: isStepCount(5), ...settings });
      };
      const start: ModelMessage[] = [{ role: 'user', content: 'Report.' }];
      const asked = await go(start);
      const request = asked.content.find((part) => part.type === 'tool-approval-request')!;
      if (changes) registry.replace(changed);
      const answer = { type: 'tool-approval-response', approvalId: request.approvalId, approved: true } as const;
      const end = await go([...start, ...asked.responseMessages, { role: 'tool', content: [answer] }]);
      const told = JSON.stringify([end.responseMessages, model.calls.at(-1)!.prompt]);
      expect(told).not.toContain('OTHER BYTES');
      expect(told).toContain(changes ? 'changed since it was loaded' : 'the reviewed bytes');
    },
  );

  it.each([{ changes: false }, { changes: true }])(
    'SCR-2: LangGraph: run, and no others (changed before the answer: $changes)',
    async ({ changes }) => {
      const registry = new SkillRegistry({ skills: [reviewed], trusted: true });
      const runner = approvedRunner(processRunner({ requireConfinement: false }), ({ signal: _signal, ...request }) =>
        interrupt<unknown, ApprovalAnswer>(request),
      );
      const skillset = createSkillset({ provider: registry, scripts: skillScripts(runner) });
      const agent = createAgent({
        model: scriptedChatModel(turns),
        checkpointer: new MemorySaver(),
        middleware: [skillsMiddleware(skillset)],
      });
      const thread = { configurable: { thread_id: 'one' } };
      const stopped = (await agent.invoke({ messages: [new HumanMessage('Report.')] }, thread)) as unknown as {
        [INTERRUPT]: { value: { question: string } }[];
      };
      expect(stopped[INTERRUPT]).toHaveLength(1);
      if (changes) registry.replace(changed);
      const end = (await agent.invoke(
        new Command({ resume: { approved: true, question: stopped[INTERRUPT][0]!.value.question } }) as never,
        thread,
      )) as { messages: BaseMessage[] };
      const told = end.messages.map(({ text }) => text).join('\n');
      expect(told).not.toContain('OTHER BYTES');
      expect(told).toContain(changes ? 'changed since it was loaded' : 'the reviewed bytes');
    },
  );

  it.each([{ changes: false }, { changes: true }])(
    'SCR-2: LangGraph: with the inputs that the person saw, and no others (changed before the answer: $changes)',
    async ({ changes }) => {
      const skill = defineSkill({
        name: 'report',
        description: 'Reports.',
        body: 'Run it.',
        resources: { 'scripts/a.sh': 'cat inputs/in.txt\n' },
      });
      let input = 'the reviewed bytes';
      const runner = approvedRunner(processRunner({ requireConfinement: false }), ({ signal: _signal, ...request }) =>
        interrupt<unknown, ApprovalAnswer>(request),
      );
      const inputs = () => ({ 'in.txt': new TextEncoder().encode(input) });
      const skillset = createSkillset({
        provider: new SkillRegistry({ skills: [skill], trusted: true }),
        scripts: skillScripts(runner, { inputs }),
      });
      const agent = createAgent({
        model: scriptedChatModel(turns),
        checkpointer: new MemorySaver(),
        middleware: [skillsMiddleware(skillset)],
      });
      const thread = { configurable: { thread_id: 'one' } };
      const stopped = (await agent.invoke({ messages: [new HumanMessage('Report.')] }, thread)) as unknown as {
        [INTERRUPT]: { value: { question: string; inputs: unknown } }[];
      };
      const { question, inputs: shown } = stopped[INTERRUPT][0]!.value;
      expect(shown).toMatchObject([{ path: 'in.txt', size: 18 }]);
      if (changes) input = 'OTHER BYTES';
      const end = (await agent.invoke(new Command({ resume: { approved: true, question } }) as never, thread)) as {
        messages: BaseMessage[];
      };
      const told = end.messages.map(({ text }) => text).join('\n');
      expect(told).not.toContain('OTHER BYTES');
      expect(told).toContain(changes ? 'digest-mismatch' : 'the reviewed bytes');
    },
  );
});
