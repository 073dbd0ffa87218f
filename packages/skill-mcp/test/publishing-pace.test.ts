import { Client, InMemoryTransport } from '@modelcontextprotocol/client';
import { McpServer } from '@modelcontextprotocol/server';
import { defineSkill, SkillError, SkillRegistry, type SkillDefinition, type SkillProvider } from '@repertoire/skills-core';
import { describe, expect, it, onTestFinished } from 'vitest';
import { anyResult } from '../src/connection/any-result.ts';
import { mcpSkillProvider, type McpConnection } from '../src/index.ts';
import { createMcpSkillsHandler, serveSkillsOverMcp, type ServeSkillsOverMcpOptions } from '../src/server.ts';

const haiku = defineSkill({
  name: 'haiku',
  description: 'Writes haiku.',
  body: 'Count. See forms.md.',
  resources: { 'forms.md': '# Forms\n\nFive, seven, five.\n' },
});

async function open(provider: SkillProvider, options: ServeSkillsOverMcpOptions = {}) {
  const server = new McpServer({ name: 'ours', version: '1.0.0' });
  const published = await serveSkillsOverMcp(server, provider, options);
  const [near, far] = InMemoryTransport.createLinkedPair();
  await server.connect(far);
  const client = new Client({ name: 'any-client', version: '1.0.0' });
  await client.connect(near);
  onTestFinished(() => client.close());
  return { client, published, server };
}

describe('SRC-6: what a client waits for', () => {
  const many = Array.from({ length: 40 }, (_, index) => ({ ...haiku, name: `haiku-${String(index).padStart(2, '0')}` }));

  function counted(skills: readonly SkillDefinition[]): { readonly provider: SkillProvider; readonly asked: Set<string> } {
    const inner = new SkillRegistry({ skills });
    const asked = new Set<string>();
    const provider: SkillProvider = {
      label: 'counted',
      listSkills: async (options) => await inner.listSkills(options),
      getSkill: async (name, options) => (asked.add(name), await inner.getSkill(name, options)),
      readResource: async (name, path, options) => (asked.add(name), await inner.readResource(name, path, options)),
    };
    return { provider, asked };
  }

  const page = async (client: Client, cursor?: string) =>
    (await client.request({ method: 'skills/list', params: cursor === undefined ? {} : { cursor } } as never, anyResult as never)) as {
      skills: { uri: string }[];
      nextCursor?: string;
    };

  it('SRC-6: a page of the list waits for the skills on it, and for one that tells whether others follow', async () => {
    const { provider, asked } = counted(many);
    const { promise: released, resolve: release } = Promise.withResolvers<void>();
    const held: SkillProvider = {
      ...provider,
      getSkill: async (name, options) => {
        const skill = await provider.getSkill(name, options);
        if (name > 'haiku-10') await released;
        return skill;
      },
    };
    const { client } = await open(held, { pageSize: 10 });
    const first = await page(client);
    expect(first.skills.length).toBe(10);
    release();
    const second = await page(client, first.nextCursor);
    expect(second.skills[0]?.uri).toBe('skill://haiku-10/SKILL.md');
    expect(asked.has('haiku-39')).toBe(false);
  });

  it('SRC-6: the page after one is read ahead, and again where that failed', async () => {
    const { provider, asked } = counted(many);
    const { promise: wasAsked, resolve: tell } = Promise.withResolvers<void>();
    let isDown = true;
    const failing: SkillProvider = {
      ...provider,
      getSkill: async (name, options) => {
        const skill = await provider.getSkill(name, options);
        if (name !== 'haiku-15' || !isDown) return skill;
        isDown = false;
        tell();
        throw new SkillError('source-unavailable', 'Down.');
      },
    };
    const { client } = await open(failing, { pageSize: 10 });
    const { nextCursor } = await page(client);
    await wasAsked;
    expect(asked.has('haiku-21')).toBe(false);
    expect((await page(client, nextCursor)).skills.length).toBe(10);
  });

  it('SRC-6: reading a file reads that skill', async () => {
    const { provider, asked } = counted(many);
    const { client } = await open(provider);
    await client.readResource({ uri: 'skill://haiku-30/forms.md' });
    expect([...asked]).toEqual(['haiku-30']);
  });

  it('SRC-6: pages are full where skills in between are not published, and the last one says that it is', async () => {
    const skills = many.map((skill, index) => (index % 3 === 0 ? skill : { ...skill, description: '' }));
    const { provider } = counted(skills.filter(({ description }) => description !== ''));
    const broken: SkillProvider = {
      ...provider,
      listSkills: async () => await new SkillRegistry({ skills: many }).listSkills(),
    };
    const { client } = await open(broken, { pageSize: 7 });
    const pages = [await page(client)];
    while (pages.at(-1)?.nextCursor !== undefined) pages.push(await page(client, pages.at(-1)?.nextCursor));
    expect(pages.map(({ skills: listed }) => listed.length)).toEqual([7, 7]);
  });

  it('SRC-6: a server that was primed asks for nothing more, and told how far it was', async () => {
    const { provider, asked } = counted(many);
    const server = new McpServer({ name: 'ours', version: '1.0.0' });
    const served = await serveSkillsOverMcp(server, provider);
    const told: [number, number][] = [];
    await served.prime({
      onProgress: (done, total) => {
        told.push([done, total]);
        throw new Error('oops');
      },
    });
    expect(told).toEqual(Array.from({ length: 41 }, (_, done) => [done, 40]));
    asked.clear();
    const [near, far] = InMemoryTransport.createLinkedPair();
    await server.connect(far);
    const client = new Client({ name: 'any-client', version: '1.0.0' });
    await client.connect(near);
    onTestFinished(() => client.close());
    expect((await page(client)).skills).toHaveLength(40);
    expect(asked.size).toBe(0);
  });

  it('SRC-6: priming can be left, and says that the provider does not answer', async () => {
    const reason = new Error('enough');
    const handler = createMcpSkillsHandler(counted(many).provider);
    await expect(handler.prime({ signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
    const down = { ...counted([]).provider, listSkills: async () => await Promise.reject(new Error('down')) };
    await expect(createMcpSkillsHandler(down).prime()).rejects.toThrow('down');
  });

  it('SRC-6: digests that the source tells are not made again', async () => {
    const { provider } = counted([haiku]);
    const read: string[] = [];
    const told: SkillProvider = {
      ...provider,
      getSkill: async (name, options) => {
        const skill = await provider.getSkill(name, options);
        return skill === null
          ? null
          : { ...skill, resources: skill.resources.map((entry) => ({ ...entry, size: 3, digest: 'a'.repeat(64) })) };
      },
      readResource: async (name, path, options) => (read.push(path), await provider.readResource(name, path, options)),
    };
    const { client } = await open(told);
    const { skills } = (await page(client)) as unknown as { skills: { resources: { digest: string }[] }[] };
    expect(skills[0]?.resources.map(({ digest }) => digest)).toContain(`sha256:${'a'.repeat(64)}`);
    expect(read).toEqual(['SKILL.md']);
  });
});

it('SRC-6: the next page of a listing is asked for before the entries of this one are looked at', async () => {
  const happened: string[] = [];
  const entry = (name: string): object => ({
    get uri() {
      happened.push(name);
      return `skill://${name}/SKILL.md`;
    },
    frontmatter: { name, description: 'Is one of many.' },
    resources: 'dynamic',
  });
  const client: McpConnection = {
    extension: () => ({}),
    request: async (_method, { cursor }) => {
      happened.push(`page ${String(cursor ?? 1)}`);
      return cursor === undefined ? { skills: [entry('a')], nextCursor: '2' } : { skills: [entry('b')] };
    },
  };
  const { skills } = await mcpSkillProvider({ client }).listSkills();
  expect(skills.map(({ name }) => name)).toEqual(['a', 'b']);
  expect([...new Set(happened)]).toEqual(['page 1', 'page 2', 'a', 'b']);
});
