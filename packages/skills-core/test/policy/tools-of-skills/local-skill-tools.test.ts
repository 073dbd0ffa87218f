import { describe, expect, it } from 'vitest';
import type { SkillMetadata } from '@repertoire/skills-core';
import { localSkillTools, type LocalSkillToolKind, type LocalSkillToolOptions } from '@repertoire/skills-core/adapter';

const uri = 'file:///srv/skills/weather/';

function skill(importPath: string, { trusted = true, at = uri }: { trusted?: boolean; at?: string | null } = {}): SkillMetadata {
  return {
    name: 'weather',
    version: null,
    description: 'Tells the weather. Use when asked.',
    origin: { kind: 'fs', label: 'skills', trusted, ...(at !== null && { uri: at }) },
    fields: { local_tools: { forecast: { import_path: importPath } } },
  };
}

const texts: LocalSkillToolKind<string> = {
  isTool: (value): value is string => typeof value === 'string',
  title: 'text',
  fix: 'Export a text.',
};

async function find(metadata: SkillMetadata, options: LocalSkillToolOptions) {
  const imported: string[] = [];
  const importModule = async (url: string) => (imported.push(url), { getWeather: 'the tool', default: 'the default' });
  const { tools, diagnostics } = await localSkillTools({ importModule, ...options }, texts)(metadata);
  return { tools: Object.fromEntries(tools), imported, problems: diagnostics.map(({ message }) => message) };
}

describe('localSkillTools', () => {
  it('SRC-8: imports the named export of a module inside the skill, from folders that the host trusts', async () => {
    const found = { tools: { forecast: 'the tool' }, imported: [`${uri}tools.js`], problems: [] };
    expect(await find(skill('./tools.js#getWeather'), { folders: ['file:///srv/skills'] })).toEqual(found);
    expect(await find(skill('./tools.js#getWeather'), { folders: [new URL('file:///srv/skills/')] })).toEqual(found);
    expect(await find(skill('tools.js'), { folders: ['file:///srv/skills/'] })).toMatchObject({ tools: { forecast: 'the default' } });
  });

  it('SRC-8: takes from the map by import path, then by name, and imports nothing then', async () => {
    const found = { tools: { forecast: 'mapped' }, imported: [], problems: [] };
    expect(await find(skill('./tools.js#getWeather'), { map: { './tools.js#getWeather': 'mapped' }, folders: ['file:///'] })).toEqual(
      found,
    );
    expect(await find(skill('my_tools.get_weather'), { map: { forecast: 'mapped' } })).toEqual(found);
  });

  it('SRC-8: a folder is a file: URL or an absolute path; any other is refused when the tools are set up', async () => {
    const at = skill('./tools.js', { at: 'file:///srv/100%25%23%20new/weather/' });
    expect(await find(at, { folders: ['/srv/100%# new/'] })).toMatchObject({ tools: { forecast: 'the default' } });
    for (const folder of ['./skills', 'skills', 'C:\\skills', 'https://evil.example/', ''])
      expect(() => localSkillTools({ folders: [folder] }, texts)).toThrow(expect.objectContaining({ code: 'invalid-options' }) as Error);
  });

  it.each([
    ['another folder', skill('./tools.js#getWeather'), { folders: ['file:///srv/other/'] }],
    ['a folder whose name only begins alike', skill('./tools.js#getWeather'), { folders: ['file:///srv/ski'] }],
    ['no folder', skill('./tools.js#getWeather'), {}],
    ['a skill that is nowhere', skill('./tools.js#getWeather', { at: null }), { folders: ['file:///'] }],
    ['a skill on the web', skill('./tools.js#getWeather', { at: 'https://evil.example/srv/' }), { folders: ['file:///'] }],
    ['a way out of the skill', skill('../tools.js#getWeather'), { folders: ['file:///'] }],
    ['an absolute path', skill('/etc/tools.js#getWeather'), { folders: ['file:///'] }],
    ['a package', skill('@acme/tools#getWeather'), { folders: ['file:///'] }],
    ['a builtin', skill('node:fs#readFile'), { folders: ['file:///'] }],
    ['a name of the map that is inherited', skill('toString'), { folders: ['file:///'], map: {} }],
  ])('SRC-8: imports nothing from %s, and says why', async (_what, metadata, options) => {
    const { tools, imported, problems } = await find(metadata, options);
    expect({ tools, imported, problems: problems.length }).toEqual({ tools: {}, imported: [], problems: 1 });
  });

  it('SRC-8, GOV-6: an untrusted skill gets nothing, not even from the map', async () => {
    const options = { map: { forecast: 'mapped' }, folders: ['file:///'] };
    expect(await find(skill('./tools.js#getWeather', { trusted: false }), options)).toEqual({ tools: {}, imported: [], problems: [] });
  });

  it('SRC-8: a module that breaks or lacks the export is a diagnostic', async () => {
    const folders = ['file:///'];
    const importModule = () => Promise.reject(new Error('syntax'));
    const broken = await localSkillTools({ folders, importModule }, texts)(skill('./tools.js#getWeather'));
    expect(broken.diagnostics).toEqual([
      expect.objectContaining({ code: 'local-tool', skill: 'weather', message: expect.stringContaining('syntax') }),
    ]);
    expect((await find(skill('./tools.js#getRain'), { folders })).problems).toEqual([expect.stringContaining('no export "getRain"')]);
  });

  it('SRC-8: what is no tool of the framework is left out, and a diagnostic says what to export', async () => {
    const { tools, diagnostics } = await localSkillTools({ map: { forecast: 7 } }, texts)(skill('./tools.js#getWeather'));
    expect([...tools]).toEqual([]);
    expect(diagnostics).toMatchObject([
      { code: 'local-tool', message: 'The local tool "forecast" of skill "weather" is no text.', fix: 'Export a text.' },
    ]);
  });
});
