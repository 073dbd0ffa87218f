import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { prepared } from './prepared.ts';
import { runOutside } from './run-outside.ts';

it("CON-4: the conformance suite runs in a user's own project", async () => {
  const folder = join(prepared().project, 'conformance');
  await mkdir(folder, { recursive: true });
  await writeFile(
    join(folder, 'provider.test.mjs'),
    `import { SkillRegistry } from '@repertoire/skills-core';
     import { skillFromFiles } from '@repertoire/skills-core/skill-md';
     import { groupBySkillDirectory } from '@repertoire/skills-testkit';
     import { testSkillProvider } from '@repertoire/skills-testkit/vitest';

     const skillsOf = (files) =>
       [...groupBySkillDirectory(files)].flatMap(([directoryName, group]) => skillFromFiles(group, { directoryName }).definition ?? []);

     testSkillProvider({
       name: 'in code',
       create: async (files) => {
         const provider = new SkillRegistry({ skills: skillsOf(files) });
         const change = async (changed) => {
           provider.clear();
           for (const skill of skillsOf(changed)) provider.register(skill);
         };
         return { provider, change };
       },
       abilities: ['watch', 'versions', 'raw'],
       knownFailures: [{ id: 'list/diagnostics', reason: 'bad files are left out before they become definitions' }],
     });`,
  );
  const command = ['node', '../node_modules/vitest/vitest.mjs', 'run', '--reporter=json', '--outputFile=report.json'];
  const { ok, output } = await runOutside(command, folder);
  expect({ ok, output }).toMatchObject({ ok: true });
  const { numPassedTests: passed, numFailedTests: failed } = JSON.parse(await readFile(join(folder, 'report.json'), 'utf8')) as Record<
    string,
    number
  >;
  expect(failed).toBe(0);
  expect(passed).toBeGreaterThan(50);
});
