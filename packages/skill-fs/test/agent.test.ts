import { writeFile } from 'node:fs/promises';
import { createSkillset, defineSkill, emptySkillState, type SkillActivity } from '@repertoire/skills-core';
import { describe, expect, it } from 'vitest';
import { loadAgent, standingSkillset } from '../src/agent.ts';
import { temporaryFolder } from './temporary-folder.ts';

const md = (frontmatter: string, body: string): string => `---\n${frontmatter}\n---\n\n${body}\n`;

async function workspace(files: Readonly<Record<string, string>> = {}) {
  return await temporaryFolder({
    'agents/planner/AGENT.md': md('skills:\n  - travel-planning\n  - general-tools\n  - travel-planning\nmodel: fast', 'You plan trips.'),
    'skills/travel-planning/SKILL.md': md(
      'name: travel-planning\ndescription: Plans trips.\ntools:\n  - get-weather\n  - search-flights',
      '# Travel Planning\n\nCheck the weather first.',
    ),
    'skills/travel-planning/references/visa.md': 'Bring a passport.',
    'skills/general-tools/SKILL.md': md('description: Tells dates.\ntools: [today, get-weather]', '# General\n\nAsk for today.'),
    'skills/email-tools/SKILL.md': md('name: email-tools\ndescription: Sends mail.\ntools: [send-mail]', '# Mail'),
    ...files,
  });
}
const tools = { 'send-mail': 'mail', today: 'today', 'get-weather': 'weather', 'search-flights': 'flights' };
const count = (text: string, part: string): number => text.split(part).length - 1;

describe('loadAgent', () => {
  it('FMT-5: has exactly the skills of its list, and the tools that they name, each once', async () => {
    const folder = await workspace();
    const { id, model, description, instructions, tools: own, skillset } = await loadAgent(folder.at('agents/planner'), { tools });
    expect({ id, model, description, instructions }).toEqual({
      id: 'planner',
      model: 'fast',
      description: undefined,
      instructions: 'You plan trips.',
    });
    expect(Object.entries(own), 'S1-10').toEqual([
      ['get-weather', 'weather'],
      ['search-flights', 'flights'],
      ['today', 'today'],
    ]);
    const { catalog } = await skillset.open();
    expect(
      catalog.listed.map(({ name }) => name),
      'S1-8',
    ).toEqual(['general-tools', 'travel-planning']);
  });

  it('FMT-5: the instructions of its skills stand in the prompt once, in its order, and nothing loads them again', async () => {
    const folder = await workspace();
    const { skillset, instructions } = await loadAgent(folder.at('agents/planner'), { tools });
    const session = await skillset.open();
    const prompt = session.instructions(instructions);
    expect(prompt.startsWith('You plan trips.\n\nThese skills are in force from the start.')).toBe(true);
    expect([count(prompt, 'Check the weather first.'), count(prompt, 'Ask for today.'), count(prompt, '# Mail')]).toEqual([1, 1, 0]);
    expect(prompt.indexOf('# Travel Planning')).toBeLessThan(prompt.indexOf('# General'));
    expect(session.catalog.text).toBe(session.instructions());
    expect(session.tools.map(({ name }) => name)).toEqual(['read_skill_file']);
    expect(skillset.toolDescriptions.map(({ name }) => name)).toEqual(['read_skill_file']);
    const again = await session.load({ name: 'travel-planning' }, { state: emptySkillState });
    expect(again.text).not.toContain('Check the weather first.');
    expect(again.events).toEqual([]);
  });

  it('FMT-5: reads the files of its skills, and no others', async () => {
    const folder = await workspace();
    const session = await (await loadAgent(folder.at('agents/planner'), { tools })).skillset.open();
    const read = async (skill: string, path: string) => await session.tools[0]!.execute({ skill, path }, { state: emptySkillState });
    expect((await read('travel-planning', 'references/visa.md')).text).toContain('Bring a passport.');
    expect((await read('email-tools', 'SKILL.md')).error?.code).toBe('skill-not-found');
  });

  it('FMT-5: has no tool for files where no skill has any', async () => {
    const folder = await workspace({ 'agents/clerk/AGENT.md': md('skills: [general-tools]', 'You tell dates.') });
    const { skillset } = await loadAgent(folder.at('agents/clerk'), { tools });
    expect((await skillset.open()).tools).toEqual([]);
  });

  it('FMT-5: on demand, the prompt lists the skills and the model loads them', async () => {
    const folder = await workspace();
    const { skillset, tools: own } = await loadAgent(folder.at('agents/planner'), { tools, bodies: 'on-demand' });
    const session = await skillset.open();
    expect(session.instructions()).toContain('Plans trips.');
    expect(session.instructions()).not.toContain('Check the weather first.');
    expect(session.tools.map(({ name }) => name)).toContain('load_skill');
    expect(Object.keys(own)).toEqual(['get-weather', 'search-flights', 'today']);
  });

  it('FMT-5: an edited skill is in the next session; a tool that it then names is not', async () => {
    const folder = await workspace();
    const { skillset, tools: own } = await loadAgent(folder.at('agents/planner'), { tools, folders: { staleAfterMs: 0 } });
    const before = (await skillset.open()).instructions();
    expect((await skillset.open()).instructions()).toBe(before);
    await writeFile(
      folder.at('skills/general-tools/SKILL.md'),
      md('description: Tells dates.\ntools: [today, send-mail]', 'Mail everybody.'),
    );
    expect((await skillset.open()).instructions()).toContain('Mail everybody.');
    expect(Object.keys(own)).not.toContain('send-mail');
  });

  it('FMT-5, GOV-6: skills of a folder that is not trusted bring no tools', async () => {
    const folder = await workspace();
    const { tools: own, skillset } = await loadAgent(folder.at('agents/planner'), { tools, folders: { trusted: false } });
    expect(own).toEqual({});
    expect((await skillset.open()).instructions()).toContain('trust="untrusted"');
  });

  it.each([
    ['agents/none', 'resource-not-found', 'Give loadAgent the folder of an agent'],
    ['agents/bare', 'invalid-skill', 'no frontmatter'],
    ['agents/empty', 'invalid-skill', 'Its skills are missing'],
    ['agents/escape', 'invalid-skill', '"../agents/planner"'],
    ['agents/ghost', 'skill-not-found', '"ghost"'],
    ['agents/broken', 'skill-not-found', 'description'],
    ['agents/toolless', 'invalid-options', '"juggle"'],
    ['agents/twins', 'skill-not-found', '"twin-b"'],
  ])('FMT-5: %s is refused with %s', async (agent, code, message) => {
    const folder = await workspace({
      'agents/bare/AGENT.md': 'No frontmatter.',
      'agents/empty/AGENT.md': md('description: Nothing.', 'x'),
      'agents/escape/AGENT.md': md('skills: ["../agents/planner"]', 'x'),
      'agents/ghost/AGENT.md': md('skills: [ghost]', 'x'),
      'agents/broken/AGENT.md': md('skills: [broken]', 'x'),
      'skills/broken/SKILL.md': md('name: broken', 'No description.'),
      'agents/toolless/AGENT.md': md('skills: [juggler]', 'x'),
      'skills/juggler/SKILL.md': md('name: juggler\ndescription: Juggles.\ntools: [juggle]', 'x'),
      'agents/twins/AGENT.md': md('skills: [twin-a, twin-b]', 'x'),
      'skills/twin-a/SKILL.md': md('name: twin\ndescription: A.', 'x'),
      'skills/twin-b/SKILL.md': md('name: twin\ndescription: B.', 'x'),
    });
    await expect(loadAgent(folder.at(agent), { tools })).rejects.toMatchObject({ code, message: expect.stringContaining(message) });
  });
});

it('FMT-5: tools may be a list, and stand open without a word, since the list of skills says so', async () => {
  const folder = await workspace();
  const named = Object.keys(tools).map((name) => ({ name }));
  const told: string[] = [];
  const agent = await loadAgent(folder.at('agents/planner'), { tools: named, skillset: { onDiagnostic: ({ code }) => told.push(code) } });
  expect(Object.keys(agent.tools)).toEqual(['get-weather', 'search-flights', 'today']);
  await agent.skillset.open({ availableTools: Object.keys(agent.tools) });
  expect(told.filter((code) => code !== 'name-missing')).toEqual([]);
});

describe('standingSkillset', () => {
  const vault = defineSkill({ name: 'vault', description: 'Opens the vault.', body: 'Turn left.', tools: ['open_vault'] });

  it('FMT-5, GOV-1: opens the gates of its skills from the start, in no state of the conversation', async () => {
    const session = await standingSkillset(createSkillset({ skills: [vault] }), ['vault']).open();
    expect((await session.judgeCall(emptySkillState, { tool: 'open_vault', input: {} })).decision).toBe('allowed');
    expect((await session.active(emptySkillState)).map(({ name }) => name)).toEqual(['vault']);
    expect(session.state([])).toEqual(emptySkillState);
  });

  it('FMT-5, GOV-5: leaves out what the request may not load, and keeps its gate closed', async () => {
    const heard: SkillActivity[] = [];
    const skillset = createSkillset<string>({
      skills: [vault],
      audience: { permissions: ({ action, context }) => action === 'list' || context === 'owner' },
      onEvent: (event) => void heard.push(event),
    });
    const standing = standingSkillset(skillset, ['vault']);
    const session = await standing.open({ context: 'guest' });
    expect(session.instructions('You guard.')).toBe('You guard.');
    expect((await session.judgeCall(emptySkillState, { tool: 'open_vault', input: {} })).decision).toBe('denied');
    expect(heard).toContainEqual(expect.objectContaining({ type: 'skill_denied', skill: 'vault' }));
    expect((await standing.open({ context: 'owner' })).instructions()).toContain('Turn left.');
  });
});
