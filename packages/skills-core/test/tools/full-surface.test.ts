import { describe, expect, it } from 'vitest';
import { createSkillset, emptySkillState, type SkillDefinition, type SkillsetOptions } from '@repertoire/skills-core';
import { reduceSkillState } from '@repertoire/skills-core/adapter';

const weather: SkillDefinition = {
  name: 'weather',
  description: 'Current weather. Use when asked for it.',
  body: 'Call get_weather.',
  tools: ['get_weather'],
  resources: { 'references/api.md': '# API', 'assets/codes.md': '# Codes', 'scripts/run.py': 'print()' },
};

async function surface(options: Partial<SkillsetOptions> = {}) {
  const skillset = createSkillset({ skills: [weather], surface: { tools: 'full' }, ...options });
  const session = await skillset.open();
  const { tools } = session;
  const call = (name: string, input: unknown, state = emptySkillState) => {
    const tool = tools.find((candidate) => candidate.name === name);
    if (tool === undefined) throw new Error(`no tool ${name}`);
    return tool.execute(input, { state });
  };
  return { session, tools, call };
}

describe('the full surface', () => {
  it('DIS-7: has seven tools, in a fixed order, under the names of the skill-card system', async () => {
    const { tools } = await surface({ surface: { tools: 'full', names: 'cards' } });
    expect(tools.map((tool) => tool.name)).toEqual([
      'list_skills',
      'load_skill_md',
      'unload_skill',
      'list_skill_resources',
      'load_skill_resource',
      'list_skill_assets',
      'load_skill_asset',
    ]);
    for (const tool of tools) expect(tool.description).not.toMatch(/load_skill(?!_)|read_skill_file/);
  });

  it('DIS-7: lists skills, and files apart from assets', async () => {
    const { call } = await surface();
    expect((await call('list_skills', {})).text).toBe(
      '<available_skills>\n<skill name="weather">Current weather. Use when asked for it.</skill>\n</available_skills>',
    );
    expect((await call('list_skill_resources', { skill: 'weather' })).text).toBe(
      '<skill_files skill="weather">\nreferences/api.md (text/markdown, 5 bytes)\nscripts/run.py (text/x-python, 7 bytes)\n</skill_files>',
    );
    expect((await call('list_skill_assets', { skill: 'Weather' })).text).toContain('\nassets/codes.md (text/markdown, 7 bytes)\n');
    expect((await call('list_skill_assets', { skill: 'wether' })).text).toContain('Did you mean "weather"?');
  });

  it('DIS-7 DIS-18: gives a long list in parts that hold every skill once', async () => {
    const skills = Array.from({ length: 300 }, (_, index) => ({ name: `skill-${index}`, description: 'Words. '.repeat(30), body: '' }));
    const { call } = await surface({ skills, limits: { maxResourceCharacters: 5_000 } });
    const names: string[] = [];
    for (let start = 1; start <= 300;) {
      const { text } = await call('list_skills', { start });
      expect(text.length).toBeLessThan(5_200);
      const found = [...text.matchAll(/<skill name="([^"]+)"/g)].map((match) => match[1] ?? '');
      names.push(...found);
      start += found.length;
      expect(text.includes(`Skills ${start} to 300 follow: call list_skills with start ${start}.`)).toBe(start <= 300);
    }
    expect(new Set(names).size).toBe(300);
    expect((await call('list_skills', { start: 301 })).error?.code).toBe('invalid-input');
  });

  it('DIS-7: reads each, also under the argument names of that system', async () => {
    const { call } = await surface();
    expect((await call('load_skill_resource', { skill_id: 'weather', resource_path: 'references/api.md' })).text).toContain('# API');
    expect((await call('load_skill_asset', { skill_id: 'weather', asset_path: 'assets/codes.md' })).text).toContain('# Codes');
    expect((await call('load_skill_asset', { skill: 'weather', path: 'assets/cods.md' })).text).toContain(
      'Did you mean "assets/codes.md"? Its files: assets/codes.md.',
    );
  });

  it('DIS-7: a loaded skill names the tool that reads its files', async () => {
    const { call } = await surface();
    expect((await call('load_skill', { skill_id: 'weather' })).text).toContain('Read one with load_skill_resource (skill: "weather")');
  });
});

describe('unload_skill', () => {
  it('DIS-6: ends a skill; then it can be loaded again in full', async () => {
    const { call, session } = await surface();
    const loaded = await call('load_skill', { name: 'weather' });
    const state = loaded.events.reduce((current, event) => reduceSkillState(current, event), emptySkillState);
    const unloaded = await call('unload_skill', { name: '/Weather' }, state);
    expect(unloaded.text).toBe(
      '<skill_unloaded name="weather">\nSkill "weather" is no longer active. Its instructions above are void: stop following them.\n</skill_unloaded>',
    );
    const after = unloaded.events.reduce((current, event) => reduceSkillState(current, event), state);
    expect(after).toEqual(emptySkillState);
    expect((await session.judgeCall(state, { tool: 'get_weather' })).decision).toBe('allowed');
    expect(await session.judgeCall(after, { tool: 'get_weather' })).toMatchObject({ decision: 'denied', openedBy: ['weather'] });
    expect((await call('load_skill', { name: 'weather' }, after)).text).toBe(loaded.text);
  });

  it('DIS-6: says what is loaded where the name is not', async () => {
    const { call } = await surface();
    const state = (await call('load_skill', { name: 'weather' })).events.reduce(
      (current, event) => reduceSkillState(current, event),
      emptySkillState,
    );
    expect(await call('unload_skill', { name: 'wetter' }, state)).toMatchObject({
      error: { code: 'not-loaded' },
      text: 'Error (not-loaded): Skill "wetter" is not loaded. Loaded skills: weather.',
      events: [],
    });
    expect((await call('unload_skill', { name: 'weather' })).text).toContain('No skill is loaded.');
  });

  it('DIS-6: is offered only where ending a skill has an effect, or where the host wants it', async () => {
    const names = async (options: SkillsetOptions) => {
      const skillset = createSkillset(options);
      return (await skillset.open()).tools.map((tool) => tool.name);
    };
    const plain = { ...weather, tools: undefined };
    expect(await names({ skills: [plain] })).toEqual(['load_skill', 'read_skill_file']);
    expect(await names({ skills: [plain], surface: { unload: true } })).toEqual(['load_skill', 'read_skill_file', 'unload_skill']);
    expect(await names({ skills: [weather] })).toEqual(['load_skill', 'read_skill_file', 'unload_skill']);
    for (const effect of [{ model: 'large' }, { fields: { mcps: {} } }, { fields: { local_tools: {} } }])
      expect(await names({ skills: [{ ...plain, ...effect }] })).toContain('unload_skill');
    expect(await names({ skills: [weather], surface: { unload: false } })).not.toContain('unload_skill');
  });
});
