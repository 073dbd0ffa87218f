import { HumanMessage } from '@langchain/core/messages';
import { convertToOpenAITool } from '@langchain/core/utils/function_calling';
import { MessagesValue, StateGraph, StateSchema } from '@langchain/langgraph';
import { skillsMiddleware } from '@repertoire/adapter-langchain';
import { createSkillTools, langGraphSkills, skillsState } from '@repertoire/adapter-langchain/langgraph';
import { createSkillset, defineSkill, SkillRegistry } from '@repertoire/skills-core';
import { scriptedModel } from '@repertoire/skills-testkit/langchain';
import { createAgent } from 'langchain';
import { describe, expect, it } from 'vitest';
import { skills } from './billing-skills.ts';
import { collect } from './collect.ts';
import { toolTexts, turn, type Call } from './scripts.ts';

const versions = ['1.0.0', '2.0.0'].map((version) =>
  defineSkill({ name: 'tax', version, description: 'Tax.', body: `Rules of ${version}.` }),
);
const resources = { 'references/policy.md': 'The policy.', 'assets/logo.txt': 'The logo.' };
const withFiles = defineSkill({ name: 'files', description: 'Files.', body: 'Files.', resources });
const all = [...skills, ...versions, withFiles];
const progressive = createSkillset({ skills: all, surface: { unload: true } });
const full = createSkillset({ skills: all, surface: { tools: 'full' } });

async function answers(kind: string, skillset: typeof full, calls: readonly Call[]): Promise<string[]> {
  const model = scriptedModel([...calls.map((call) => turn(call)), turn('Done.')]);
  const graph =
    kind === 'agent'
      ? createAgent({ model, middleware: [skillsMiddleware(skillset)] }).graph
      : langGraphSkills(skillset)
          .addTo(new StateGraph(new StateSchema({ messages: MessagesValue, ...skillsState })), { model })
          .compile();
  const input = { messages: [new HumanMessage('Go')] };
  return toolTexts(((await graph.invoke(input, { recursionLimit: 100 })) as typeof input).messages);
}

describe.each(['agent', 'graph'])('what a model writes (%s)', (kind) => {
  it('ADP-3: names that models were taught elsewhere are understood', async () => {
    const loads: Call[] = ['name', 'skill_name', 'skill_id', 'id', 'skill'].map((field) => ['load_skill', { [field]: 'haiku', extra: 1 }]);
    const [loaded, ...again] = await answers(kind, progressive, loads);
    expect(loaded).toContain('Five, seven, five.');
    for (const text of again) expect(text).toMatch(/^Skill "haiku" is already active/);

    expect(
      await answers(kind, full, [
        ['load_skill', { skill_id: 'tax', version: '1.0.0' }],
        ['load_skill_resource', { skill_id: 'files', resource_path: 'references/policy.md' }],
        ['load_skill_resource', { skill_id: 'files', resource_path: 'references/policy.md', version: '1.0.0' }],
        ['load_skill_asset', { skill_name: 'files', asset_path: 'assets/logo.txt' }],
        ['list_skill_resources', { id: 'files' }],
        ['unload_skill', { skill_id: 'tax', version: '1.0.0' }],
      ]),
    ).toEqual([
      expect.stringContaining('Rules of 1.0.0.'),
      expect.stringContaining('The policy.'),
      expect.stringContaining('has no version "1.0.0"'),
      expect.stringContaining('The logo.'),
      expect.stringContaining('references/policy.md'),
      expect.stringContaining('no longer active'),
    ]);
  });

  it('ADP-3: a wrong call is answered in words, with no stack and no path of the server', async () => {
    const wrong = await answers(kind, progressive, [
      ['load_skill', {}],
      ['load_skill', { name: 5 }],
      ['load_skill', { name: null }],
      ['load_skill', { name: 'billing', arguments: { a: 1 } }],
      ['read_skill_file', { skill: 'billing' }],
      ['read_skill_file', { skill: 'billing', path: 'references/policy.md', startLine: 'first' }],
      ['unload_skill', { name: ['billing'] }],
    ]);
    expect(wrong).toEqual([
      'failed: Error (invalid-input): load_skill needs name.',
      'failed: Error (invalid-input): load_skill takes name as text, not 5.',
      'failed: Error (invalid-input): load_skill needs name.',
      'failed: Error (invalid-input): load_skill takes arguments as text, not {"a":1}.',
      'failed: Error (invalid-input): read_skill_file needs path.',
      'failed: Error (invalid-input): read_skill_file takes startLine as a whole number from 1, not "first".',
      'failed: Error (invalid-input): unload_skill takes name as text, not ["billing"].',
    ]);
    // "Not given" and numbers as text have a clear meaning.
    const right = await answers(kind, progressive, [
      ['load_skill', { name: 'billing', version: null, arguments: null }],
      ['read_skill_file', { skill: 'billing', path: 'references/policy.md', startLine: '1' }],
    ]);
    for (const text of right) expect(text).not.toMatch(/^failed/);
  });
});

it('DIS-15: streams name the file that was read, whatever the arguments were called', async () => {
  const model = scriptedModel([turn(['load_skill_resource', { skill_id: 'files', resource_path: 'references/policy.md' }]), turn('Done.')]);
  const agent = createAgent({ model, middleware: [skillsMiddleware(full)] });
  const stream = await agent.stream({ messages: [new HumanMessage('Go')] }, { streamMode: 'custom' });
  expect(await collect(stream)).toEqual([{ type: 'resource_read', skill: 'files', path: 'references/policy.md' }]);
});

describe('skill tools by themselves', () => {
  const tools = createSkillTools({ skillRegistry: new SkillRegistry({ skills }) });
  const load = tools.find(({ name }) => name === 'load_skill')!;

  it('ADP-3: a model is told the exact schema, whoever binds the tool', () => {
    const told = Object.fromEntries(full.toolDescriptions.map(({ name, inputSchema }) => [name, inputSchema]));
    for (const tool of tools) expect(convertToOpenAITool(tool).function.parameters).toEqual(told[tool.name]);
    expect(convertToOpenAITool(load).function.parameters).toMatchObject({
      type: 'object',
      properties: { name: { type: 'string' } },
      required: ['name'],
      additionalProperties: false,
    });
  });

  it('ADP-3: what is no object at all is answered in words too', async () => {
    for (const input of ['haiku', ['haiku'], 5, null])
      expect(await load.invoke(input as never)).toBe(
        `Error (invalid-input): load_skill takes an object with named arguments, not ${JSON.stringify(input)}.`,
      );
    // eslint-disable-next-line -- the older way to call a tool
    expect(await load.call({ skill_id: 'haiku' })).toContain('Five, seven, five.');
  });
});
