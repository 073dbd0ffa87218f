import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { fileSystemSkillProvider } from '@repertoire/skill-fs';
import { httpSkillProvider } from '@repertoire/skill-http';
import { exportStatic } from '@repertoire/skill-http/node';
import { createSkillsHandler } from '@repertoire/skill-http/server';
import { mcpSkillProvider } from '@repertoire/skill-mcp';
import { createMcpSkillsHandler } from '@repertoire/skill-mcp/server';
import { publishSkillsToStorage, storageSkillProvider, unstorageSkillStore } from '@repertoire/skill-storage';
import { parseSkillCard, withCardFiles, withSkillCards } from '@repertoire/skill-cards';
import { SkillRegistry, type SkillProvider } from '@repertoire/skills-core';
import { createStorage } from 'unstorage';
import { describe, expect, it, onTestFinished } from 'vitest';
import { skillFolders } from './skill-folders.ts';

/** A skill with a title and a server, and one whose author wrote a card. */
const library = new SkillRegistry({
  skills: [
    {
      name: 'weather',
      version: '1.0.0',
      description: 'Current weather.',
      body: 'Ask for the city.',
      metadata: { title: 'Weather Lookup' },
      fields: { mcps: { meteo: { transport: 'streamable-http', url: 'https://meteo.example/mcp' } } },
      resources: { 'references/api.md': 'GET /v1' },
    },
    {
      name: 'carded',
      description: 'Has a card.',
      body: 'Do it.',
      resources: {
        'skill-card.json': JSON.stringify({
          id: 'carded',
          version: '3.0.0',
          name: 'Carded Skill',
          description: 'Has a card.',
          base_uri: '.',
          files: ['SKILL.md'],
        }),
      },
    },
  ],
});

async function temporary(): Promise<string> {
  const path = await mkdtemp(join(tmpdir(), 'repertoire-cards-'));
  onTestFinished(() => rm(path, { recursive: true }));
  return path;
}

/** A page host of a folder, on an origin that exists for this test alone. */
const pages = (folder: string) => async (request: Request) => {
  try {
    return new Response(await readFile(join(folder, new URL(request.url).pathname)));
  } catch {
    return new Response('no', { status: 404 });
  }
};

const origin = 'https://skills.example.com';
const overHttp = (fetch: (request: Request) => Promise<Response>, name: string) =>
  httpSkillProvider({ url: `${origin}/.well-known/agent-skills/${name}`, layout: 'card', fetch });

/** How each publisher serves the library with cards, and what a reader of cards makes of it. */
const publishers: Readonly<Record<string, (cards: boolean) => Promise<Readonly<Record<'weather' | 'carded', SkillProvider>>>>> = {
  'the HTTP handler': async (cards) => {
    const handler = createSkillsHandler(library, { cards });
    return { weather: overHttp(handler, 'weather'), carded: overHttp(handler, 'carded') };
  },
  'the static export': async (cards) => {
    const folder = await temporary();
    await exportStatic(library, folder, { cards });
    return { weather: overHttp(pages(folder), 'weather'), carded: overHttp(pages(folder), 'carded') };
  },
  'the storage publisher': async (cards) => {
    const store = unstorageSkillStore(createStorage());
    await publishSkillsToStorage(store, cards ? withCardFiles(library) : library);
    const reader = withSkillCards(storageSkillProvider({ store }));
    return { weather: reader, carded: reader };
  },
  'the MCP server': async (cards) => {
    const handler = createMcpSkillsHandler(cards ? withCardFiles(library) : library);
    onTestFinished(() => handler[Symbol.asyncDispose]());
    const client = new Client({ name: 'reader', version: '1.0.0' });
    await client.connect(
      new StreamableHTTPClientTransport(new URL(`${origin}/mcp`), { fetch: (input, init) => handler.fetch(new Request(input, init)) }),
    );
    onTestFinished(() => client.close());
    const reader = withSkillCards(mcpSkillProvider({ client }));
    return { weather: reader, carded: reader };
  },
};

describe.each(Object.entries(publishers))('cards by %s', (name, publish) => {
  it('S0-49 FMT-4: a card comes with each skill, and the readers read it: id, version, name for people, servers and files', async () => {
    const { weather, carded } = await publish(true);
    const skill = await weather.getSkill('weather');
    expect(skill).toMatchObject({
      name: 'weather',
      version: '1.0.0',
      metadata: { title: 'Weather Lookup' },
      fields: { mcps: { meteo: { transport: 'streamable-http', url: 'https://meteo.example/mcp' } } },
      body: 'Ask for the city.',
    });
    expect(new TextDecoder().decode((await weather.readResource('weather', 'references/api.md'))?.bytes)).toBe('GET /v1');
    expect((await carded.listSkills()).skills).toContainEqual(
      expect.objectContaining({ name: 'carded', version: '3.0.0', metadata: { title: 'Carded Skill' } }),
    );
  });

  it('S0-49 FMT-4: without the option nothing changes', async () => {
    const { carded, weather } = await publish(false);
    if (name.startsWith('the HTTP') || name.startsWith('the static')) {
      await expect(weather.listSkills()).rejects.toMatchObject({ code: 'source-unavailable' });
    } else {
      expect((await weather.getSkill('weather'))?.resources.map(({ path }) => path)).toEqual(['references/api.md']);
      // A card that its author wrote is one of the files, as ever.
      expect((await carded.getSkill('carded'))?.version).toBe('3.0.0');
    }
  });
});

describe('cards that others could not use', () => {
  it('S0-49 FMT-4: a card with another id, or whose files lie elsewhere, is not served as one, and the publisher says why', async () => {
    const card = (fields: object) =>
      JSON.stringify({ id: 'weather', name: 'W', description: 'x', base_uri: '.', files: ['SKILL.md'], ...fields });
    for (const wrong of ['{', card({ id: 'other' }), card({ base_uri: 'https://elsewhere.example/' })]) {
      const root = await skillFolders({
        'weather/SKILL.md': '---\nname: weather\ndescription: W.\n---\nAsk.',
        'weather/skill-card.json': wrong,
      });
      const handler = createSkillsHandler(fileSystemSkillProvider({ roots: [root] }), { cards: true });
      expect((await handler(new Request(`${origin}/.well-known/agent-skills/weather/skill-card.json`))).status).toBe(404);
      expect((await handler.diagnostics()).map(({ code }) => code)).toEqual(['card-not-published']);
    }
    const handler = createSkillsHandler(library, { cards: true });
    const served = await handler(new Request(`${origin}/.well-known/agent-skills/weather/skill-card.json`));
    expect(served.headers.get('content-type')).toContain('application/json');
    expect(parseSkillCard(await served.text()).card).toMatchObject({
      id: 'weather',
      baseUri: '.',
      files: ['SKILL.md', 'references/api.md'],
    });
  });
});
