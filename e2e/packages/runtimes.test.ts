import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { loadableEntryPoints, loadingCode } from './entry-points.ts';
import { jsonOf } from './json-of.ts';
import { prepared } from './prepared.ts';
import { answersOf, runtimePrograms, writePrograms } from './programs.ts';
import { runOutside } from './run-outside.ts';
import { bun, currentNode, deno, newerNode, olderNode } from './runtimes.ts';
import { isEveryToolTried } from './tool-versions.ts';

const folder = (): string => join(prepared().project, 'runtimes');

beforeAll(async () => {
  const entries = loadableEntryPoints(prepared().packages);
  await writePrograms(folder(), runtimePrograms, { entries });
  // One process for both: most of the time of a process goes to loading.
  const program = `const required = ${loadingCode(entries, 'require')};
    import('./run.mjs').then(() => console.log(JSON.stringify(required)));`;
  await writeFile(join(folder(), 'require.cjs'), program);
});

const tried = [currentNode, olderNode, bun, deno, ...(isEveryToolTried ? [newerNode] : [])];

describe.for(tried)('$name', (runtime) => {
  it('SRC-1, SRC-9, ADP-2, ADP-4: requires and imports every entry point, and runs folders, storage, an agent of the AI SDK and a graph of LangGraph', async (context) => {
    context.skip(runtime.missing !== undefined, runtime.missing);
    const { ok, output } = await runOutside([...runtime.command(prepared().tools), 'require.cjs'], folder());
    const lines = output.trimEnd().split('\n');
    const [imported, required] = lines.map((line) => jsonOf({ ok, output: line }));
    const loaded = loadableEntryPoints(prepared().packages);
    expect({ lines: lines.length, imported, required }).toEqual({
      lines: 2,
      imported: { loaded, answers: answersOf(runtimePrograms) },
      required: loaded,
    });
  });
});
