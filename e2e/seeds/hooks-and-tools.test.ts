import { tool } from '@langchain/core/tools';
import { MessagesValue, StateGraph, StateSchema } from '@langchain/langgraph';
import { createSkillTools, langGraphSkills, skillsState } from '@repertoire/adapter-langchain/langgraph';
import { aiSdkSkills } from '@repertoire/adapter-vercel-ai';
import { fileSystemSkillProvider } from '@repertoire/skill-fs';
import {
  createSkillset,
  defineSkill,
  emptySkillState,
  skillHooks,
  SkillRegistry,
  type SkillActivity,
  type SkillDefinition,
} from '@repertoire/skills-core';
import { scriptedModel } from '@repertoire/skills-testkit/ai-sdk';
import { scriptedModel as scriptedChatModel } from '@repertoire/skills-testkit/langchain';
import { generateText, isStepCount } from 'ai';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { skillFolders } from './skill-folders.ts';
import { weatherCard, weatherSkillMd } from './weather-skill.ts';

const weather: SkillDefinition = {
  name: 'weather',
  description: 'Current weather.',
  body: 'Call get_weather for {{city}}.',
  resources: { 'references/api.md': 'GET /v1', 'references/internal.md': 'SECRET' },
};

describe('hooks', () => {
  const asked: string[] = [];
  const hooks = skillHooks({
    beforeLoad: ({ skill }) => void asked.push(`load ${skill.name}`),
    afterLoad: ({ body }) => ({ body: body.replace('{{city}}', 'Oslo') }),
    beforeRead: ({ path }) => (path.includes('internal') ? { refuse: 'it is internal' } : undefined),
    afterRead: ({ text }) => ({ text: `${text} (checked)` }),
    beforeUnload: ({ skill }) => void asked.push(`unload ${skill.name}`),
    afterUnload: ({ text }) => ({ text: `${text} Thank the person.` }),
  });
  const steps = [
    ['load_skill', { name: 'weather' }],
    ['load_skill_resource', { skill: 'weather', path: 'references/api.md' }],
    ['load_skill_resource', { skill: 'weather', path: 'references/internal.md' }],
    ['unload_skill', { name: 'weather' }],
  ] as const;
  const ways: Readonly<Record<string, () => Promise<string[]>>> = {
    create_skill_tools: async () => {
      const tools = createSkillTools({
        skillRegistry: new SkillRegistry({ skills: [weather] }),
        hooks: { hooks },
        state: { current: emptySkillState },
      });
      const texts: string[] = [];
      for (const [name, input] of steps) texts.push(String(await tools.find((one) => one.name === name)?.invoke(input)));
      return texts;
    },
    'the AI SDK': async () => {
      const skills = await aiSdkSkills(createSkillset({ skills: [weather], surface: { tools: 'full' }, hooks }));
      const model = scriptedModel([...steps.map(([toolName, input]) => ({ toolCalls: [{ toolName, input }] })), { text: 'Done.' }]);
      const { responseMessages } = await generateText({ model, prompt: 'Go', stopWhen: isStepCount(9), ...skills.agentSettings() });
      return responseMessages.flatMap((message) =>
        message.role === 'tool'
          ? message.content.flatMap((part) => (part.type === 'tool-result' && 'value' in part.output ? [String(part.output.value)] : []))
          : [],
      );
    },
  };

  it.each(Object.entries(ways))('S0-28 ADP-3: change or refuse what is loaded, read and unloaded, by %s', async (_, run) => {
    asked.length = 0;
    const [loaded, read, refused, unloaded] = await run();
    expect(loaded).toContain('Call get_weather for Oslo.');
    expect(read).toContain('GET /v1 (checked)');
    expect(refused).toContain('may not be read here: it is internal');
    expect(refused).not.toContain('SECRET');
    expect(unloaded).toContain('Thank the person.');
    expect(asked).toEqual(['load weather', 'unload weather']);
  });
});

it('S0-12 FMT-4: a card alone is the manifest of its skill, and base_uri leads to the files', async () => {
  const root = await skillFolders({
    'cards/skill-card.json': JSON.stringify({ ...weatherCard, base_uri: '../weather' }),
    'weather/SKILL.md': weatherSkillMd,
    'weather/references/open-meteo-api.md': '# Open-Meteo',
  });
  const provider = fileSystemSkillProvider({ roots: [root] });
  const { skills } = await provider.listSkills();
  expect(skills).toMatchObject([
    { name: 'weather', version: '1.0.0', metadata: { title: 'Weather Lookup' }, tools: ['get_weather'], license: 'MIT' },
  ]);
  const skill = await provider.getSkill('weather');
  expect(skill?.body).toContain('# Weather Lookup Skill');
  expect(skill?.resources.map(({ path }) => path)).toEqual(['references/open-meteo-api.md']);
});

it('S3-28 DIS-15: a load is told once the skill is loaded, with its source, version and digest; one that fails is told as failed', async () => {
  const told: SkillActivity[] = [];
  const skillset = createSkillset({ skills: [weather], onEvent: (event) => told.push(event) });
  for (const fails of [true, false]) {
    const source = {
      open: async () => {
        // Nothing is told before.
        expect(told.map(({ type }) => type)).not.toContain('skill_loaded');
        if (fails) throw new Error('The server is down.');
        return [];
      },
      close: async () => {},
      stateless: true,
    };
    await langGraphSkills(skillset, { toolSources: [source] }).loadSkillsNode(() => ['weather'])({ messages: [] }, {});
    expect(told.filter(({ type }) => type !== 'catalog_built').map(({ type }) => type)).toEqual(
      fails ? ['skill_failed'] : ['skill_failed', 'skill_loaded'],
    );
  }
  expect(told.at(-1)).toMatchObject({ skill: 'weather', source: 'code', version: null, digest: expect.stringMatching(/^[0-9a-f]{64}$/) });
});

it('S4-2 GOV-1: in LangChain as well, a skill is defined with its tools, which need not be handed over again', async () => {
  const refund = tool(async () => 'refunded', { name: 'process_refund', description: 'Refunds.', schema: z.object({}) });
  const billing = defineSkill({ name: 'billing', description: 'Refunds.', body: 'Call process_refund.', tools: [refund] });
  const calls = ['process_refund', 'load_skill', 'process_refund'].map((toolName) => ({
    toolCalls: [{ toolName, input: { name: 'billing' } }],
  }));
  const skills = langGraphSkills(createSkillset({ provider: new SkillRegistry({ skills: [billing] }) }));
  const graph = new StateGraph(new StateSchema({ messages: MessagesValue, ...skillsState }));
  const model = scriptedChatModel([...calls, { text: 'Done.' }]);
  const { messages } = await skills
    .addTo(graph, { model })
    .compile()
    .invoke({ messages: [{ role: 'user', content: 'Go' }] });
  const texts = messages.flatMap((message) => (message.type === 'tool' ? [message.text] : []));
  expect(texts).toEqual([expect.stringContaining('locked'), expect.stringContaining('Call process_refund.'), 'refunded']);
});
