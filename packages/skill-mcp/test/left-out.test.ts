import { Client, InMemoryTransport } from '@modelcontextprotocol/client';
import { McpServer } from '@modelcontextprotocol/server';
import { SkillRegistry, type SkillProvider } from '@repertoire/skills-core';
import { afterEach, describe, expect, it } from 'vitest';
import { metadataOfFrontmatter } from '../src/provider/metadata-of-frontmatter.ts';
import { mcpSkillProvider } from '../src/index.ts';
import { serveSkillsOverMcp, type ServedSkills } from '../src/server.ts';
import { changingProvider } from './support/changing-provider.ts';

const clients: Client[] = [];
afterEach(async () => {
  for (const client of clients.splice(0)) await client.close();
});

async function open(provider: SkillProvider): Promise<{ readonly client: Client; readonly published: ServedSkills }> {
  const server = new McpServer({ name: 'ours', version: '1.0.0' });
  const published = await serveSkillsOverMcp(server, provider);
  const [near, far] = InMemoryTransport.createLinkedPair();
  await server.connect(far);
  const client = new Client({ name: 'any-client', version: '1.0.0' });
  await client.connect(near);
  clients.push(client);
  return { client, published };
}

describe('SRC-6: what is published, and what is left out', () => {
  it('SRC-6: one line says which skills are left out and how many', async () => {
    const odd = Array.from({ length: 30 }, (_, index) => ({ name: `Odd_${index + 10}`, description: 'Odd.', body: 'B.' }));
    const { published } = await open(
      new SkillRegistry({ skills: [{ name: 'haiku', description: 'Writes haiku.', body: 'Count.' }, ...odd] }),
    );
    const [first, ...others] = await published.diagnostics();
    expect(first?.message).toMatch(/^30 of 31 skills are not published: Odd_10, Odd_11, .*, Odd_29 and 10 more\.$/);
    expect(others).toHaveLength(30);
  });

  it('SRC-6: an argument hint in brackets reads the same as from a folder', async () => {
    const hints = ['[file]', '[issue, priority]', '[no]', '["two words, or more"]', '<path>', '[--all]', '[<file>, "a: b"]'];
    const { provider } = changingProvider(
      Object.fromEntries(
        hints.map((hint, index) => [
          `s${index}/SKILL.md`,
          `---\nname: s${index}\ndescription: Takes it.\nargument-hint: ${hint}\n---\nB.\n`,
        ]),
      ),
    );
    const direct = (await provider.listSkills()).skills.map(({ argumentHint }) => argumentHint);
    const { client } = await open(provider);
    const read = await mcpSkillProvider({ client }).listSkills();
    expect(read.skills.map(({ argumentHint }) => argumentHint)).toEqual(direct);
    expect(direct[0]).toBe('[file]');
    // The strict profile publishes no list of anything but texts.
    const listed = { name: 's', description: 'Takes it.', 'argument-hint': [{ as: 'table | list' }, { file: null }] };
    expect(metadataOfFrontmatter(listed, 's', 'skill://s/SKILL.md').metadata?.argumentHint).toBe('[as: table | list, file]');
  });
});
