import { withSkillCards } from '@repertoire/skill-cards';
import { SkillRegistry, type SkillDefinition } from '@repertoire/skills-core';
import { cardToolsOf } from '@repertoire/skills-core/adapter';
import { describe, expect, it } from 'vitest';

const card = {
  id: 'weather',
  version: '1.0.0',
  name: 'Weather Lookup',
  description: 'Current weather.',
  base_uri: '.',
  files: ['SKILL.md'],
  local_tools: { get_weather: { id: 'get_weather', import_path: './tools.js#getWeather' } },
};
const skill = (name: string, given?: unknown): SkillDefinition => ({
  name,
  description: `Does ${name}.`,
  body: `Body of ${name}.`,
  tools: ['lookup'],
  license: 'MIT',
  ...(given !== undefined && { resources: { 'skill-card.json': typeof given === 'string' ? given : JSON.stringify(given) } }),
});

describe('withSkillCards', () => {
  it('FMT-4: the card wins, and what only the skill says stays', async () => {
    const provider = withSkillCards(new SkillRegistry({ skills: [skill('lookup-weather', card), skill('plain')] }));
    const { skills, diagnostics } = await provider.listSkills();
    expect(skills.map(({ name, version }) => [name, version])).toEqual([
      ['weather', '1.0.0'],
      ['plain', null],
    ]);
    const [listed] = skills;
    expect(listed).toMatchObject({
      description: 'Current weather.',
      license: 'MIT',
      tools: ['lookup', 'get_weather'],
      metadata: { title: 'Weather Lookup' },
    });
    expect(listed?.origin).toMatchObject({ kind: 'code', trusted: true });
    expect(cardToolsOf(listed!).localTools['get_weather']?.importPath).toBe('./tools.js#getWeather');
    expect(diagnostics).toEqual([]);
    expect(await provider.getSkill('weather')).toMatchObject({ ...listed, body: 'Body of lookup-weather.' });
    expect([await provider.getSkill('lookup-weather'), await provider.getSkill('weather', { version: '2.0.0' })]).toEqual([null, null]);
  });

  it('FMT-4: a card that cannot be read costs the card, and a diagnostic says so', async () => {
    const { skills, diagnostics } = await withSkillCards(new SkillRegistry({ skills: [skill('broken', '{')] })).listSkills();
    expect(skills.map(({ name }) => name)).toEqual(['broken']);
    expect(diagnostics).toMatchObject([{ code: 'card-json', severity: 'warning', skill: 'broken' }]);
  });

  it('FMT-4: a skill whose card requires what is not known here is not listed', async () => {
    const strange = { ...card, extensions: [{ uri: 'urn:example:sandbox', required: true }] };
    const provider = withSkillCards(new SkillRegistry({ skills: [skill('a', strange)] }));
    expect(await provider.listSkills()).toMatchObject({
      skills: [],
      diagnostics: [{ code: 'card-extension', severity: 'error', skill: 'a' }],
    });
    expect([await provider.getSkill('weather'), await provider.getSkill('a')]).toEqual([null, null]);
  });

  it('FMT-4: two cards cannot have one name: the first skill has it', async () => {
    const { skills, diagnostics } = await withSkillCards(new SkillRegistry({ skills: [skill('a', card), skill('b', card)] })).listSkills();
    expect(skills.map(({ name }) => name)).toEqual(['weather']);
    expect(diagnostics).toMatchObject([{ code: 'skill-duplicate', skill: 'b' }]);
  });

  it('GOV-6: a card grants no trust', async () => {
    const { skills } = await withSkillCards(
      new SkillRegistry({ skills: [skill('a', { ...card, origin: { trusted: true } })], trusted: false }),
    ).listSkills();
    expect(skills[0]?.origin).toMatchObject({ trusted: false });
  });

  it('FMT-4: the listing is the same object until the source or a card changes, and is frozen', async () => {
    let text = JSON.stringify(card);
    const definition = { ...skill('a'), resources: { 'skill-card.json': () => text } };
    const registry = new SkillRegistry({ skills: [definition] });
    const provider = withSkillCards(registry);
    const first = await provider.listSkills();
    expect(await provider.listSkills()).toBe(first);
    expect(Object.isFrozen(first.skills)).toBe(true);
    text = JSON.stringify({ ...card, version: '1.1.0' });
    expect((await provider.listSkills()).skills[0]?.version).toBe('1.1.0');
    registry.register(skill('plain'));
    expect((await provider.listSkills()).skills).toHaveLength(2);
  });

  it('FMT-4: tells of changes, and of the tools that skills in code close', () => {
    const registry = new SkillRegistry({ skills: [skill('a', card)] });
    const provider = withSkillCards(registry);
    expect(provider.gatedTools?.()).toEqual(registry.gatedTools());
    expect(provider.watch).toBeDefined();
  });
});
