import { chmod, readFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { harborSkill, mutationOperators, type SkillFiles } from './lint-mutations.ts';
import { runCli } from './run-cli.ts';
import { temporaryFolder } from './temporary-folder.ts';

const eachOperator = 12;

describe('AUT-6: mistakes that no rule lists', () => {
  it('AUT-6: finds most of what happens to the files of a good skill, and the page says how much of it', async (context) => {
    context.skip(process.platform === 'win32', 'files have no mode on Windows');
    expect((await lint({ good: copy() })).size, 'the skill before it is changed').toBe(0);
    const pick = seeded(20_261_124);
    const skills: Record<string, SkillFiles> = {};
    for (const [operator, { mutate, name }] of mutationOperators.entries()) {
      for (let made = 0, tried = 0; made < eachOperator && tried < 200; tried += 1) {
        const files = copy();
        if (!mutate(files, pick)) continue;
        skills[`${operator}/${made}`] = files;
        made += 1;
      }
      expect(skills[`${operator}/0`], name).toBeDefined();
    }
    const found = await lint(skills);
    const all = Object.keys(skills);
    const rows = mutationOperators.map(({ name }, operator) => {
      const own = all.filter((key) => key.startsWith(`${operator}/`));
      return `| ${name} | ${own.length} | ${own.filter((key) => found.has(key)).length} |`;
    });
    const share = Math.round((100 * all.filter((key) => found.has(key)).length) / all.length);
    expect(share).toBeGreaterThanOrEqual(85);
    const page = await readFile(path.resolve(import.meta.dirname, '../../../docs/reference/lint-precision.md'), 'utf8');
    for (const row of rows) expect(page).toContain(row);
    expect(page.replace(/\s+/g, ' ')).toContain(`finds ${share} % of ${all.length} such changes`);
  });
});

function copy(): SkillFiles {
  return structuredClone(harborSkill) as SkillFiles;
}

/** Folders with at least one finding. */
async function lint(skills: Readonly<Record<string, SkillFiles>>): Promise<ReadonlySet<string>> {
  const folder = await temporaryFolder();
  for (const [key, files] of Object.entries(skills))
    for (const [file, { text, mode }] of Object.entries(files)) {
      await folder.write({ [`${key}/harbor/${file}`]: text });
      await chmod(folder.at(`${key}/harbor`, file), mode);
    }
  const found = new Set<string>();
  // Copies of one skill have one name and one description, which is no mistake of theirs.
  const { stdout } = await runCli(folder.path, ['lint', '.', '--json', '--ignore', 'duplicate-name,similar-descriptions']);
  const { findings, errors } = JSON.parse(stdout) as { findings: { path: string }[]; errors: unknown[] };
  expect(errors).toEqual([]);
  for (const { path: file } of findings)
    found.add(
      file
        .split(path.sep)
        .slice(0, -1)
        .join('/')
        .replace(/\/harbor.*$/, ''),
    );
  return found;
}

/** Whole numbers below a limit, always the same ones (mulberry32). */
function seeded(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below;
  };
}
