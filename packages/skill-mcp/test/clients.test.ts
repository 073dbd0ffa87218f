import { createMCPClient } from '@ai-sdk/mcp';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { SkillsClient, SkillVerificationError } from '@modelcontextprotocol/client/ext/skills';
import { Client as ClientV1 } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport as TransportV1 } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { createMcpHandler, McpServer, ResourceTemplate } from '@modelcontextprotocol/server';
import { memorySkillFiles, SkillsExtension } from '@modelcontextprotocol/server/ext/skills';
import type { SkillProvider } from '@repertoire/skills-core';
import type { SetTimer } from '@repertoire/skills-core/internal';
import { digestOfSkill, sha256Hex } from '@repertoire/skills-core/provider';
import { everydayLibrary } from '../../skills-testkit/src/fixtures/everyday-library.ts';
import { afterEach, describe, expect, it } from 'vitest';
import { mcpConnectionV1, mcpSkillProvider, resourceConnection } from '../src/index.ts';
import { createMcpSkillsHandler, serveSkillsOverMcp } from '../src/server.ts';
import { changingProvider } from './support/changing-provider.ts';
import { connectInMemory } from './support/connect.ts';
import { library, skillServer } from './support/skill-server.ts';

const url = new URL('https://skills.example/mcp');
const closers: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).toReversed()) await close();
});

/** Our server as a fetch, for the clients of all parties. */
function published(legacy: 'stateless' | 'session' = 'stateless') {
  const { provider, change } = changingProvider(everydayLibrary);
  const handler = createMcpSkillsHandler(provider, { legacy });
  closers.push(() => handler[Symbol.asyncDispose]());
  const fetch = (input: string | URL | Request, init?: RequestInit): Promise<Response> => handler.fetch(new Request(input, init));
  return { provider, change, fetch };
}

async function expectSame(read: SkillProvider, original: SkillProvider): Promise<void> {
  const names = (await original.listSkills()).skills.map(({ name }) => name);
  expect(names.length).toBeGreaterThan(1);
  expect((await read.listSkills()).skills.map(({ name }) => name)).toEqual(names);
  for (const name of names) expect(await digestOfSkill(read, name)).toEqual(await digestOfSkill(original, name));
}

describe('SRC-6: clients of other parties', () => {
  it('SRC-6: a client of the first generation reads what we publish, and hears of changes', async () => {
    const { provider, change, fetch } = published('session');
    const client = new ClientV1({ name: 'v1', version: '1.0.0' });
    const { promise: opened, resolve: open } = Promise.withResolvers<void>();
    const seen: typeof fetch = async (input, init) => {
      const response = await fetch(input, init);
      if (init?.method === 'GET' && response.ok) open();
      return response;
    };
    await client.connect(new TransportV1(url, { fetch: seen }));
    closers.push(() => client.close());
    const read = mcpSkillProvider({ label: 'v1', client: mcpConnectionV1(client), debounceMs: 1 });
    await expectSame(read, provider);
    const { promise: told, resolve } = Promise.withResolvers<void>();
    const stop = read.watch(resolve);
    await opened;
    change({ 'only/SKILL.md': '---\nname: only\ndescription: Alone.\n---\nHere.\n' });
    await told;
    stop();
    expect((await read.listSkills()).skills.map(({ name }) => name)).toEqual(['only']);
  });

  it('SRC-6: the client of the AI SDK, which has resources only, reads the same, verified by the manifest', async () => {
    const { provider, fetch } = published();
    const client = await createMCPClient({ transport: { type: 'http', url: url.href, fetch } });
    closers.push(() => client.close());
    const read = mcpSkillProvider({ label: 'ai-sdk', client: resourceConnection(client), levelOne: 'artifact' });
    await expectSame(read, provider);
    const [first] = (await read.listSkills()).skills;
    expect(first?.origin).toMatchObject({ kind: 'mcp', label: 'ai-sdk', trusted: false, verified: true });
  });

  it('SRC-6: the official client verifies every file of what we publish', async () => {
    const { provider, fetch } = published();
    const client = new Client({ name: 'v2', version: '1.0.0' }, { versionNegotiation: { mode: 'auto' } });
    await client.connect(new StreamableHTTPClientTransport(url, { fetch }));
    closers.push(() => client.close());
    const skills = new SkillsClient(client);
    const { skills: entries } = await skills.list();
    expect(entries.map(({ frontmatter }) => frontmatter.name)).toEqual((await provider.listSkills()).skills.map(({ name }) => name));
    for (const entry of entries) {
      const { body, verified } = await skills.read(entry);
      expect({ verified, body: body?.trim() }).toEqual({ verified: true, body: (await provider.getSkill(entry.frontmatter.name))?.body });
      expect(entry.resources).not.toBe('dynamic');
      for (const { uri } of entry.resources === 'dynamic' ? [] : entry.resources)
        expect((await skills.read(entry, uri)).verified).toBe(true);
      await expect(skills.read(entry, 'not/there.md')).rejects.toThrow(SkillVerificationError);
    }
    const [withFolder] = entries.filter(
      ({ resources }) => resources !== 'dynamic' && resources.some(({ uri }) => uri.includes('/references/')),
    );
    const { resources } = await skills.readDirectory((withFolder?.uri ?? '').replace('/SKILL.md', ''));
    expect(resources.map(({ name, mimeType }) => [name, mimeType])).toContainEqual(['references', 'inode/directory']);
    await expect(skills.get('skill://nothing/SKILL.md')).rejects.toMatchObject({ code: -32602 });
  });

  it('SRC-6: our provider reads a server of another party, page by page', async () => {
    const served = { ...library(everydayLibrary), pageSize: 1 };
    const { client, close } = await connectInMemory(skillServer(served));
    closers.push(close);
    await expectSame(mcpSkillProvider({ client }), changingProvider(everydayLibrary).provider);
  });

  it('SRC-6: without the extension, without a manifest, nothing is verified, and it says so', async () => {
    const server = new McpServer({ name: 'plain', version: '1.0.0' });
    const add = (uri: string, text: string, description?: string): void =>
      void server.registerResource(uri, uri, { ...(description !== undefined && { description }) }, () => ({ contents: [{ uri, text }] }));
    add('skill://pdf/SKILL.md', '---\nname: pdf\ndescription: Fills forms.\nlicense: MIT\n---\nSee a.md.\n', 'Fills forms.');
    add('skill://pdf/a.md', 'A.\n', ' The first letter. ');
    add('skill://silent/SKILL.md', '---\nname: silent\ndescription: Says nothing of itself.\n---\n');
    const { client, close } = await connectInMemory(server);
    closers.push(close);
    const read = mcpSkillProvider({ client });
    expect((await read.listSkills()).skills).toEqual([
      {
        name: 'pdf',
        description: 'Fills forms.',
        version: null,
        origin: { kind: 'mcp', label: 'mcp', uri: 'skill://pdf/', place: 'skill://pdf/SKILL.md', trusted: false, verified: false },
      },
      // Its resource says nothing, so its SKILL.md was read.
      expect.objectContaining({ name: 'silent', description: 'Says nothing of itself.' }),
    ]);
    expect((await read.listSkills()).diagnostics.map(({ code, skill }) => [code, skill])).toEqual([
      ['skill-unverified', 'pdf'],
      ['skill-unverified', 'silent'],
    ]);
    const skill = await read.getSkill('pdf');
    expect(skill).toMatchObject({
      license: 'MIT',
      body: 'See a.md.',
      origin: { verified: false },
      resources: [{ path: 'a.md', description: 'The first letter.' }],
    });
    expect(skill?.diagnostics.map(({ code }) => code)).toEqual(['skill-unverified']);
    expect(await read.readResource('pdf', 'a.md')).toEqual({
      path: 'a.md',
      bytes: new TextEncoder().encode('A.\n'),
      size: 3,
      mediaType: 'text/markdown',
    });
    expect(await read.readResource('pdf', 'b.md')).toBeNull();
    const whole = mcpSkillProvider({ client, levelOne: 'artifact' });
    expect((await whole.listSkills()).skills.map(({ name, license }) => [name, license])).toEqual([
      ['pdf', 'MIT'],
      ['silent', undefined],
    ]);
  });

  it('SRC-6: our provider reads the skills extension of the official SDK, made by itself of the same files', async () => {
    const catalog = await SkillsExtension.load(memorySkillFiles(everydayLibrary), { strict: true });
    const server = new McpServer({ name: 'official', version: '1.0.0' });
    catalog.attach(server);
    const { client, close } = await connectInMemory(server);
    closers.push(close);
    const read = mcpSkillProvider({ client });
    await expectSame(read, changingProvider(everydayLibrary).provider);
    expect((await read.listSkills()).diagnostics).toEqual([]);
  });

  it('SRC-6: a server as FastMCP makes it is verified by its manifest, and what does not fit is refused, by clients of two parties', async () => {
    const text = new Map([
      ['SKILL.md', '---\ndescription: Fills forms.\n---\nSee reference.md.\n'],
      ['reference.md', 'R.\n'],
      ['changed.md', 'As it was.\n'],
    ]);
    const hash = async (content: string) => `sha256:${await sha256Hex(content)}`;
    const files = await Promise.all([...text].map(async ([path, content]) => ({ path, size: content.length, hash: await hash(content) })));
    text.set('changed.md', 'As it is..\n');
    const make = (): McpServer => {
      const server = new McpServer({ name: 'fastmcp-like', version: '3.0.0' });
      const add = (path: string, content: string): void =>
        void server.registerResource(path, `skill://pdf/${path}`, { description: 'Fills forms.' }, ({ href }) => ({
          contents: [{ uri: href, text: content }],
        }));
      add('SKILL.md', text.get('SKILL.md') ?? '');
      add('_manifest', JSON.stringify({ skill: 'pdf', files }));
      server.registerResource('files', new ResourceTemplate('skill://pdf/{+path}', { list: undefined }), {}, ({ href }) => {
        const content = text.get(href.slice('skill://pdf/'.length));
        if (content === undefined) throw new Error('No such file.');
        return { contents: [{ uri: href, text: content }] };
      });
      return server;
    };
    const { client, close } = await connectInMemory(make());
    const handler = createMcpHandler(make);
    const fetch = (input: string | URL | Request, init?: RequestInit): Promise<Response> => handler.fetch(new Request(input, init));
    const aiSdk = await createMCPClient({ transport: { type: 'http', url: url.href, fetch } });
    closers.push(close, () => aiSdk.close());
    for (const given of [client, resourceConnection(aiSdk)]) {
      const read = mcpSkillProvider({ client: given });
      const skill = await read.getSkill('pdf');
      expect(skill).toMatchObject({ name: 'pdf', body: 'See reference.md.', origin: { verified: true } });
      expect(skill?.resources.map(({ path }) => path).sort()).toEqual(['changed.md', 'reference.md']);
      expect(new TextDecoder().decode((await read.readResource('pdf', 'SKILL.md'))?.bytes)).toBe(text.get('SKILL.md'));
      expect((await read.readResource('pdf', 'reference.md'))?.digest).toBe((await hash('R.\n')).slice('sha256:'.length));
      await expect(read.readResource('pdf', 'changed.md')).rejects.toMatchObject({ code: 'digest-mismatch' });
      expect(await read.readResource('pdf', 'unlisted.md')).toBeNull();
    }
  });

  it('SRC-6: the client of the AI SDK reads a server without a manifest, too; one without resources says so', async () => {
    const make = (): McpServer => {
      const server = new McpServer({ name: 'plain', version: '1.0.0' });
      const text = '---\nname: pdf\ndescription: Fills forms.\n---\nBody.\n';
      server.registerResource('pdf', 'skill://pdf/SKILL.md', { description: 'Fills forms.' }, ({ href }) => ({
        contents: [{ uri: href, text }],
      }));
      return server;
    };
    for (const [factory, answer] of [
      [make, 'Body.'],
      [() => new McpServer({ name: 'bare', version: '1.0.0' }), undefined],
    ] as const) {
      const handler = createMcpHandler(factory);
      const fetch = (input: string | URL | Request, init?: RequestInit): Promise<Response> => handler.fetch(new Request(input, init));
      const client = await createMCPClient({ transport: { type: 'http', url: url.href, fetch } });
      closers.push(() => client.close());
      const got = mcpSkillProvider({ client: resourceConnection(client) }).getSkill('pdf');
      if (answer === undefined) await expect(got).rejects.toMatchObject({ code: 'source-unavailable' });
      else expect(await got).toMatchObject({ body: answer, origin: { verified: false } });
    }
  });

  it('SRC-6: who watches before the client is connected hears of changes all the same, by protocol 2026-07-28', async () => {
    const { provider, change } = changingProvider(everydayLibrary);
    const handler = createMcpSkillsHandler(provider);
    const client = new Client({ name: 'v2', version: '1.0.0' }, { versionNegotiation: { mode: 'auto' } });
    closers.push(
      () => handler[Symbol.asyncDispose](),
      () => client.close(),
    );
    const { promise: waiting, resolve: wait } = Promise.withResolvers<() => void>();
    const setTimer: SetTimer = (callback, milliseconds) => {
      if (milliseconds === 1_000) wait(callback);
      else if (milliseconds === 0) queueMicrotask(callback);
      return () => {};
    };
    const read = mcpSkillProvider({ client, debounceMs: 0, setTimer });
    const { promise: told, resolve: tell } = Promise.withResolvers<void>();
    read.watch(tell);
    const tryAgain = await waiting;
    const { promise: opened, resolve: open } = Promise.withResolvers<void>();
    const fetch = async (input: string | URL | Request, init?: RequestInit): Promise<Response> => {
      const response = await handler.fetch(new Request(input, init));
      if (String(init?.body).includes('subscriptions/listen')) open();
      return response;
    };
    await client.connect(new StreamableHTTPClientTransport(url, { fetch }));
    tryAgain();
    await opened;
    change({});
    await told;
    expect((await read.listSkills()).skills).toEqual([]);
  });

  it('SRC-6: two providers of one client both hear of a change', async () => {
    const { provider, change } = changingProvider(everydayLibrary);
    const server = new McpServer({ name: 'ours', version: '1.0.0' });
    await serveSkillsOverMcp(server, provider);
    const { client, close } = await connectInMemory(server);
    closers.push(close);
    const heard = ['a', 'b'].map(
      (label) => new Promise<void>((resolve) => mcpSkillProvider({ label, client, debounceMs: 0 }).watch(resolve)),
    );
    change({});
    await Promise.all(heard);
    expect((await mcpSkillProvider({ client }).listSkills()).skills).toEqual([]);
  });
});
