import { McpServer } from '@modelcontextprotocol/server';
import { SkillsClient } from '@modelcontextprotocol/client/ext/skills';
import type { SkillDefinition } from '@repertoire/skills-core';
import { fixedSkillProvider } from '@repertoire/skills-core/internal';
import { digestOfSkill, skillDigest } from '@repertoire/skills-core/provider';
import { skillFromFiles } from '@repertoire/skills-core/skill-md';
import { describe, expect, it, onTestFinished } from 'vitest';
import { mcpSkillProvider } from '../src/index.ts';
import { serveSkillsOverMcp, type ServeSkillsOverMcpOptions } from '../src/server.ts';
import { connectInMemory } from './support/connect.ts';

const files = {
  'SKILL.md': '\uFEFF---\r\nname: odd\r\ndescription: "Use when: it breaks"   # kept\r\nmetadata: { team: "a" }\r\n---\r\n\r\nBody\r\n\r\n',
  'a.bin': Uint8Array.of(0, 255, 13, 10),
  'references/b.md': '\uFEFFb\r\n',
};

function definitionOf(skillMd: string): SkillDefinition {
  const { definition } = skillFromFiles({ 'SKILL.md': skillMd });
  if (definition === null) throw new Error('It is no skill.');
  return definition;
}

async function serve(definitions: readonly SkillDefinition[], options: ServeSkillsOverMcpOptions = {}) {
  const server = new McpServer({ name: 'ours', version: '1.0.0' });
  const source = fixedSkillProvider(definitions);
  const served = await serveSkillsOverMcp(server, source, options);
  const { client, close } = await connectInMemory(server);
  onTestFinished(close);
  return { source, served, client };
}

describe('CON-2, SRC-6: a skill comes over MCP as its author wrote it', () => {
  it('with byte order mark, CRLF and comments; its digest is that of the folder', async () => {
    const { definition } = skillFromFiles(files);
    const { served, source, client } = await serve([definition!]);
    expect(await served.diagnostics()).toEqual([]);
    const provider = mcpSkillProvider({ client });
    const skillMd = await provider.readResource('odd', 'SKILL.md');
    expect(skillMd?.bytes).toEqual(new TextEncoder().encode(files['SKILL.md']));
    expect(skillMd).toMatchObject({ path: 'SKILL.md', mediaType: 'text/markdown', size: skillMd?.bytes.length });
    expect((await provider.readResource('odd', 'SKILL.md', { maxBytes: 4 }))?.bytes).toEqual(Uint8Array.of(0xef, 0xbb, 0xbf, 0x2d));
    const digests = await digestOfSkill(provider, 'odd');
    expect(digests?.digest).toBe(await skillDigest(files));
    expect(digests?.files).toEqual((await digestOfSkill(source, 'odd'))?.files);
    expect((await provider.getSkill('odd'))?.diagnostics.map(({ code }) => code)).toContain('byte-order-mark');
    // The official client verifies it.
    const official = new SkillsClient(client);
    const { skills } = await official.list();
    expect(await official.read(skills[0]!)).toMatchObject({ verified: true });
  });

  it.each([
    ['values of metadata that are not text', 'metadata:\n  weight: 1.0\n', 'metadata'],
    ['values of metadata that are lists', 'metadata:\n  tags: [a, b]\n', 'metadata'],
    ['YAML that readers repair', 'compatibility: Needs: git\n', 'no valid YAML'],
    ['YAML that official clients do not read', 'x-anchor: &a 1\nx-alias: *a\n', ''],
  ])(
    'is refused under the strict profile for %s, since one such entry costs an official client its whole listing',
    async (_what, field, why) => {
      const odd = definitionOf(`---\nname: odd\ndescription: Is odd.\n${field}---\nBody.\n`);
      const fine = definitionOf('---\nname: fine\ndescription: Is fine.\n---\nBody.\n');
      const { served, client } = await serve([odd, fine]);
      expect((await new SkillsClient(client).list()).skills.map(({ frontmatter }) => frontmatter.name)).toEqual(['fine']);
      expect(await served.diagnostics()).toMatchObject([
        { code: 'skills-not-published', message: '1 of 2 skills are not published: odd.' },
        {
          code: 'skill-not-published',
          skill: 'odd',
          message: expect.stringContaining(why),
          fix: expect.stringContaining('rewriteSkillMd'),
        },
      ]);
      // Written anew, it is what every client takes.
      const rewritten = await serve([odd, fine], { rewriteSkillMd: true });
      expect(await rewritten.served.diagnostics()).toEqual([]);
      const official = new SkillsClient(rewritten.client);
      const { skills } = await official.list();
      for (const skill of skills) expect(await official.read(skill)).toMatchObject({ verified: true });
      const original = (await rewritten.source.listSkills()).skills.find(({ name }) => name === 'odd');
      expect((await mcpSkillProvider({ client: rewritten.client }).listSkills()).skills.find(({ name }) => name === 'odd')).toMatchObject({
        description: 'Is odd.',
        ...(original?.metadata !== undefined && { metadata: original.metadata }),
        ...(original?.compatibility !== undefined && { compatibility: original.compatibility }),
      });
      // And the lenient profile publishes the author's bytes all the same.
      const lenient = await serve([odd], { profile: 'lenient' });
      expect((await lenient.served.diagnostics()).map(({ code }) => code)).toEqual(['skill-not-standard']);
      const read = await mcpSkillProvider({ client: lenient.client, profile: 'lenient' }).readResource('odd', 'SKILL.md');
      expect(new TextDecoder().decode(read?.bytes)).toBe(odd.skillMd);
    },
  );

  it('is refused in UTF-16, which only we would read', async () => {
    const source = fixedSkillProvider([definitionOf('---\nname: odd\ndescription: Is odd.\n---\nBody.\n')]);
    const bytes = Uint8Array.from(Buffer.from('\uFEFF---\nname: odd\ndescription: Is odd.\n---\nBody.\n', 'utf16le'));
    const readResource = async () => ({ path: 'SKILL.md', mediaType: 'text/markdown', bytes, size: bytes.length });
    const served = await serveSkillsOverMcp(new McpServer({ name: 'ours', version: '1.0.0' }), { ...source, readResource });
    expect((await served.diagnostics()).map(({ message }) => message)).toContain('Skill "odd" is not published: its SKILL.md is no UTF-8.');
  });

  it('tells that a version without quotes changes on the way', async () => {
    const { served, client } = await serve([definitionOf('---\nname: odd\ndescription: Is odd.\nversion: 1.10\n---\nBody.\n')]);
    expect((await served.diagnostics()).map(({ code }) => code)).toEqual(['skill-version-changed']);
    expect((await mcpSkillProvider({ client }).listSkills()).skills[0]?.version).toBe('1.1');
    const rewritten = await serve([definitionOf('---\nname: odd\ndescription: Is odd.\nversion: 1.10\n---\nBody.\n')], {
      rewriteSkillMd: true,
    });
    expect((await mcpSkillProvider({ client: rewritten.client }).listSkills()).skills[0]?.version).toBe('1.10');
  });
});

describe('CON-1: a listing is one frozen object', () => {
  it('as long as the server says the same', async () => {
    let now = 0;
    let description = 'D.';
    const client = {
      extension: () => ({}),
      request: async () => ({
        skills: [{ uri: 'skill://a/SKILL.md', frontmatter: { name: 'a', description, metadata: { x: 'y' } }, resources: 'dynamic' }],
      }),
    };
    const provider = mcpSkillProvider({ client, now: () => now });
    const listing = await provider.listSkills();
    const [skill] = listing.skills;
    const parts = [listing, listing.skills, listing.diagnostics, listing.diagnostics[0], skill, skill?.metadata, skill?.origin];
    expect(parts.map((part) => typeof part === 'object' && Object.isFrozen(part))).not.toContain(false);
    expect(await provider.listSkills()).toBe(listing);
    now += 1e9;
    expect(await provider.listSkills()).toBe(listing);
    description = 'E.';
    now += 1e9;
    expect((await provider.listSkills()).skills[0]?.description).toBe('E.');
  });
});
