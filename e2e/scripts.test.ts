import { aiSdkSkills } from '@repertoire/adapter-vercel-ai';
import { skillPartOf } from '@repertoire/adapter-vercel-ai/ui';
import { skillsMiddleware } from '@repertoire/adapter-langchain';
import { langGraphSkills, needsApproval, skillsState } from '@repertoire/adapter-langchain/langgraph';
import { AIMessage, HumanMessage, ToolMessage, type BaseMessage } from '@langchain/core/messages';
import {
  Command,
  END,
  INTERRUPT,
  interrupt,
  isInterrupted,
  MemorySaver,
  MessagesValue,
  START,
  StateGraph,
  StateSchema,
} from '@langchain/langgraph';
import { toolsCondition } from '@langchain/langgraph/prebuilt';
import { fileSystemSkillProvider } from '@repertoire/skill-fs';
import { approvedRunner, type ApprovalRequest } from '@repertoire/skill-runner';
import { processRunner } from '@repertoire/skill-runner/process';
import { skillScripts } from '@repertoire/skill-runner/scripts';
import {
  createSkillset,
  defineSkill,
  type SkillActivity,
  type Skillset,
  type SkillsetOptions,
  skillAllowedTools,
} from '@repertoire/skills-core';
import type { SkillRunner } from '@repertoire/skills-core/provider';
import { scriptedModel as scriptedAiModel, type ScriptedModelCall } from '@repertoire/skills-testkit/ai-sdk';
import { scriptedModel as scriptedChatModel, type ScriptedChatModel } from '@repertoire/skills-testkit/langchain';
import { generateText, isStepCount, readUIMessageStream, streamText, type ModelMessage } from 'ai';
import { createAgent } from 'langchain';
import { fileURLToPath } from 'node:url';
import { beforeEach, describe, expect, it } from 'vitest';

const csv = 'id,amount\n1,10.50\n2,9.50\n2,9.50\n';
const load = { toolName: 'load_skill', input: { name: 'csv-profile' } };
const profile = {
  toolName: 'run_skill_script',
  input: { skill: 'csv-profile', script: 'scripts/profile.mjs', arguments: ['inputs/data/orders.csv'] },
};
const answer = 'It has 3 rows, and 1 is a duplicate.';
const thread = { configurable: { thread_id: 'one' } };

beforeEach((context) => {
  context.skip(process.platform === 'win32', 'processRunner does not run on Windows');
});

/** What a model that reads the output says; it cannot say it without. */
function answerFrom(output: string): string {
  const [, rows] = /"rows": (\d+)/.exec(output) ?? [];
  const [, duplicates] = /"duplicateRows": (\d+)/.exec(output) ?? [];
  return `It has ${rows} rows, and ${duplicates} is a duplicate.`;
}

/** Real skills, a real process, and a count of what ran. */
function scriptsOf(wrap: (runner: SkillRunner) => SkillRunner = (runner) => runner, options: Partial<SkillsetOptions> = {}) {
  const events: SkillActivity[] = [];
  const skillset = createSkillset({
    provider: fileSystemSkillProvider({ roots: [fileURLToPath(new URL('../examples/skills/', import.meta.url))] }),
    scripts: skillScripts(wrap(processRunner({ requireConfinement: false })), {
      inputs: () => ({ 'data/orders.csv': new TextEncoder().encode(csv) }),
    }),
    onEvent: (event) => events.push(event),
    ...options,
  });
  return { skillset, runs: () => events.filter(({ type }) => type === 'script_run') };
}

function toolOutputs(messages: readonly BaseMessage[]): string[] {
  return messages.flatMap((message) => (ToolMessage.isInstance(message) ? [message.text] : []));
}

describe('AI SDK', () => {
  /** Loads, runs, and answers from what it reads. */
  const model = () =>
    scriptedAiModel((call, index) => (index < 2 ? { toolCalls: [[load, profile][index]!] } : { text: answerFrom(lastResult(call)) }));
  const stopWhen = isStepCount(5);

  it('SRC-10: generateText answers from the output of a script', async () => {
    const { skillset, runs } = scriptsOf();
    const skills = await aiSdkSkills(skillset);
    const { text } = await generateText({ model: model(), prompt: 'What is in it?', stopWhen, ...skills.agentSettings() });
    expect(text).toBe(answer);
    expect(runs()).toMatchObject([
      { skill: 'csv-profile', path: 'scripts/profile.mjs', exitCode: 0, endedBy: 'exit', confinement: expect.any(String) },
    ]);
  });

  it('SRC-10: streamText too, and the parts of a page name the script', async () => {
    const { skillset } = scriptsOf();
    const skills = await aiSdkSkills(skillset);
    const result = streamText({ model: model(), prompt: 'What is in it?', stopWhen, ...skills.agentSettings() });
    const labels = new Set<string>();
    for await (const message of readUIMessageStream({ stream: result.toUIMessageStream() }))
      for (const part of message.parts) labels.add(skillPartOf(part)?.label ?? '');
    expect([...labels]).toContain('Ran: csv-profile/scripts/profile.mjs');
    expect(await result.text).toBe(answer);
  });

  describe('approval', () => {
    const ask = async (
      own: Parameters<Awaited<ReturnType<typeof aiSdkSkills>>['toolApproval']>[0],
      skillset: Skillset,
      messages: ModelMessage[],
      from = model(),
    ) => {
      const skills = await aiSdkSkills(skillset);
      return generateText({ model: from, messages, stopWhen, tools: skills.tools, toolApproval: skills.toolApproval(own) });
    };
    const start: ModelMessage[] = [{ role: 'user', content: 'What is in it?' }];

    it('SRC-10: nothing runs before a person said yes, and then it runs once', async () => {
      const { skillset, runs } = scriptsOf();
      const one = model();
      const first = await ask({ run_skill_script: 'user-approval' }, skillset, start, one);
      const request = first.content.find((part) => part.type === 'tool-approval-request');
      expect(runs()).toEqual([]);
      const said = (approved: boolean): ModelMessage[] => [
        ...start,
        ...first.responseMessages,
        { role: 'tool', content: [{ type: 'tool-approval-response', approvalId: request?.approvalId ?? '', approved }] },
      ];
      const end = await ask({ run_skill_script: 'user-approval' }, skillset, said(true), one);
      expect(end.text).toBe(answer);
      expect(runs()).toHaveLength(1);
      const refused = await ask({ run_skill_script: 'user-approval' }, skillset, said(false), scriptedAiModel([{ text: 'Then not.' }]));
      expect(refused.text).toBe('Then not.');
      expect(runs()).toHaveLength(1);
    });

    it('SRC-10: the host decides by the call, which script and which arguments', async () => {
      const { skillset, runs } = scriptsOf();
      const seen: unknown[] = [];
      const { text } = await ask({ run_skill_script: (input: unknown) => (seen.push(input), undefined) }, skillset, start);
      expect(text).toBe(answer);
      expect(seen).toEqual([profile.input]);
      expect(runs()).toHaveLength(1);
    });

    it('SRC-10, GOV-2: a trusted loaded skill can pre-approve its own scripts, and no others', async () => {
      const names = (allowedTools: string[]) =>
        defineSkill({
          name: 'csv',
          description: 'Counts. Use for CSV files.',
          body: 'Run it.',
          allowedTools,
          resources: { 'scripts/profile.mjs': '// Counts.\nconsole.log(\'"rows": 3, "duplicateRows": 1\')\n' },
        });
      const run = async (allowedTools: string[], neverPreApprove: string[] = []) => {
        const { skillset, runs } = scriptsOf(undefined, {
          provider: undefined,
          skills: [names(allowedTools)],
          allowedTools: skillAllowedTools({ policy: 'pre-approve', never: neverPreApprove }),
        });
        const turns = [
          { toolCalls: [{ toolName: 'load_skill', input: { name: 'csv' } }] },
          { toolCalls: [{ toolName: 'run_skill_script', input: { skill: 'csv', script: 'scripts/profile.mjs' } }] },
          { text: 'Done.' },
        ];
        await ask({ run_skill_script: 'user-approval' }, skillset, start, scriptedAiModel(turns));
        return runs().length;
      };
      expect(await run(['run_skill_script'])).toBe(1);
      expect(await run(['run_skill_script(csv/scripts/*)'])).toBe(1);
      expect(await run(['run_skill_script(other/scripts/*)'])).toBe(0);
      expect(await run(['Read'])).toBe(0);
      expect(await run(['run_skill_script'], ['run_skill_script'])).toBe(0);
    });
  });
});

function lastResult({ prompt }: ScriptedModelCall): string {
  const last = prompt.at(-1);
  const part = last?.role === 'tool' ? last.content[0] : undefined;
  return part?.type === 'tool-result' && part.output.type === 'text' ? part.output.value : '';
}

describe('LangChain', () => {
  const model = () =>
    scriptedChatModel(({ messages }, index) =>
      index < 2 ? { toolCalls: [[load, profile][index]!] } : { text: answerFrom(messages.at(-1)?.text ?? '') },
    );

  function graphOf(skillset: Skillset, chat: ScriptedChatModel) {
    const skills = langGraphSkills(skillset);
    return new StateGraph(new StateSchema({ messages: MessagesValue, ...skillsState }))
      .addNode('catalog', skills.catalogNode)
      .addNode('model', async (state) => {
        const bound = await skills.bindLoadedTools(chat, state);
        return {
          messages: [
            await bound.invoke([{ role: 'system', content: await skills.instructions(state) }, ...(await skills.messages(state))]),
          ],
        };
      })
      .addNode('tools', skills.toolNode())
      .addEdge(START, 'catalog')
      .addEdge('catalog', 'model')
      .addConditionalEdges('model', toolsCondition, ['tools', END])
      .addEdge('tools', 'model')
      .compile({ checkpointer: new MemorySaver() });
  }
  const agentOf = (skillset: Skillset, chat: ScriptedChatModel) =>
    createAgent({ model: chat, middleware: [skillsMiddleware(skillset)], checkpointer: new MemorySaver() });
  const start = { messages: [new HumanMessage('What is in it?')] };

  it.each([
    ['createAgent', agentOf],
    ['a graph', graphOf],
  ])('SRC-10: %s answers from the output of a script', async (_, make) => {
    const { skillset, runs } = scriptsOf();
    const { messages } = await make(skillset, model()).invoke(start, thread);
    expect(messages.at(-1)?.text).toBe(answer);
    expect(toolOutputs(messages)[1]).toMatch(/^<skill_script skill="csv-profile" script="scripts\/profile.mjs" exit="0">/);
    expect(runs()).toHaveLength(1);
  });

  describe.each([
    ['createAgent', agentOf],
    ['a graph', graphOf],
  ])('%s with approvedRunner and interrupt', (_, make) => {
    it.each([
      [true, answer, 1],
      [false, 'It has undefined rows, and undefined is a duplicate.', 0],
    ])('SRC-10: waits for the person; %s is taken up where it stopped', async (approved, said, ran) => {
      const asked: ApprovalRequest[] = [];
      const { skillset, runs } = scriptsOf((runner) =>
        approvedRunner(runner, (request) => {
          asked.push(request);
          const { skill, script, arguments: given, digest } = request;
          return interrupt<object, boolean>({ skill, script, arguments: given, digest });
        }),
      );
      const agent = make(skillset, model());
      const paused = await agent.invoke(start, thread);
      expect(runs()).toEqual([]);
      const [{ value } = {}] = isInterrupted(paused) ? paused[INTERRUPT] : [];
      expect(value).toMatchObject({
        skill: 'csv-profile',
        script: 'scripts/profile.mjs',
        arguments: ['inputs/data/orders.csv'],
        digest: asked[0]?.digest,
      });
      const { messages } = await agent.invoke(new Command({ resume: approved }), thread);
      expect(messages.at(-1)?.text).toBe(said);
      expect(runs()).toHaveLength(ran);
      expect(asked).toHaveLength(2);
      if (!approved) expect(toolOutputs(messages)[1]).toContain('Error (permission-denied): The user did not approve running');
    });
  });

  it('SRC-10: createAgent runs each of two scripts once, though they wait for two answers', async () => {
    const { skillset, runs } = scriptsOf((runner) =>
      approvedRunner(runner, ({ arguments: given }) => interrupt<readonly string[], boolean>(given)),
    );
    const both = [['--compact', 'inputs/data/orders.csv'], ['inputs/data/orders.csv']].map((given) => ({
      ...profile,
      input: { ...profile.input, arguments: given },
    }));
    const agent = agentOf(skillset, scriptedChatModel([{ toolCalls: [load] }, { toolCalls: both }, { text: 'Done.' }]));
    let paused: unknown = await agent.invoke(start, thread);
    for (const ran of [1, 2]) {
      const [first] = isInterrupted(paused) ? paused[INTERRUPT] : [];
      paused = await agent.invoke(new Command({ resume: { [first?.id ?? '']: true } }), thread);
      expect(runs()).toHaveLength(ran);
    }
    expect(isInterrupted(paused)).toBe(false);
  });

  it('SRC-10: needsApproval asks about a script, unless a trusted loaded skill pre-approves it', async () => {
    const ask = async (allowedTools: string[]) => {
      const skill = defineSkill({ name: 'csv', description: 'Counts. Use for CSV files.', body: 'Run it.', allowedTools });
      const skillset = createSkillset({ skills: [skill], allowedTools: skillAllowedTools({ policy: 'pre-approve' }) });
      const session = await skillset.open();
      const { text, events } = await session.load({ name: 'csv' }, { state: session.state([]) });
      const calls = [{ name: 'load_skill', args: { name: 'csv' }, id: '1' }];
      const messages = [
        new AIMessage({ content: '', tool_calls: calls }),
        new ToolMessage({ content: text, tool_call_id: '1', name: 'load_skill' }),
      ];
      const state = { messages, loaded_skills: session.apply(session.state([]), events).loaded };
      return needsApproval(skillset)({
        toolCall: { name: 'run_skill_script', args: { skill: 'csv', script: 'scripts/a.mjs' } },
        state,
        runtime: {},
      });
    };
    expect(await ask(['Read'])).toBe(true);
    expect(await ask(['run_skill_script(csv/scripts/*)'])).toBe(false);
  });
});
