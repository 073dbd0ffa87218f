import { existsSync, readdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { fileSystemSkillProvider } from '@repertoire/skill-fs';
import { createSkillLock, diffSkillLock } from '@repertoire/skill-trust/lock';
import { SkillRegistry, type SkillDefinition, type SkillLock } from '@repertoire/skills-core';
import { beforeEach, describe, expect, it } from 'vitest';
import { isTried } from '../../../test/support/property-runs.ts';
import { runCli } from './run-cli.ts';
import { temporaryFolder } from './temporary-folder.ts';

const corpus = path.resolve(import.meta.dirname, '../../../../shared/corpus');
const here = existsSync(corpus);

describe('SRC-9, FMT-3: skills as their authors published them', () => {
  beforeEach((context) => context.skip(!here, 'the corpus of published skills is not beside the project (../shared/corpus)'));

  it('a bundle of several hundred is what their folders are, and says what it left out', async () => {
    const folder = await temporaryFolder({ 'package.json': '{"type":"module"}' });
    // A collection each: what one hides of another is for the test of that.
    const collections = readdirSync(corpus, { withFileTypes: true })
      .filter((entry) => entry.isDirectory())
      .map(({ name }) => name)
      .sort();
    let carried = 0;
    const tried = collections.filter((_, place) => isTried({ last: 0, size: 3 }, place));
    for (const [index, collection] of tried.entries()) {
      const root = path.join(corpus, collection);
      const out = `${collection}.gen.ts`;
      const argv = [
        'bundle',
        root,
        '--out',
        out,
        '--lenient',
        '--json',
        '--max-file',
        '100MB',
        '--max-size',
        '100MB',
        ...(index % 3 === 0 ? ['--split'] : []),
      ];
      const { code, stdout, stderr } = await runCli(folder.path, argv);
      expect(code, stderr).toBe(0);
      const result = JSON.parse(stdout) as { skills: unknown[]; refused: number };
      const { skills, lock } = createRequire(import.meta.url)(folder.at(out)) as { skills: SkillDefinition[]; lock: SkillLock };
      carried += skills.length;

      const source = fileSystemSkillProvider({
        roots: [root],
        label: 'code',
        staleAfterMs: Infinity,
        limits: { resources: Number.MAX_SAFE_INTEGER },
      });
      const expected = await createSkillLock(source);
      const served = await createSkillLock(new SkillRegistry({ skills }));
      const difference = await diffSkillLock(expected, served);
      // What a version-less skill beside versions is to a provider cannot be bundled.
      expect(difference, collection).toMatchObject({ added: [], changed: [] });
      expect(difference.removed.length, collection).toBeLessThanOrEqual(result.refused);
      expect((await diffSkillLock(lock, served)).same, collection).toBe(true);
    }
    expect(carried).toBeGreaterThan(tried.length === collections.length ? 500 : 150);
  });
});
