import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { runInWorkerd } from '../run-in-workerd.ts';
import { entryPoints } from './entry-points.ts';
import { prepared } from './prepared.ts';
import { runOutside } from './run-outside.ts';
import { workerSupport } from './entry-support.ts';

it('of every entry point with code, it is known whether it runs on Workers', () => {
  const withCode = entryPoints(prepared().packages).flatMap(({ name, hasCode }) => (hasCode ? [name] : []));
  expect(Object.keys(workerSupport).toSorted()).toEqual(withCode.toSorted());
});

it('SRC-9, ADP-1, ADP-2, ADP-4: entry points for Workers hold nothing of Node and load in workerd', async () => {
  const entries = Object.keys(workerSupport).filter((entry) => workerSupport[entry]);
  const imports = entries.map((entry, index) => `import * as entry${index} from '${entry}';`);
  const loaded = entries.map((entry, index) => `Object.keys(entry${index}).length > 0 && '${entry}'`);
  const folder = join(prepared().project, 'workers');
  await mkdir(folder, { recursive: true });
  const app = `${imports.join('\n')}\nexport default { fetch: () => Response.json([${loaded.join(', ')}]) };\n`;
  await writeFile(join(folder, 'app.mjs'), app);

  // As Wrangler bundles. A module of Node would not resolve.
  const options = ['--bundle', '--format=esm', '--platform=browser', '--conditions=workerd,worker,browser', '--log-level=warning'];
  const command = ['node', '../node_modules/esbuild/bin/esbuild', 'app.mjs', ...options, '--outfile=worker.mjs'];
  expect(await runOutside(command, folder)).toEqual({ ok: true, output: '' });
  expect(await runInWorkerd(await readFile(join(folder, 'worker.mjs'), 'utf8'))).toEqual(entries);
});
