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
    `import { inCodeSkillProvider } from '@repertoire/skills-core';
     import { skillFromFiles } from '@repertoire/skills-core/skill-md';
     import { groupBySkillDirectory } from '@repertoire/skills-testkit';
     import { testSkillProvider } from '@repertoire/skills-testkit/vitest';

     testSkillProvider({
       name: 'in code',
       create: async (files) => {
         const skills = [...groupBySkillDirectory(files)].map(([directoryName, group]) => skillFromFiles(group, { directoryName }).definition);
         return { provider: inCodeSkillProvider(skills.filter((skill) => skill !== null)) };
       },
       abilities: ['versions', 'raw'],
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
