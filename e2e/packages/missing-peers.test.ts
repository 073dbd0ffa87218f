import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { createCleanProject } from './clean-project.ts';
import { entryPoints } from './entry-points.ts';
import { jsonOf } from './json-of.ts';
import { pnpm } from './package-managers.ts';
import { neededPeers } from './entry-support.ts';
import { prepared } from './prepared.ts';

/** The command line and the adapters, which stand beside all packages here, bring the peers of these along. */
const brought: ReadonlySet<string> = new Set([
  '@repertoire/skill-mcp/server',
  '@repertoire/agent-plugins/ai-sdk',
  '@repertoire/agent-plugins/langchain',
  '@repertoire/agent-plugins/openai-agents',
  '@repertoire/agent-plugins/servers',
]);

it('an optional peer is asked for by its name, by the entry points that need it and no other', async () => {
  const { packages, directory } = prepared();
  const project = await createCleanProject({ directory: join(directory, 'missing-peers'), manager: pnpm, packages, dependencies: {} });
  const entries = entryPoints(packages).flatMap(({ name, hasCode }) => (hasCode ? [name] : []));
  const attempts = entries.map((entry) => `await import('${entry}').then(() => 'loaded', ({ code, message }) => code + ': ' + message)`);
  await writeFile(join(project.directory, 'attempt.mjs'), `console.log(JSON.stringify([${attempts.join(',\n')}]));`);
  const outcomes = jsonOf(await project.run('attempt.mjs')) as readonly string[];

  const told = Object.fromEntries(entries.map((entry, index) => [entry, outcomes[index]?.replace(/ imported from .*/, '')]));
  expect(told).toEqual(
    Object.fromEntries(
      entries.map((entry) => [
        entry,
        neededPeers[entry] === undefined || brought.has(entry)
          ? 'loaded'
          : `ERR_MODULE_NOT_FOUND: Cannot find package '${neededPeers[entry]}'`,
      ]),
    ),
  );
  // What is asked for is what the manifest tells to install.
  const optional = packages.flatMap(({ manifest }) => Object.keys(manifest['peerDependenciesMeta'] ?? {}));
  expect(optional).toEqual(expect.arrayContaining(Object.values(neededPeers)));
});
