/**
 * `node src/build.ts [--dev]`: writes the reference, then builds the site into `.vitepress/dist`, or serves it and follows changes.
 */
import { spawnSync } from 'node:child_process';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { apiFolder, writeApi } from './write-api.ts';

const root = join(import.meta.dirname, '..');
const command = process.argv.includes('--dev') ? 'dev' : 'build';

await writeApi();
process.stdout.write(`The reference is in ${apiFolder}.\n`);

const program = join(dirname(createRequire(import.meta.url).resolve('vitepress/package.json')), 'bin/vitepress.js');
// The condition makes packages of this repository resolve to their sources, so that nothing has to be built first.
const { status } = spawnSync(process.execPath, ['--conditions=@repertoire/source', program, command, root], { stdio: 'inherit' });
process.exitCode = status ?? 1;
