import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { execFileSync } from 'node:child_process';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { checkAgent, compileAgent, runAgent, type AgentSources } from '@repertoire/declarative';
import { loadAgentFile, readAgentFile } from '@repertoire/declarative/node';
import { defineSkill, SkillError, SkillRegistry, type SkillProvider } from '@repertoire/skills-core';
import { fileSystemSkillProvider } from '@repertoire/skill-fs';
import { httpSkillProvider } from '@repertoire/skill-http';
import { createSkillsHandler } from '@repertoire/skill-http/server';
import { scriptedModel } from '@repertoire/skills-testkit/langchain';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { call, hostTools, registry, textsOf } from './agents.ts';

let folder = '';
const write = async (path: string, text: string): Promise<void> => {
  await mkdir(join(folder, path, '..'), { recursive: true });
  await writeFile(join(folder, path), text);
};
const skillMd = (name: string, body = `Body of ${name}.`): string => `---\nname: ${name}\ndescription: About ${name}.\n---\n${body}\n`;
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
/** An agent whose prompt is its catalog. */
const agent = (skills: string): string =>
  `skills:\n${skills}\nllms: [{ id: main }]\nnodes: [{ name: a, type: call_llm, args: { prompt: 'string(skills)', tools: [{ id: load_skill_md }, { id: load_skill_resource }], use_tools_from_loaded_skills: true } }]\n`;
const catalogOf = async (text: string, options: Parameters<typeof compileAgent>[1]): Promise<unknown> => {
  const model = scriptedModel([{ text: 'ok' }]);
  await runAgent(text, { ...options, models: { main: model }, input: 'Hi' });
  return JSON.parse(model.calls[0]?.messages[0]?.text ?? '');
};
const problemsOf = async (text: string, options: Parameters<typeof checkAgent>[1]): Promise<string[]> =>
  (await checkAgent(text, options)).problems.map(({ code, line, column, message, fix }) => `${code} ${line}:${column} ${message} ${fix}`);

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'repertoire-declarative-'));
  await write('skills/weather/skill-card.json', card());
  await write('skills/weather/SKILL.md', skillMd('weather', 'Call get_weather.'));
  await write('skills/weather/references/api.md', '# The API');
  await write('skills/notes/SKILL.md', skillMd('notes'));
  await write('secret/skill-card.json', card({ id: 'secret' }));
  await write('secret/SKILL.md', skillMd('secret'));
  await write('agents/a.agent.yaml', agent('  - { id: weather, version: "1.0.0", skill_card_path: ../skills/weather/skill-card.json }'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

describe('where skills come from', () => {
  it('DEC-1: a card, relative to the file; its files, its tools, its name for people', async () => {
    const model = scriptedModel([
      call('load_skill_md', { name: 'weather' }),
      call('load_skill_resource', { skill: 'weather', path: 'references/api.md' }),
      call('get_weather'),
      { text: 'ok' },
    ]);
    const { done, tools } = hostTools('get_weather');
    const graph = await loadAgentFile(join(folder, 'agents/a.agent.yaml'), {
      models: { main: model },
      tools,
    });
    const { messages } = await graph.invoke({ messages: [{ role: 'user', content: 'Hi' }] });
    expect(JSON.parse(model.calls[0]?.messages[0]?.text ?? '')).toEqual({
      weather: { id: 'weather', version: '1.0.0', name: 'Weather Lookup', description: 'Current weather.' },
    });
    expect(textsOf(messages)[2]).toContain('Call get_weather.');
    expect(textsOf(messages)[4]).toContain('# The API');
    expect(done).toEqual(['get_weather']);
  });

  it('DEC-1: what the host’s own file names is followed and trusted; a card in it leads no further, and the file of somebody else nowhere', async () => {
    await write('elsewhere/away/skill-card.json', card({ id: 'away', base_uri: '../../secret' }));
    const load = async (path: string, trusted?: boolean): Promise<string> => {
      await write('agents/own.agent.yaml', agent(`  - { id: ${path.split('/').at(-2)}, skill_card_path: ${path} }`));
      const loaded = loadAgentFile(join(folder, 'agents/own.agent.yaml'), { models: () => scriptedModel([]), trusted });
      return await loaded.then(
        () => 'loaded',
        (error: unknown) => String(error),
      );
    };
    expect(await load('../secret/skill-card.json')).toBe('loaded');
    expect(await load(join(folder, 'secret/skill-card.json'))).toBe('loaded');
    expect(await load('../secret/skill-card.json', false)).toMatch(/which this agent may not read/);
    expect(await load('../elsewhere/away/skill-card.json')).toMatch(/base_uri "..\/..\/secret" cannot be used/);
  });

  it('DEC-1: a card on the web says which origin the host has to allow, and its files come with it', async () => {
    const handler = createSkillsHandler(
      registry(defineSkill({ name: 'weather', version: '1.0.0', description: 'Weather.', body: 'Look outside.' })),
      {
        cards: true,
      },
    );
    const url = 'https://skills.example.com/.well-known/agent-skills/weather/skill-card.json';
    const path = join(folder, 'agents/web.agent.yaml');
    await write('agents/web.agent.yaml', agent(`  - { id: weather, skill_card_path: "${url}" }`));
    const model = scriptedModel([call('load_skill_md', { name: 'weather' }), { text: 'ok' }]);
    const asked: string[] = [];
    const host = {
      models: { main: model },
      fetch: async (request: Request) => {
        asked.push(new URL(request.url).pathname.split('/').at(-1) ?? '');
        return await handler(request);
      },
    };
    await expect(loadAgentFile(path, host)).rejects.toThrow(/allowedOrigins: \["https:\/\/skills\.example\.com"\]/);
    const graph = await loadAgentFile(path, { ...host, allowedOrigins: ['https://skills.example.com'] });
    const { messages } = await graph.invoke({ messages: [{ role: 'user', content: 'Hi' }] });
    expect(textsOf(messages)[2]).toContain('Look outside.');
    // Each once, however often the skill is listed, loaded and looked at again.
    expect(asked.toSorted()).toEqual(['SKILL.md', 'skill-card.json']);
  });

  it('DEC-1: without trust, the card opens no tool', async () => {
    const model = scriptedModel([call('load_skill_md', { name: 'weather' }), call('get_weather'), { text: 'ok' }]);
    const { done, tools } = hostTools('get_weather');
    const told: string[] = [];
    const graph = await loadAgentFile(join(folder, 'agents/a.agent.yaml'), {
      models: { main: model },
      tools,
      within: [join(folder, 'skills')],
      trusted: false,
      skillset: { onDiagnostic: ({ code, fix }) => told.push(`${code}: ${fix}`) },
    });
    await graph.invoke({ messages: [{ role: 'user', content: 'Hi' }] });
    expect(done).toEqual([]);
    expect(told).toContainEqual(expect.stringMatching(/^gate-without-skill: .*`trusted: true`/));
  });

  it('DEC-1: folders, with all skills or one; URLs; the registry; versions by range', async () => {
    const published = new SkillRegistry({
      skills: [
        defineSkill({ name: 'customs', description: 'Forms.', body: 'Ask.' }),
        defineSkill({ name: 'other', description: 'Other.', body: 'No.' }),
      ],
    });
    const handler = createSkillsHandler(published);
    const asked: string[] = [];
    const sources: AgentSources = {
      folder: (location, request) => {
        asked.push(`${location.pathname.slice(folder.length)} ${JSON.stringify(request)}`);
        return fileSystemSkillProvider({ roots: [location] });
      },
      url: (location) => httpSkillProvider({ url: location.href, fetch: handler }),
    };
    const many = registry(
      ...['1.0.0', '1.4.0', '2.0.0'].map((version) =>
        defineSkill({ name: 'billing', version, description: `Version ${version}.`, body: 'B' }),
      ),
      defineSkill({ name: 'hidden', description: 'Not named.', body: 'H' }),
    );
    const text = agent(
      `  - { folder: ../skills }\n  - { id: customs, url: "https://skills.example.com" }\n  - { id: billing, version: ^1.2 }`,
    );
    const options = { sources, skills: many, basePath: join(folder, 'agents'), within: [join(folder, 'skills')] };
    expect(
      Object.entries((await catalogOf(text, options)) as Record<string, { version: string | null }>).map(
        ([id, { version }]) => `${id} ${version}`,
      ),
    ).toEqual(['billing 1.4.0', 'customs null', 'notes null', 'weather null']);
    expect(asked).toEqual(['/skills {}']);
    const one = agent('  - { id: notes, folder: ../skills }');
    expect(Object.keys((await catalogOf(one, options)) as object)).toEqual(['notes']);
    // Two entries of one place share its source.
    asked.length = 0;
    await catalogOf(agent('  - { id: notes, folder: ../skills }\n  - { id: weather, folder: ../skills/ }'), options);
    expect(asked).toHaveLength(2);
  });

  it('DEC-1: a name from two places is the one of the first, and that is told', async () => {
    const two = registry();
    const options = { skills: registry(), sources: { folder: () => two }, basePath: folder };
    const { ok, problems } = await checkAgent(agent('  - { id: billing }\n  - { folder: ./x }'), options);
    expect([ok, problems.map(({ severity, code, line, message }) => `${severity} ${code} ${line} ${message}`)]).toEqual([
      true,
      ['warning agent-skill 3 "billing" comes from an entry above, too.'],
    ]);
    expect(Object.keys((await catalogOf(agent('  - { id: billing }\n  - { folder: ./x }'), options)) as object)).toEqual([
      'billing',
      'orders',
    ]);
  });

  it('DEC-1: content given as text starts its paths at basePath, as path or URL; absolute paths work; where there is none, that is said', async () => {
    const opened: string[] = [];
    const sources: AgentSources = {
      folder: (location) => {
        opened.push(location.href);
        return registry();
      },
    };
    const relative = agent('  - { folder: ./skills }');
    await checkAgent(relative, { sources, basePath: '/srv/agent#1' });
    await checkAgent(relative, { sources, basePath: new URL('app:///agents/') });
    await checkAgent(agent('  - { folder: /srv/skills }'), { sources, within: ['/srv'] });
    await checkAgent(agent('  - { folder: "file:///srv/skills" }'), { sources, within: ['/srv'] });
    await checkAgent(agent('  - { folder: "C:\\\\skills" }'), { sources, within: ['C:\\'] });
    expect(opened).toEqual([
      'file:///srv/agent%231/skills',
      'app:///agents/skills',
      'file:///srv/skills',
      'file:///srv/skills',
      'file:///C:/skills',
    ]);
    expect(await problemsOf(relative, { sources })).toEqual([
      'agent-host 2:15 The path "./skills" is relative, and nothing says to what. Give compileAgent a basePath: the folder of the file.',
    ]);
    await expect(checkAgent(relative, { sources, basePath: 'agents' })).rejects.toMatchObject({ code: 'invalid-options' });
  });
});

describe('what a file cannot do', () => {
  const open = () => registry();
  const host = { sources: { folder: open, card: open, url: open }, basePath: '/srv/agents', within: ['/srv/skills'] };

  it.each([
    '../secret',
    '/etc',
    'file:///etc/passwd',
    '../skills/../secret',
    '../skills/%2e%2e/secret/x',
    '../skills%2f..%2f..%2fetc',
    '..\\\\secret',
    '../skillsecret',
    '//evil.example/share',
    'file://evil.example/srv/skills/a',
    '../skills/a?b',
    'https://evil.example/skills',
    'data:text/plain,x',
    '/srv/skills/../../etc',
  ])('DEC-1: no path leads out of what the host allows: %s', async (path) => {
    const opened: string[] = [];
    const watch = (location: URL): SkillProvider => {
      opened.push(location.href);
      return registry();
    };
    const { problems } = await checkAgent(agent(`  - { folder: "${path}" }\n  - { id: a, skill_card_path: "${path}" }`), {
      ...host,
      sources: { folder: watch, card: watch },
    });
    const inside = opened.filter((href) => !/^file:\/\/\/srv\/(?:agents|skills)\//.test(href));
    expect(inside).toEqual([]);
    expect(problems.length + opened.length).toBeGreaterThan(0);
  });

  // In a URL, unlike in a path, `%5c` is one sign that a file system may read as a separator.
  it.each(['..%5c..%5cetc', '..%2F..%2Fetc', 'a%00.md', 'a?b', 'a#b'])(
    'DEC-1: no URL below an allowed folder hides where it leads: %s',
    async (hidden) => {
      const { problems } = await checkAgent(agent(`  - { folder: "file:///srv/skills/${hidden}" }`), host);
      expect(problems.map(({ code, message }) => [code, message.includes('hides a part of itself')])).toEqual([['agent-host', true]]);
    },
  );

  it.each(['file:///etc', 'ftp://x', 'javascript:1', 'not a url', 'https://user:pass@x.example'])(
    'DEC-1: a URL is one of the web: %s',
    async (url) => {
      expect((await checkAgent(agent(`  - { id: billing, url: "${url}" }`), host)).problems.map(({ code }) => code)).toEqual([
        'agent-host',
      ]);
    },
  );

  it('DEC-1: what the host opens not, or refuses, is a problem with the way out', async () => {
    expect(
      await problemsOf(agent('  - { folder: x }\n  - { url: "https://a.example" }'), { sources: { url: () => null }, basePath: '/srv' }),
    ).toEqual([
      'agent-host 2:15 The host opens no skills by folder. Give compileAgent sources: { folder: (location) => … }.',
      'agent-host 3:12 The host does not allow https://a.example/. Its sources.url decides.',
    ]);
  });

  it('DEC-1: links and pipes on the disk lead nowhere', async () => {
    await mkdir(join(folder, 'agents/linked'), { recursive: true });
    await symlink(join(folder, 'secret'), join(folder, 'agents/link'));
    await symlink(join(folder, 'secret/skill-card.json'), join(folder, 'agents/linked/skill-card.json'));
    for (const path of ['link/skill-card.json', 'linked/skill-card.json', 'nothing/skill-card.json']) {
      await write('agents/b.agent.yaml', agent(`  - { id: secret, skill_card_path: ${path} }`));
      const error: unknown = await loadAgentFile(join(folder, 'agents/b.agent.yaml'), {
        models: () => scriptedModel([]),
        trusted: false,
      }).catch((cause: unknown) => cause);
      expect(SkillError.isInstance(error) ? error.message : error).toContain('cannot be read');
    }
    execFileSync('mkfifo', [join(folder, 'agents/pipe.json')]);
    await write('agents/b.agent.yaml', agent('  - { id: secret, skill_card_path: pipe.json }'));
    const { text, options } = await readAgentFile(join(folder, 'agents/b.agent.yaml'));
    await expect(checkAgent(text, options)).rejects.toMatchObject({ code: 'source-unavailable' });
  });

  it('DEC-1: a source that is down is told as such', async () => {
    const down: SkillProvider = {
      ...registry(),
      label: 'down',
      listSkills: () => Promise.reject(new SkillError('source-unavailable', 'It is down.')),
    } as SkillProvider;
    await expect(compileAgent(agent('  - { id: billing }'), { skills: down, models: () => scriptedModel([]) })).rejects.toMatchObject({
      code: 'source-unavailable',
    });
  });

  it('DEC-1: a source that cannot list everything is a warning that says where to look', async () => {
    const whole = registry();
    const skills: SkillProvider = {
      label: 'half',
      listSkills: async (options) => ({ ...(await whole.listSkills(options)), complete: false }),
      getSkill: (name, options) => whole.getSkill(name, options),
      readResource: (name, path, options) => whole.readResource(name, path, options),
    };
    const { ok, problems } = await checkAgent(agent('  - { id: billing }\n  - { id: orders }'), { skills });
    expect(ok).toBe(true);
    expect(problems).toMatchObject([{ code: 'agent-skill', severity: 'warning', line: 2, fix: expect.stringContaining('diagnostics') }]);
  });

  it('DEC-1: an abort ends the reading with the reason of the signal', async () => {
    const stop = AbortSignal.abort(new Error('stop'));
    await expect(
      compileAgent(agent('  - { id: billing }'), { skills: registry(), models: () => scriptedModel([]), signal: stop }),
    ).rejects.toThrow('stop');
  });
});

describe('readAgentFile', () => {
  it('DEC-1: a file that is not there, is no text, or is too long', async () => {
    await expect(readAgentFile(join(folder, 'nope.yaml'))).rejects.toMatchObject({ code: 'source-unavailable' });
    await expect(readAgentFile(folder)).rejects.toMatchObject({ code: 'source-unavailable' });
    await writeFile(join(folder, 'bytes.yaml'), new Uint8Array([0xff, 0xfe, 0x00]));
    await expect(readAgentFile(join(folder, 'bytes.yaml'))).rejects.toMatchObject({ code: 'invalid-agent' });
    await writeFile(join(folder, 'long.yaml'), '#'.repeat(600_000));
    await expect(readAgentFile(pathToFileURL(join(folder, 'long.yaml')))).rejects.toMatchObject({ code: 'limit-exceeded' });
  });
});
