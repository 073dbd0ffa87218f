import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { isTried } from '../../test/support/property-runs.ts';
import { loadableEntryPoints, loadingCode } from './entry-points.ts';
import { jsonOf } from './json-of.ts';
import { prepared } from './prepared.ts';
import { answersOf, runtimePrograms, writePrograms } from './programs.ts';
import { runOutside } from './run-outside.ts';
import { bun, currentNode, deno, newerNode, olderNode, type Runtime } from './runtimes.ts';

const folder = (): string => join(prepared().project, 'runtimes');

beforeAll(async () => {
  const entries = loadableEntryPoints(prepared().packages);
  await writePrograms(folder(), runtimePrograms, { entries });
  await writeFile(join(folder(), 'require.cjs'), `console.log(JSON.stringify(${loadingCode(entries, 'require')}));`);
});

async function run(runtime: Runtime, program: string): Promise<unknown> {
  return jsonOf(await runOutside([...runtime.command(prepared().tools), program], folder()));
}

// The newest Node has a run of its own in continuous integration: `pnpm fuzz --properties 1` comes by.
const tried = [currentNode, olderNode, bun, deno, ...(isTried({ last: 1, size: 2 }) ? [newerNode] : [])];

describe.for(tried)('$name', (runtime) => {
  it('gives every entry point to `require`', async (context) => {
    context.skip(runtime.missing !== undefined, runtime.missing);
    expect(await run(runtime, 'require.cjs')).toEqual(loadableEntryPoints(prepared().packages));
  });

  it('SRC-1, SRC-9, ADP-2, ADP-4: imports every entry point, and runs folders, storage, an agent of the AI SDK and a graph of LangGraph', async (context) => {
    context.skip(runtime.missing !== undefined, runtime.missing);
    expect(await run(runtime, 'run.mjs')).toEqual({
      loaded: loadableEntryPoints(prepared().packages),
      answers: answersOf(runtimePrograms),
    });
  });
});
