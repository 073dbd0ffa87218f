import { writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { expect, it } from 'vitest';
import { createCleanProject } from './clean-project.ts';
import { pnpm } from './package-managers.ts';
import { prepared } from './prepared.ts';

/** Sets of older versions, each of which installs together. What is current, all other tests run. */
const older = {
  'the lowest that it allows': {
    '@langchain/core': '1.2.0',
    '@langchain/langgraph': '1.4.4',
    langchain: '1.5.0',
    zod: '3.25.76',
  },
  'the last LangGraph 1.4': {
    '@langchain/core': '1.2.13',
    '@langchain/langgraph': '1.4.18',
    langchain: '1.5.14',
    zod: '4.6.7',
  },
};

it.each(Object.entries(older))('ADP-1 ADP-2: the LangChain adapter works on %s', async (_, versions) => {
  const { packages, directory } = prepared();
  const project = await createCleanProject({
    directory: join(directory, `older-peers-${versions['@langchain/langgraph']}`),
    manager: pnpm,
    packages: packages.filter(({ path }) => ['skills-core', 'skill-mcp', 'skills-testkit', 'adapter-langchain'].includes(basename(path))),
    dependencies: versions,
    overrides: versions,
  });
  await writeFile(
    join(project.directory, 'agent.mjs'),
    `import { createRequire } from 'node:module';
     import { skillsMiddleware } from '@repertoire/adapter-langchain';
     import { langGraphSkills, skillsState } from '@repertoire/adapter-langchain/langgraph';
     import { createSkillset } from '@repertoire/skills-core';
     import { scriptedModel } from '@repertoire/skills-testkit/langchain';
     import { END, MessagesValue, START, StateGraph, StateSchema } from '@langchain/langgraph';
     import { tool } from '@langchain/core/tools';
     import { createAgent } from 'langchain';
     import * as z from 'zod/v4';

     const done = [];
     const refund = tool(async ({ order }) => (done.push(order), 'paid'), { name: 'refund', description: 'Pays.', schema: z.object({ order: z.string() }) });
     const skillset = createSkillset({ skills: [{ name: 'billing', description: 'Money.', body: 'Call refund.', tools: ['refund'] }] });
     const turns = [
       { toolCalls: [{ toolName: 'refund', input: { order: 'too early' } }] },
       { toolCalls: [{ toolName: 'load_skill', input: { name: 'billing' } }] },
       { toolCalls: [{ toolName: 'refund', input: { order: 'A-17' } }] },
       { text: 'Done.' },
     ];
     const messages = [{ role: 'user', content: 'My money!' }];

     const agent = createAgent({ model: scriptedModel(turns), tools: [], middleware: [skillsMiddleware(skillset, { tools: [refund] })] });
     const first = await agent.invoke({ messages });

     const skills = langGraphSkills(skillset, { tools: [refund] });
     const model = scriptedModel(turns);
     const State = new StateSchema({ messages: MessagesValue, ...skillsState });
     const graph = new StateGraph(State)
       .addNode('catalog', skills.catalogNode)
       .addNode('agent', async (state) => ({ messages: [await (await skills.bindLoadedTools(model, state)).invoke(state.messages)] }))
       .addNode('tools', skills.toolNode())
       .addEdge(START, 'catalog')
       .addEdge('catalog', 'agent')
       .addConditionalEdges('agent', (state) => (state.messages.at(-1).tool_calls?.length > 0 ? 'tools' : END), ['tools', END])
       .addEdge('tools', 'agent')
       .compile();
     const second = await graph.invoke({ messages });

     const require = createRequire(import.meta.url);
     const version = (name) => require(name + '/package.json').version;
     console.log(JSON.stringify({ done, loaded: [first, second].map((state) => Object.keys(state.loaded_skills)), versions: ${JSON.stringify(Object.keys(versions))}.map(version) }));`,
  );
  const { output } = await project.run('agent.mjs');
  expect(output).toBe(
    `${JSON.stringify({ done: ['A-17', 'A-17'], loaded: [['billing'], ['billing']], versions: Object.values(versions) })}\n`,
  );
});

it('ADP-4: the AI SDK adapter works on the lowest versions that it allows', async () => {
  const { packages, directory } = prepared();
  const versions = { ai: '7.0.0', '@ai-sdk/provider': '4.0.0' };
  const project = await createCleanProject({
    directory: join(directory, 'older-peers-ai'),
    manager: pnpm,
    packages: packages.filter(({ path }) => ['skills-core', 'skill-mcp', 'skills-testkit', 'adapter-vercel-ai'].includes(basename(path))),
    dependencies: versions,
    overrides: versions,
  });
  await writeFile(
    join(project.directory, 'agent.mjs'),
    `import { createRequire } from 'node:module';
     import { aiSdkSkills } from '@repertoire/adapter-vercel-ai';
     import { createSkillset } from '@repertoire/skills-core';
     import { scriptedModel } from '@repertoire/skills-testkit/ai-sdk';
     import { generateText, isStepCount, jsonSchema, streamText, tool, ToolLoopAgent } from 'ai';

     const done = [];
     const inputSchema = jsonSchema({ type: 'object', properties: { order: { type: 'string' } } });
     const refund = tool({ description: 'Pays.', inputSchema, execute: async ({ order }) => (done.push(order), 'paid') });
     const skillset = createSkillset({ skills: [{ name: 'billing', description: 'Money.', body: 'Call refund.', tools: ['refund'] }] });
     const skills = await aiSdkSkills(skillset, { tools: { refund } });
     const settings = () => ({
       model: scriptedModel([
         { toolCalls: [{ toolName: 'refund', input: { order: 'too early' } }] },
         { toolCalls: [{ toolName: 'load_skill', input: { name: 'billing' } }] },
         { toolCalls: [{ toolName: 'refund', input: { order: 'A-17' } }] },
         { text: 'Done.' },
       ]),
       ...skills.agentSettings({ instructions: 'You are a clerk.' }),
       stopWhen: isStepCount(20),
     });
     const prompt = 'My money!';
     const texts = [
       (await generateText({ ...settings(), prompt })).text,
       await streamText({ ...settings(), prompt }).text,
       (await new ToolLoopAgent(settings()).generate({ prompt })).text,
     ];
     const require = createRequire(import.meta.url);
     const version = (name) => require(name + '/package.json').version;
     console.log(JSON.stringify({ done, texts, versions: ${JSON.stringify(Object.keys(versions))}.map(version) }));`,
  );
  const { output } = await project.run('agent.mjs');
  const texts = ['Done.', 'Done.', 'Done.'];
  expect(output).toBe(`${JSON.stringify({ done: ['A-17', 'A-17', 'A-17'], texts, versions: Object.values(versions) })}\n`);
});
