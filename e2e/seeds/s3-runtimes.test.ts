import { DBOS } from '@dbos-inc/dbos-sdk';
import { aiSdkSkills } from '@repertoire/adapter-vercel-ai';
import { fileSystemSkillProvider } from '@repertoire/skill-fs';
import { defineSkill, SkillRegistry, type SkillProvider } from '@repertoire/skills-core';
import { loadedSkillNames } from '@repertoire/skills-core/adapter';
import { scriptedModel } from '@repertoire/skills-testkit/ai-sdk';
import { durableAgent, type DurableEngine } from '@repertoire/skill-workflow/agent';
import { durableAiSdk } from '@repertoire/skill-workflow/ai-sdk';
import { dbosEngine } from '@repertoire/skill-workflow/dbos';
import { generateText, isStepCount } from 'ai';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestPostgres, type Postgres } from '../../test/support/postgres.ts';
import { Journal } from '../durable/journal.ts';
import { skillFolders } from './skill-folders.ts';

const inCode = new SkillRegistry({
  skills: [
    defineSkill({
      name: 'pdf-processing',
      description: 'Extract text and tables from PDFs. Use when working with PDF files.',
      body: 'Read references/forms.md first.',
      resources: { 'references/forms.md': 'one\ntwo\nthree' },
    }),
  ],
});
const turn = (toolName: string, input: Readonly<Record<string, string>>) => ({ toolCalls: [{ toolCallId: toolName, toolName, input }] });
const script = [
  turn('load_skill', { name: 'pdf-processing' }),
  turn('read_skill_file', { skill: 'pdf-processing', path: 'references/forms.md' }),
  { text: 'Done.' },
];

/** An agent that loads a skill and reads its file; what its model was given, and what is loaded in the end. */
async function agentOn(engine: DurableEngine, provider: SkillProvider): Promise<{ prompts: string[]; loaded: readonly string[] }> {
  const model = scriptedModel(script);
  const durable = durableAgent(engine);
  const { skillset, session } = await durable.openSkills({ provider });
  const skills = await aiSdkSkills(skillset, { session });
  const settings = durableAiSdk(durable).settings({ model, ...skills.agentSettings({ instructions: 'You help.' }) });
  const { responseMessages } = await generateText({ ...settings, prompt: 'Fill this form.', stopWhen: isStepCount(5) });
  return {
    prompts: model.calls.map(({ prompt, tools }) => JSON.stringify([prompt, tools])),
    loaded: loadedSkillNames(skills.state(responseMessages)),
  };
}

describe('an agent with skills on other runtimes', () => {
  let postgres: Postgres;
  const sources = new Map<string, SkillProvider>([['in-code', inCode]]);
  const flow = DBOS.registerWorkflow(async (source: string) => await agentOn(dbosEngine(DBOS), sources.get(source) ?? inCode), {
    name: 'seed agent',
  });
  beforeAll(async () => {
    postgres = await startTestPostgres();
    DBOS.setConfig({ name: 'seeds', systemDatabaseUrl: postgres.url, applicationVersion: '1', logLevel: 'error' });
    await DBOS.launch();
  });
  afterAll(async () => {
    await DBOS.shutdown();
    await postgres[Symbol.asyncDispose]();
  });
  const onDbos = async (source: string) =>
    await (await DBOS.startWorkflow(flow, { workflowID: source })(source)).getResult({ pollingIntervalMs: 20 });

  it('S3-39 FLW-5: on DBOS with PostgreSQL, over skills in code and in folders: listing, model calls and skill tools are its steps', async () => {
    const folder = await skillFolders({
      'pdf-processing/SKILL.md': '---\nname: pdf-processing\ndescription: Handles PDFs\n---\nRead references/forms.md first.',
      'pdf-processing/references/forms.md': 'one\ntwo\nthree',
    });
    sources.set('folders', fileSystemSkillProvider({ roots: [folder] }));
    for (const source of ['in-code', 'folders']) {
      const { loaded, prompts } = await onDbos(source);
      expect(loaded).toEqual(['pdf-processing']);
      expect(prompts[2]).toContain('two\\nthree');
      expect((await DBOS.listWorkflowSteps(source))?.map(({ name }) => name)).toEqual([
        'skills',
        'model',
        'call load_skill',
        'model#2',
        'call read_skill_file',
        'model#3',
      ]);
    }
  });

  it('S3-43 FLW-5: the model is given the same bytes without an engine, on a journal by order and by name, and on DBOS', async () => {
    const plain = await agentOn({ workflowId: 'plain', runStep: async (_id, work) => await work() }, inCode);
    expect(plain.prompts.length).toBe(3);
    for (const by of ['order', 'name'] as const) {
      const journal = new Journal(by);
      expect(await agentOn(journal.engine('w'), inCode)).toEqual(plain);
      // A replay asks the model nothing.
      expect(await agentOn(journal.engine('w'), inCode)).toEqual({ ...plain, prompts: [] });
    }
    expect(await onDbos('in-code')).toEqual(plain);
  });
});
