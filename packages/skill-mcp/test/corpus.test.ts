import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { McpServer } from '@modelcontextprotocol/server';
import { digestOfSkill } from '@repertoire/skills-core/provider';
import { fileSystemSkillProvider } from '@repertoire/skill-fs';
import { SkillsClient } from '@modelcontextprotocol/client/ext/skills';
import { beforeEach, describe, expect, it } from 'vitest';
import { isTried } from '../../../test/support/property-runs.ts';
import { mcpSkillProvider } from '../src/index.ts';
import { serveSkillsOverMcp } from '../src/server.ts';
import { connectInMemory } from './support/connect.ts';

const corpus = path.resolve(import.meta.dirname, '../../../../shared/corpus');
const here = existsSync(corpus);

describe('SRC-6, CON-9: skills as their authors published them, published over MCP and read back', () => {
  beforeEach((context) => context.skip(!here, 'the corpus of published skills is not beside the project (../shared/corpus)'));

  // One provider for each collection: together they carry many copies of one another's skills, of which one source lists one.
  const collections = here ? readdirSync(corpus, { withFileTypes: true }).filter((entry) => entry.isDirectory()) : [];
  const originals = collections.map(({ name }) =>
    fileSystemSkillProvider({ roots: [path.join(corpus, name)], trusted: false, limits: { depth: 12 } }),
  );

  const kinds = [
    ['lenient', false],
    ['strict', false],
    ['strict', true],
  ] as const;
  it.each(kinds.map(([profile, rewriteSkillMd], last) => [profile, rewriteSkillMd, last] as const))(
    'SRC-6: with the %s profile (rewriteSkillMd: %s), every one has the same digests, or a diagnostic that says why it was not published',
    async (profile, rewriteSkillMd, last) => {
      let same = 0;
      let notPublished = 0;
      for (const original of originals.filter((_, place) => isTried({ last, size: kinds.length }, place))) {
        const server = new McpServer({ name: 'corpus', version: '1.0.0' });
        const published = await serveSkillsOverMcp(server, original, { profile, rewriteSkillMd });
        const { client, close } = await connectInMemory(server);
        const read = mcpSkillProvider({ client, profile, timeoutMs: 300_000 });
        // By name: the version of a few is a number in their frontmatter, which JSON changes.
        const there = new Map((await read.listSkills()).skills.map((skill) => [skill.name, skill.version]));
        const reported = new Set(
          (await published.diagnostics()).filter(({ code }) => code === 'skill-not-published').map(({ skill }) => skill),
        );
        expect((await read.listSkills()).diagnostics.filter(({ severity }) => severity === 'error')).toEqual([]);
        for (const { name, version } of (await original.listSkills()).skills) {
          const served = there.get(name);
          if (served !== undefined) {
            const [mine, theirs] = [await digestOfSkill(original, name, { version }), await digestOfSkill(read, name, { version: served })];
            expect(theirs?.body, name).toBe(mine?.body);
            if (!rewriteSkillMd) expect([name, theirs?.digest, theirs?.files]).toEqual([name, mine?.digest, mine?.files]);
            same += 1;
          } else {
            expect(reported, name).toContain(name);
            notPublished += 1;
          }
        }
        await close();
      }
      console.log(
        `skill-mcp, ${profile}${rewriteSkillMd ? ', rewritten' : ''}: ${same} skills came back the same; ${notPublished} were not published, each with a reason.`,
      );
      expect(same).toBeGreaterThan(50);
      expect(notPublished).toBeLessThan(same * 0.02);
    },
  );

  it('SRC-6: the official client takes every entry that we publish, and verifies its SKILL.md', async () => {
    const failed: string[] = [];
    let verified = 0;
    const tried = originals.filter((_, place) => isTried({ last: 0, size: kinds.length }, place));
    for (const original of tried) {
      const server = new McpServer({ name: 'corpus', version: '1.0.0' });
      await serveSkillsOverMcp(server, original);
      const { client, close } = await connectInMemory(server);
      const skills = new SkillsClient(client, { skipInvalid: true });
      const { skills: entries, invalid } = await skills.list({}, { timeout: 300_000 });
      expect(invalid).toEqual([]);
      for (const entry of entries) {
        await skills.read(entry).then(
          (file) => (verified += Number(file.verified)),
          (error: unknown) => failed.push(`${entry.uri}: ${String(error)}`),
        );
      }
      await close();
    }
    expect(failed).toEqual([]);
    expect(verified).toBeGreaterThan(tried.length === originals.length ? 700 : 100);
  });
});
