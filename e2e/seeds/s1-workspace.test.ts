import { fileSystemSkillProvider } from '@repertoire/skill-fs';
import { loadAgent } from '@repertoire/skill-fs/agent';
import { skillWorkflows } from '@repertoire/skill-workflow';
import { emptySkillState } from '@repertoire/skills-core';
import { parseSkillMd } from '@repertoire/skills-core/skill-md';
import { describe, expect, it } from 'vitest';
import { converse } from './converse.ts';
import { skillFolders } from './skill-folders.ts';

const travel = [
  '---',
  'name: travel-planning',
  'description: End-to-end travel research and planning',
  'tools:',
  '  - get-weather',
  '  - search-flights',
  '  - search-hotels',
  '  - search-activities',
  '---',
  '# Travel Planning',
  '',
  'When planning a trip, check the **weather** first.',
].join('\n');

const general = '---\nname: general-tools\ndescription: Odds and ends\ntools:\n  - get-weather\n  - calculator\n---\nUse them as needed.';

const math = [
  '---',
  'name: math-workflow',
  'description: Multi-step arithmetic workflow',
  'tools:',
  '  - add-numbers',
  'steps:',
  '  - name: first-add',
  '    tool: add-numbers',
  '    input:',
  '      a: "$.input.a"',
  '      b: 5',
  '      exact: true',
  '---',
  '# Math Workflow',
].join('\n');

const toolsOf = ['get-weather', 'search-flights', 'search-hotels', 'search-activities'];

async function workspace(files: Readonly<Record<string, string>>) {
  const root = await skillFolders(Object.fromEntries(Object.entries(files).map(([name, text]) => [`skills/${name}/SKILL.md`, text])));
  return fileSystemSkillProvider({ roots: [`${root}/skills`] });
}

describe('a workspace of skills', () => {
  it('S1-1 S1-5 SRC-1 FMT-2: each folder of workspace/skills with a SKILL.md is a skill, with its tools', async () => {
    const provider = await workspace({ 'travel-planning': travel, 'general-tools': general });
    const { skills } = await provider.listSkills();
    expect(Object.fromEntries(skills.map(({ name, tools }) => [name, tools])), 'S1-1 S1-5').toEqual({
      'general-tools': ['get-weather', 'calculator'],
      'travel-planning': toolsOf,
    });
  });

  it('S1-2 FMT-3: `name` is the id; one that differs from its folder is told', async () => {
    const provider = await workspace({ travel: travel.replace('name: travel-planning', 'name: trips') });
    const { skills, diagnostics } = await provider.listSkills();
    expect(skills.map(({ name }) => name)).toEqual(['trips']);
    expect(diagnostics.map(({ skill }) => skill)).toContain('trips');
  });

  it('S1-3 FMT-3: without `name`, the folder names the skill', async () => {
    const provider = await workspace({ 'travel-planning': travel.replace('name: travel-planning\n', '') });
    expect((await provider.listSkills()).skills.map(({ name }) => name)).toEqual(['travel-planning']);
  });

  it('S1-4 FMT-1: without `description`, a skill is left out with an error', async () => {
    const provider = await workspace({ 'travel-planning': travel.replace(/description: .*\n/, ''), 'general-tools': general });
    const { skills, diagnostics } = await provider.listSkills();
    expect(skills.map(({ name }) => name)).toEqual(['general-tools']);
    expect(diagnostics).toMatchObject([{ severity: 'error', skill: 'travel-planning', message: expect.stringContaining('description') }]);
  });

  it('S1-6 FMT-2: steps are carried, with numbers and booleans typed', () => {
    expect(parseSkillMd(math).metadata?.steps).toEqual([
      { name: 'first-add', tool: 'add-numbers', input: { a: '$.input.a', b: 5, exact: true } },
    ]);
  });

  it('S1-7 S1-25 DIS-11: under "with-catalog" the body stands in the prompt of the agent', async () => {
    const provider = await workspace({ 'travel-planning': travel });
    const { session } = await converse({ provider, surface: { instructions: 'with-catalog', mode: 'system-prompt' } });
    const { events, text } = await session.load({ name: 'travel-planning' }, { state: emptySkillState });
    const state = session.apply(emptySkillState, events);
    expect(text).not.toContain('check the **weather**');
    expect(await session.activeInstructions(state), 'S1-7 S1-25').toContain('check the **weather** first');
  });

  it('S1-9 S1-23 GOV-1: the tools of the listed skills are one set; a tool that two of them name is open with either', async () => {
    const provider = await workspace({ 'travel-planning': travel, 'general-tools': general });
    const { session, call } = await converse({ provider, gates: { tools: ['get-weather', 'search-*', 'calculator'] } });
    const union = [...new Set(session.catalog.listed.flatMap(({ tools = [] }) => tools))];
    expect(union.toSorted(), 'S1-9').toEqual(['calculator', ...toolsOf].toSorted());
    expect(session.openedBy('get-weather'), 'S1-23').toEqual(['general-tools', 'travel-planning']);
    await call('load_skill', { name: 'general-tools' });
    const state = session.apply(emptySkillState, (await session.load({ name: 'general-tools' }, { state: emptySkillState })).events);
    const verdicts = await Promise.all(['get-weather', 'search-flights'].map((tool) => session.judgeCall(state, { tool, input: {} })));
    expect(verdicts.map(({ decision }) => decision === 'denied')).toEqual([false, true]);
  });

  it('S1-22 DIS-3: of a skill without steps, the model decides when to call its tools', async () => {
    const provider = await workspace({ 'travel-planning': travel });
    const { call, session } = await converse({ provider, gates: { tools: toolsOf } });
    await call('load_skill', { name: 'travel-planning' });
    const { events } = await session.load({ name: 'travel-planning' }, { state: emptySkillState });
    const state = session.apply(emptySkillState, events);
    const verdicts = await Promise.all(toolsOf.map((tool) => session.judgeCall(state, { tool, input: {} })));
    expect(verdicts.map(({ decision }) => decision)).not.toContain('denied');
  });
});

const sums = '---\ndescription: Adds.\nsteps:\n  - { name: add, tool: add, input: { a: "$.input.a" } }\n---\n# Sums';

async function adder(options: Partial<Parameters<typeof loadAgent<string, string>>[1]> = {}, skills = '[general-tools, sums]') {
  const root = await skillFolders({
    'agents/adder/AGENT.md': `---\nskills: ${skills}\n---\nYou add.`,
    'skills/general-tools/SKILL.md': general,
    'skills/sums/SKILL.md': sums,
  });
  const tools = { 'get-weather': 'weather', calculator: 'calculator' };
  return await loadAgent<string, string>(`${root}/agents/adder`, { tools, ...options });
}

describe('the steps of an agent', () => {
  const workflows = skillWorkflows({ tools: { add: ({ a }) => Number(a) + 1 } });
  const permissions = ({ action, context }: { readonly action: string; readonly context: string }) =>
    action === 'list' || context === 'owner';

  it('S1-15 S1-16 FMT-5 FLW-2: run when the agent runs, without a model that decides, under the permissions of the skillset', async () => {
    const agent = await adder({ skillset: { workflows, audience: { permissions } } });
    expect(await agent.run({ a: 6 }, { context: 'owner' }), 'S1-15 S1-16').toEqual([{ skill: 'sums', text: '7' }]);
    await expect(agent.run({}, { context: 'owner' })).rejects.toMatchObject({ code: 'invalid-input' });
    await expect(agent.run({ a: 1 }, { context: 'guest' })).rejects.toMatchObject({ code: 'permission-denied' });
  });

  it('FMT-5: say what is missing: a runner, steps, trust', async () => {
    const context = { context: 'owner' };
    await expect((await adder()).run({}, context)).rejects.toThrow(/skillWorkflows/);
    await expect((await adder({ skillset: { workflows } }, '[general-tools]')).run({}, context)).rejects.toMatchObject({
      code: 'unsupported',
    });
    const untrusted = await adder({ skillset: { workflows }, folders: { trusted: false } });
    await expect(untrusted.run({ a: 1 }, context)).rejects.toMatchObject({ code: 'unsupported' });
  });
});
