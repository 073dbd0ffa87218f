import { globSync, readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { FuzzTarget } from '../../tools/fuzz/fuzz-target.ts';
import { seededRandom } from '../../tools/fuzz/random.ts';
import { mutateBytes } from '../../tools/fuzz/mutate-bytes.ts';
import { mutateJson } from '../../tools/fuzz/mutate-json.ts';

const here = import.meta.dirname;
const names = globSync('targets/*.ts', { cwd: here })
  .map((file) => basename(file, '.ts'))
  .toSorted();

/** What `pnpm fuzz` found once is tried again; how long it takes is that command's to judge. */
describe.each(names)('%s', async (name) => {
  const { target } = (await import(`./targets/${name}.ts`)) as { readonly target: FuzzTarget };
  const folder = join(here, 'findings', name);
  const findings = globSync('*', { cwd: here + '/findings' }).includes(name) ? readdirSync(folder) : [];
  const tried = async (input: Uint8Array): Promise<void> => {
    const answer = await target.run(input.slice());
    await target.check?.(answer, input);
  };

  it.each(['seeds', ...findings])('FMT-3: %s is read or refused as it should be (ATK-50)', async (file) => {
    const inputs = file === 'seeds' ? await target.seeds() : [new Uint8Array(readFileSync(join(folder, file)))];
    expect([...inputs]).not.toEqual([]);
    for (const input of inputs) await expect(tried(input)).resolves.toBeUndefined();
  });

  it('FMT-3: and so are a few changed ones', async () => {
    const [random, seeds] = [seededRandom(20261121), [...(await target.seeds())]];
    const words = target.words.map((word) => new TextEncoder().encode(word));
    for (let left = 40; left > 0; left -= 1) {
      const mutation = { random, words, other: random.pick(seeds), maxBytes: 4_096 };
      const input = random.pick(seeds);
      await expect(tried(mutateJson(input, mutation) ?? mutateBytes(input, mutation))).resolves.toBeUndefined();
    }
  });
});
