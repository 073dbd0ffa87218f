import { chmod, mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { pluginProvider } from '@repertoire/agent-plugins';
import { pluginFolders, stdioServers } from '@repertoire/agent-plugins/node';
import { pluginServers } from '@repertoire/agent-plugins/servers';
import type { SkillDiagnostic } from '@repertoire/skills-core';
import { expect, it } from 'vitest';
import { runCli } from './run-cli.ts';
import { temporaryFolder } from './temporary-folder.ts';

const plugin = path.resolve(import.meta.dirname, '../../../examples/plugins/repertoire');

it('PLG-8: Repertoire as a plugin has nothing to fix, not even by the strict profile', async () => {
  const { code, stdout } = await runCli(path.dirname(plugin), ['plugin', 'check', plugin, '--json']);
  expect([code, JSON.parse(stdout)]).toMatchObject([
    0,
    { name: 'repertoire', skills: ['skills/test-a-skill', 'skills/write-a-skill'], servers: ['skills'], diagnostics: [] },
  ]);
  expect((await runCli(path.dirname(plugin), ['lint', plugin])).code).toBe(0);
});

it('PLG-10: and its tests find the skill that they are for first', async () => {
  const { code, stdout } = await runCli(path.dirname(plugin), ['test', `plugin:${plugin}`, '--min-first', '1', '--json']);
  const { routing } = JSON.parse(stdout) as { routing: { prompts: unknown[] } };
  expect([code, routing.prompts.length]).toEqual([0, 6]);
});

it('PLG-4: and its server serves its skills', async () => {
  const { path: folder } = await temporaryFolder();
  const bin = path.join(folder, 'bin');
  await mkdir(bin);
  const main = path.resolve(import.meta.dirname, '../src/main.ts');
  await writeFile(path.join(bin, 'repertoire'), `#!/bin/sh\nexec ${process.execPath} --conditions=@repertoire/source ${main} "$@"\n`);
  await chmod(path.join(bin, 'repertoire'), 0o755);
  const provider = pluginProvider({ roots: pluginFolders([plugin]) });
  const environment = { PATH: `${bin}${path.delimiter}${process.env['PATH'] ?? ''}` };
  await using servers = pluginServers(provider, {
    allow: ['repertoire/skills'],
    stdio: stdioServers({ data: path.join(folder, 'data'), environment }),
  });
  const [skill] = (await provider.listSkills()).skills;
  const reports: SkillDiagnostic[] = [];
  const tools = await servers.open(skill!, { holder: 'test', report: (report) => reports.push(report) });
  expect(reports).toEqual([]);
  // Listing them is not among the permissions that the plugin declares.
  expect(tools.map(({ name }) => name)).toEqual(['load_skill', 'read_skill_file']);
  expect((await tools[0]!.call({ name: 'write-a-skill' })).text).toContain('# Write a skill');
});
