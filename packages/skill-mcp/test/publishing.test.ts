import { Client, InMemoryTransport, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { McpServer } from '@modelcontextprotocol/server';
import { defineSkill, SkillRegistry, type SkillDefinition, type SkillProvider } from '@repertoire/skills-core';
import { fixedSkillProvider } from '@repertoire/skills-core/internal';
import { afterEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { mcpSkillProvider } from '../src/index.ts';
import { createMcpSkillsHandler, serveSkillsOverMcp, type ServeSkillsOverMcpOptions } from '../src/server.ts';
import { anyResult } from '../src/connection/any-result.ts';
import { changingProvider } from './support/changing-provider.ts';

const haiku = defineSkill({
  name: 'haiku',
  description: 'Writes haiku.',
  body: 'Count. See forms.md.',
  resources: { 'forms.md': '# Forms\n\nFive, seven, five.\n' },
});
const fix = defineSkill({
  name: 'fix-issue',
  description: 'Fixes an issue.',
  body: 'Fix $issue with priority $priority.',
  arguments: ['issue', 'priority'],
});
const manual = defineSkill({ name: 'deploy', description: 'Deploys.', body: 'Deploy $ARGUMENTS.', disableModelInvocation: true });
const quiet = defineSkill({ name: 'quiet', description: 'Only for models.', body: 'Hush.', userInvocable: false });

const clients: Client[] = [];
afterEach(async () => {
  for (const client of clients.splice(0)) await client.close();
});

async function open(skills: readonly SkillDefinition[] | SkillProvider, options: ServeSkillsOverMcpOptions = {}) {
  const provider = 'label' in skills ? skills : new SkillRegistry({ skills });
  const server = new McpServer({ name: 'ours', version: '1.0.0' });
  const published = await serveSkillsOverMcp(server, provider, options);
  const [near, far] = InMemoryTransport.createLinkedPair();
  await server.connect(far);
  const client = new Client({ name: 'any-client', version: '1.0.0' });
  await client.connect(near);
  clients.push(client);
  return { client, published, server };
}

const textOf = (result: { content: unknown }): string => (result.content as { text: string }[])[0]?.text ?? '';

describe('SRC-6: tools for hosts without the extension', () => {
  it('SRC-6: any client lists, loads and reads by three tools', async () => {
    const { client } = await open([haiku, manual], { exposeTools: true });
    expect((await client.listTools()).tools.map(({ name }) => name)).toEqual(['list_skills', 'load_skill', 'read_skill_file']);
    const list = textOf(await client.callTool({ name: 'list_skills', arguments: {} }));
    expect(list).toContain('Writes haiku.');
    expect(list).not.toContain('Deploys.');
    const load = textOf(await client.callTool({ name: 'load_skill', arguments: { name: 'haiku' } }));
    expect(load).toContain('Count. See forms.md.');
    expect(load).toContain('read_skill_file');
    expect(textOf(await client.callTool({ name: 'load_skill', arguments: { name: 'haiku' } }))).toBe(load);
    expect(
      textOf(await client.callTool({ name: 'read_skill_file', arguments: { skill: 'haiku', path: 'forms.md', startLine: 3 } })),
    ).toContain('Five, seven, five.');
  });

  it('SRC-6, DIS-10: errors tell the model what to do, and what is closed to models stays closed', async () => {
    const { client } = await open([haiku, manual], { exposeTools: true });
    for (const call of [
      { name: 'load_skill', arguments: { name: 'haikus' } },
      { name: 'load_skill', arguments: { name: 'deploy' } },
      { name: 'read_skill_file', arguments: { skill: 'haiku', path: '../secret' } },
    ]) {
      const result = await client.callTool(call);
      expect(result.isError).toBe(true);
      expect(textOf(result)).toMatch(/^Error \(/);
      expect(textOf(result)).not.toContain('Deploy ');
    }
    const empty = await open([], { exposeTools: true });
    expect(textOf(await empty.client.callTool({ name: 'list_skills', arguments: {} }))).toBe('There are no skills.');
  });

  it('SRC-6, DIS-16, DIS-9: what a person may start is a prompt, with its arguments', async () => {
    const { client } = await open([haiku, fix, manual, quiet], { exposeTools: true });
    const { prompts } = await client.listPrompts();
    expect(prompts.map(({ name, arguments: given }) => [name, given?.map((argument) => argument.name)])).toEqual([
      ['deploy', ['arguments']],
      ['fix-issue', ['issue', 'priority']],
      ['haiku', ['arguments']],
    ]);
    const get = async (name: string, given: Record<string, string>) =>
      (await client.getPrompt({ name, arguments: given })).messages[0]?.content as { text: string };
    expect((await get('fix-issue', { issue: 'the "big" one', priority: 'high' })).text).toContain('Fix the "big" one with priority high.');
    expect((await get('fix-issue', { priority: 'low' })).text).toContain('Fix  with priority low.');
    expect((await get('deploy', { arguments: 'to production' })).text).toContain('Deploy to production.');
  });

  it.each(['auto', 'legacy'] as const)(
    'SRC-6, DIS-16: the handler has the same tools and prompts, for a client in mode %s',
    async (mode) => {
      const handler = createMcpSkillsHandler(
        new SkillRegistry({ skills: [fix, manual, { name: 'constructor', description: 'Builds.', body: 'B.' }] }),
        { exposeTools: true },
      );
      const client = new Client({ name: 'any-client', version: '1.0.0' }, { versionNegotiation: { mode } });
      const fetch = (url: string | URL, init?: RequestInit): Promise<Response> => handler.fetch(new Request(url, init));
      await client.connect(new StreamableHTTPClientTransport(new URL('https://skills.example/mcp'), { fetch }));
      clients.push(client);
      expect((await client.listTools()).tools.map(({ name }) => name)).toEqual(['list_skills', 'load_skill', 'read_skill_file']);
      expect((await client.listPrompts()).prompts.map(({ name, arguments: given }) => [name, given?.length])).toEqual([
        ['constructor', 1],
        ['deploy', 1],
        ['fix-issue', 2],
      ]);
      const { messages } = await client.getPrompt({ name: 'fix-issue', arguments: { issue: '7', priority: 'high' } });
      expect(messages).toEqual([{ role: 'user', content: { type: 'text', text: expect.stringContaining('Fix 7 with priority high.') } }]);
      await expect(client.getPrompt({ name: 'nothing' })).rejects.toMatchObject({ code: -32602 });
      await handler[Symbol.asyncDispose]();
    },
  );

  it('SRC-6: a name that the server has already, or the SDK cannot take, is left out of the prompts and reported; the rest is served', async () => {
    const { client, published } = await open([haiku, { name: 'constructor', description: 'Builds.', body: 'B.' }], { exposeTools: true });
    expect((await client.listPrompts()).prompts.map(({ name }) => name)).toEqual(['haiku']);
    expect((await published.diagnostics()).map(({ code, skill }) => [code, skill])).toEqual([['prompt-not-offered', 'constructor']]);
    expect(textOf(await client.callTool({ name: 'load_skill', arguments: { name: 'constructor' } }))).toContain('B.');
  });

  it('SRC-6, CON-3: prompts and resources follow the provider, and clients are told', async () => {
    const { provider, change } = changingProvider({});
    const { client } = await open(provider, { exposeTools: true });
    const prompts = new Promise<void>((resolve) => client.setNotificationHandler('notifications/prompts/list_changed', () => resolve()));
    const resources = new Promise<void>((resolve) =>
      client.setNotificationHandler('notifications/resources/list_changed', () => resolve()),
    );
    expect((await client.listPrompts()).prompts).toEqual([]);
    change({ 'new/SKILL.md': '---\nname: new\ndescription: Came later.\n---\nHere.\n' });
    await Promise.all([prompts, resources]);
    expect((await client.listPrompts()).prompts.map(({ name }) => name)).toEqual(['new']);
    expect((await client.listResources()).resources.map(({ uri, mimeType }) => [uri, mimeType])).toEqual([
      ['skill://new/SKILL.md', 'text/markdown'],
    ]);
  });
});

describe('SRC-6: publishing', () => {
  it('SRC-6: what breaks the rules of the extension is not published, and reported with the reason; lenient publishes it', async () => {
    const odd = { name: 'My_Skill', description: 'Odd.', body: 'B.' };
    const strict = await open([haiku, odd]);
    expect((await mcpSkillProvider({ client: strict.client, profile: 'lenient' }).listSkills()).skills.map(({ name }) => name)).toEqual([
      'haiku',
    ]);
    expect(await strict.published.diagnostics()).toEqual([
      expect.objectContaining({ code: 'skills-not-published', message: '1 of 2 skills are not published: My_Skill.' }),
      expect.objectContaining({
        code: 'skill-not-published',
        severity: 'error',
        skill: 'My_Skill',
        message: expect.stringContaining('is not 1 to 64'),
      }),
    ]);
    const lenient = await open([haiku, odd], { profile: 'lenient' });
    expect((await mcpSkillProvider({ client: lenient.client, profile: 'lenient' }).listSkills()).skills.map(({ name }) => name)).toEqual([
      'My_Skill',
      'haiku',
    ]);
    expect((await mcpSkillProvider({ client: lenient.client }).listSkills()).skills.map(({ name }) => name)).toEqual(['haiku']);
    expect((await lenient.published.diagnostics()).map(({ code }) => code)).toEqual(['skill-not-standard']);
  });

  it('SRC-6: one skill that cannot be read is no matter of the others; more than 512 files are not published', async () => {
    const broken = {
      name: 'broken',
      description: 'D.',
      body: 'B.',
      resources: { 'a.md': () => Promise.reject(new Error('no such file')) },
    };
    const many = {
      name: 'many',
      description: 'D.',
      body: 'B.',
      resources: Object.fromEntries(Array.from({ length: 512 }, (_, index) => [`${index}.md`, 'x'])),
    };
    const { client, published } = await open([broken, haiku, many]);
    expect((await mcpSkillProvider({ client }).listSkills()).skills.map(({ name }) => name)).toEqual(['haiku']);
    expect((await published.diagnostics()).map(({ skill, message }) => [skill, message])).toEqual([
      [undefined, '2 of 3 skills are not published: broken, many.'],
      ['broken', expect.stringContaining('no such file')],
      ['many', expect.stringContaining('513 files')],
    ]);
  });

  it('SRC-6: pages, a prefix, and versions of their own URIs', async () => {
    const versions = ['1.0.0', '2.0.0', '10.0.0'].map((version) => ({
      name: 'report',
      description: `Version ${version}.`,
      body: version,
      version,
    }));
    const unversioned = { name: 'report', description: 'Has none.', body: 'none' };
    const { client } = await open([...versions, haiku, unversioned], { prefix: 'acme/writing', pageSize: 1 });
    const read = mcpSkillProvider({ client });
    expect((await read.listSkills()).skills.map(({ name, version, origin }) => [name, version, origin?.uri])).toEqual([
      ['haiku', null, 'skill://acme/writing/haiku/'],
      ['report', '10.0.0', 'skill://acme/writing/report/'],
      ['report', '2.0.0', 'skill://acme/writing/_versions/2.0.0/report/'],
      ['report', '1.0.0', 'skill://acme/writing/_versions/1.0.0/report/'],
      ['report', null, 'skill://acme/writing/_unversioned/report/'],
    ]);
    expect((await read.getSkill('report', { version: null }))?.body).toBe('none');
    expect((await read.getSkill('report', { version: '2.0.0' }))?.body).toBe('2.0.0');
  });

  it('SRC-6: a file that changed without notice is noticed when it is read, and readers find the new one', async () => {
    let text = 'Old.';
    const { client } = await open([{ name: 'haiku', description: 'D.', body: 'B.', resources: { 'a.md': () => text } }]);
    const read = mcpSkillProvider({ client });
    expect(new TextDecoder().decode((await read.readResource('haiku', 'a.md'))?.bytes)).toBe('Old.');
    text = 'New and longer.';
    expect(new TextDecoder().decode((await read.readResource('haiku', 'a.md'))?.bytes)).toBe('New and longer.');
  });

  it('SRC-6: reads nothing before a client asks, and each file once for its digest', async () => {
    let reads = 0;
    const { client } = await open([{ name: 'haiku', description: 'D.', body: 'B.', resources: { 'a.md': () => `${(reads += 1) > 0}` } }]);
    expect(reads).toBe(0);
    await mcpSkillProvider({ client }).listSkills();
    await mcpSkillProvider({ client }).listSkills();
    expect(reads).toBe(1);
  });

  describe('sessions', () => {
    const handlerOf = (maxSessions: number) => {
      const handler = createMcpSkillsHandler(new SkillRegistry({ skills: [haiku] }), { legacy: 'session', maxSessions });
      onTestFinished(async () => await handler[Symbol.asyncDispose]());
      const post = async (body: object, session?: string): Promise<Response> =>
        await handler.fetch(
          new Request('https://skills.example/mcp', {
            method: 'POST',
            headers: {
              'content-type': 'application/json',
              accept: 'application/json, text/event-stream',
              ...(session !== undefined && { 'mcp-session-id': session }),
            },
            body: JSON.stringify({ jsonrpc: '2.0', ...body }),
          }),
        );
      const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'c', version: '1' } };
      const begin = async (): Promise<Response> => await post({ id: 1, method: 'initialize', params });
      const idOf = (response: Response): string => response.headers.get('mcp-session-id') ?? '';
      const use = async (session: string): Promise<number> => (await post({ id: 2, method: 'resources/list' }, session)).status;
      return { begin, idOf, use };
    };

    it('SRC-6: are bounded, and an unknown one is told to start anew', async () => {
      const { begin, idOf, use } = handlerOf(1);
      const [first, second] = [idOf(await begin()), idOf(await begin())];
      expect(await use(first)).toBe(404);
      expect(await use(second)).toBe(200);
    });

    it('SRC-6: a flood of new ones ends none that is in use; idle ones make room (ATK-53)', async () => {
      const { begin, idOf, use } = handlerOf(3);
      const own = idOf(await begin());
      expect(await use(own)).toBe(200);
      for (let count = 0; count < 20; count += 1) expect((await begin()).status).toBe(200);
      await Promise.all(Array.from({ length: 20 }, begin));
      expect(await use(own)).toBe(200);
      // Where all of them are in use, a new client has to wait.
      const others = [idOf(await begin()), idOf(await begin())];
      for (const other of others) expect(await use(other)).toBe(200);
      const refused = await begin();
      expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '60']);
      const start = Date.now();
      const now = vi.spyOn(Date, 'now').mockImplementation(() => start + 700_000);
      onTestFinished(() => now.mockRestore());
      expect(await use(own)).toBe(200);
      expect((await begin()).status).toBe(200);
      expect(await Promise.all([own, ...others].map(use))).toEqual([200, 404, 200]);
    });

    it('SRC-6: of idle ones, the one that was used longest ago makes room', async () => {
      const { begin, idOf, use } = handlerOf(2);
      const [first, second] = [idOf(await begin()), idOf(await begin())];
      for (const session of [first, second, first]) expect(await use(session)).toBe(200);
      const start = Date.now();
      const now = vi.spyOn(Date, 'now').mockImplementation(() => start + 700_000);
      onTestFinished(() => now.mockRestore());
      expect((await begin()).status).toBe(200);
      expect(await Promise.all([first, second].map(use))).toEqual([200, 404]);
    });
  });

  it('SRC-6: what the provider could not list, and what of a skill it left out, is told', async () => {
    const inner = fixedSkillProvider([haiku]);
    const partial: SkillProvider = {
      ...inner,
      listSkills: async () => ({ ...(await inner.listSkills()), complete: false }),
      getSkill: async (name) => {
        const skill = await inner.getSkill(name);
        return skill && { ...skill, diagnostics: [{ code: 'resources-truncated', severity: 'error', message: 'Too many files.' }] };
      },
    };
    const { published } = await open(partial);
    expect((await published.diagnostics()).map(({ code }) => code).sort()).toEqual(['listing-incomplete', 'resources-truncated']);
  });

  it('SRC-6: what a source says of a file reaches whoever lists the folder', async () => {
    const inner = fixedSkillProvider([haiku]);
    const telling: SkillProvider = {
      ...inner,
      getSkill: async (name) => {
        const skill = await inner.getSkill(name);
        return skill && { ...skill, resources: skill.resources.map((entry) => ({ ...entry, description: 'All forms.' })) };
      },
    };
    const { client } = await open(telling);
    const { resources } = (await client.request(
      { method: 'resources/directory/read', params: { uri: 'skill://haiku' } },
      anyResult as never,
    )) as { resources: { name: string; description?: string }[] };
    expect(resources.find(({ name }) => name === 'forms.md')?.description).toBe('All forms.');
  });

  it('SRC-6: a folder in a skill lists what is directly in it, and nothing beside it', async () => {
    const nested = { 'notes.md': 'Notes.', 'references/forms.md': 'Forms.', 'references/more/odd.md': 'Odd.' };
    const { client } = await open([fix, defineSkill({ ...haiku, resources: nested })]);
    const uris = async (uri: string): Promise<readonly string[]> => {
      const { resources } = (await client.request({ method: 'resources/directory/read', params: { uri } }, anyResult as never)) as {
        resources: { uri: string }[];
      };
      return resources.map((resource) => resource.uri).toSorted();
    };
    expect(await uris('skill://haiku/references')).toEqual(['skill://haiku/references/forms.md', 'skill://haiku/references/more']);
    expect(await uris('skill://haiku/references/more')).toEqual(['skill://haiku/references/more/odd.md']);
  });

  it('SRC-6: the folder of all skills may be empty; one that does not exist is an error', async () => {
    const read = async (skills: Parameters<typeof open>[0], uri: string) => {
      const { client } = await open(skills);
      return await client.request({ method: 'resources/directory/read', params: { uri } }, anyResult as never);
    };
    expect(await read([], 'skill://')).toMatchObject({ resources: [] });
    expect(await read([haiku], 'skill://')).toMatchObject({ resources: [{ uri: 'skill://haiku', mimeType: 'inode/directory' }] });
    await expect(read([haiku], 'skill://sonnet')).rejects.toThrow();
  });

  it('SRC-6: says which option is wrong', async () => {
    const server = () => new McpServer({ name: 'ours', version: '1.0.0' });
    await expect(serveSkillsOverMcp(server(), new SkillRegistry(), { prefix: '../x' })).rejects.toThrow('Option "prefix"');
    await expect(serveSkillsOverMcp(server(), new SkillRegistry(), { pageSize: 0 })).rejects.toThrow(
      'Option "pageSize" of serveSkillsOverMcp is 0. Give a whole number of at least 1.',
    );
    await expect(serveSkillsOverMcp(server(), new SkillRegistry(), { lenient: true } as never)).rejects.toThrow('no option "lenient"');
    expect(() => createMcpSkillsHandler(new SkillRegistry(), { session: true } as never)).toThrow('no option "session"');
    const client = { extension: () => ({}), request: async () => ({}) };
    expect(() => mcpSkillProvider({ client, timeout: 1 } as never)).toThrow('no option "timeout"');
    expect(() => mcpSkillProvider({ client, profile: 'loose' } as never)).toThrow('Give "lenient" or "strict".');
    expect(() => mcpSkillProvider({ client, uris: 'skill://a/SKILL.md' } as never)).toThrow('Give a list of strings');
    expect(() => createMcpSkillsHandler(new SkillRegistry(), { ttlMs: 1.5 })).toThrow(
      'Option "ttlMs" of createMcpSkillsHandler is 1.5. Give a whole number of at least 0.',
    );
  });
});
