import { skillCardProvider } from '@repertoire/skill-cards/provider';
import { describe, expect, it } from 'vitest';

const card = (fields: Readonly<Record<string, unknown>> = {}): string =>
  JSON.stringify({
    id: 'weather',
    version: '1.0.0',
    name: 'Weather Lookup',
    description: 'Current weather.',
    base_uri: '.',
    files: ['SKILL.md', 'references/api.md'],
    local_tools: { get_weather: { id: 'get_weather', version: '1.0.0', import_path: 'my_tools.get_weather' } },
    ...fields,
  });

describe('skillCardProvider', () => {
  const files = (entries: Readonly<Record<string, string>>) => async (location: URL) => {
    const text = entries[location.href];
    return text === undefined ? null : new TextEncoder().encode(text);
  };
  const location = new URL('app:///weather/skill-card.json');

  it('FMT-4: identity by the card, instructions by SKILL.md, files by the list', async () => {
    const provider = skillCardProvider({
      location,
      trusted: true,
      readFile: files({
        'app:///weather/skill-card.json': card({ base_uri: './files' }),
        'app:///weather/files/SKILL.md': '---\nname: else\ndescription: Else.\ndisable-model-invocation: true\ntools: [other]\n---\nBody.',
        'app:///weather/files/references/api.md': '# API',
        'app:///weather/files/unlisted.md': 'No.',
      }),
    });
    const skill = await provider.getSkill('weather');
    expect(skill).toMatchObject({
      name: 'weather',
      version: '1.0.0',
      body: 'Body.',
      disableModelInvocation: true,
      tools: ['other', 'get_weather'],
      origin: { kind: 'card', trusted: true },
    });
    expect(skill?.resources.map(({ path }) => path)).toEqual(['references/api.md']);
    expect(new TextDecoder().decode((await provider.readResource('weather', 'references/api.md'))?.bytes)).toBe('# API');
    expect(await provider.readResource('weather', 'unlisted.md')).toBeNull();
    expect((await provider.listSkills()).skills.map(({ name }) => name)).toEqual(['weather']);
  });

  it('FMT-4, CON-9: SKILL.md is the author’s, byte for byte; what was odd is told; while nothing changes, nor does the listing', async () => {
    const raw = '\uFEFF---\nname: Weather Lookup\ndescription: Else.\nallowed-tools: [Read]\n---\nBody.\r\n';
    const entries: Record<string, string> = {
      'app:///weather/skill-card.json': card({ files: ['SKILL.md', '../x'] }),
      'app:///weather/SKILL.md': raw,
    };
    const provider = skillCardProvider({ location, readFile: files(entries) });
    const read = await provider.readResource('weather', 'SKILL.md');
    expect(new TextDecoder('utf-8', { ignoreBOM: true }).decode(read?.bytes)).toBe(raw);
    const listing = await provider.listSkills();
    expect(listing.diagnostics.map(({ code, severity, skill }) => `${code} ${severity} ${skill}`)).toEqual(
      expect.arrayContaining(['card-file warning weather', 'allowed-tools-separator info weather']),
    );
    expect(listing.diagnostics.filter(({ code }) => code.startsWith('name'))).toEqual([]);
    expect((await provider.getSkill('weather'))?.diagnostics).toEqual(listing.diagnostics);
    expect(await provider.listSkills()).toBe(listing);
    entries['app:///weather/SKILL.md'] = '# Another body';
    expect(await provider.listSkills()).not.toBe(listing);
    expect(await provider.getSkill('weather')).toMatchObject({
      name: 'weather',
      body: '# Another body',
      diagnostics: [{ code: 'card-file' }],
    });
  });

  it.each([
    [
      'an extension that nobody knows',
      { 'app:///weather/skill-card.json': card({ extensions: [{ uri: 'urn:x', required: true }] }) },
      'invalid-skill',
    ],
    ['no card', {}, 'source-unavailable'],
    [
      'a SKILL.md that may forbid the model to start it, and cannot be read',
      { 'app:///weather/skill-card.json': card(), 'app:///weather/SKILL.md': '---\ndisable-model-invocation: true\n---\nBody.' },
      'invalid-skill',
    ],
    ['no JSON', { 'app:///weather/skill-card.json': '{' }, 'invalid-skill'],
    ['no SKILL.md', { 'app:///weather/skill-card.json': card() }, 'source-unavailable'],
    ['a base that leads out', { 'app:///weather/skill-card.json': card({ base_uri: '../..' }) }, 'invalid-path'],
  ])('FMT-4: %s', async (_, entries, code) => {
    await expect(skillCardProvider({ location, readFile: files(entries) }).listSkills()).rejects.toMatchObject({ code });
  });
});
