import { createHash } from 'node:crypto';
import { existsSync, globSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { fileURLToPath } from 'node:url';
import { fileSystemSkillProvider } from '../src/index.ts';

const corpus = path.resolve(import.meta.dirname, '../../../../shared/corpus');
const here = existsSync(corpus);

describe('SRC-1, FMT-3: skills as their authors published them', () => {
  beforeEach((context) => context.skip(!here, 'the corpus of published skills is not beside the project (../shared/corpus)'));

  const provider = fileSystemSkillProvider({ roots: [corpus], trusted: false, limits: { depth: 12 } });
  const files = here
    ? globSync('**/SKILL.md', {
        cwd: corpus,
        exclude: (name) => path.basename(name).startsWith('.') || path.basename(name) === 'node_modules',
      })
    : [];

  it('lists them all, and says of each that is not listed why, and what to do', async () => {
    const { skills, diagnostics } = await provider.listSkills();
    expect(files.length).toBeGreaterThan(500);
    const listed = new Set(skills.map(({ origin }) => origin?.uri));
    const explained = new Set(
      diagnostics
        .filter(({ code, severity }) => severity === 'error' || code === 'skill-duplicate' || code === 'phase-file')
        .map((diagnostic) => diagnostic.path),
    );
    const unexplained = files
      .map((file) => path.join(corpus, file))
      .filter((file) => !listed.has(new URL(`file://${encodeURI(path.dirname(file))}/`).href) && !explained.has(file));
    expect(unexplained).toEqual([]);
    for (const diagnostic of diagnostics) {
      expect(diagnostic.fix, diagnostic.code).toMatch(/\S/);
      expect(diagnostic.path, diagnostic.code).toContain(corpus);
    }
    // Collections carry copies of one another's skills; what is broken is a handful.
    expect(diagnostics.filter(({ severity }) => severity === 'error').length).toBeLessThan(files.length * 0.02);
  });

  it('CON-2: reads the SKILL.md of each, byte for byte', async () => {
    const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');
    const { skills } = await provider.listSkills();
    expect(skills.length).toBeGreaterThan(0);
    for (const { name, version, origin } of skills) {
      const folder = fileURLToPath(origin?.uri ?? '');
      const file = globSync('[Ss][Kk][Ii][Ll][Ll].[Mm][Dd]', { cwd: folder }).sort()[0] ?? '';
      const resource = await provider.readResource(name, 'SKILL.md', { version });
      expect(sha256(resource?.bytes ?? new Uint8Array()), name).toBe(sha256(await readFile(path.join(folder, file))));
    }
  });

  it('gets every one with the same level 1 as in the list, and reads every file in its list', async () => {
    const { skills } = await provider.listSkills();
    expect(skills.length).toBeGreaterThan(0);
    for (const { name, version, origin, description } of skills) {
      const skill = await provider.getSkill(name, { version });
      expect(skill, name).toMatchObject({ name, origin, description });
      for (const { path: inner, size } of skill?.resources ?? []) {
        const resource = await provider.readResource(name, inner, { version, maxBytes: 16 });
        expect(resource?.size, `${name}: ${inner}`).toBe(size);
      }
    }
  });
});
