import { expect, it } from 'vitest';
import { withProgress } from '../src/tools/with-progress.ts';

async function textsOf(generator: AsyncGenerator<string>): Promise<string[]> {
  const texts: string[] = [];
  for await (const text of generator) texts.push(text);
  return texts;
}

it('ADP-4: progress is given as all lines so far, and the answer comes last and ends the call', async () => {
  const texts = await textsOf(
    withProgress(async (onProgress) => {
      onProgress('one');
      await Promise.resolve();
      onProgress('two');
      return { text: 'done', events: [] };
    }),
  );
  expect(texts.at(-1)).toBe('done');
  expect(texts.slice(0, -1).at(-1)).toBe('one\ntwo');
  expect(texts.slice(0, -1).every((text) => 'one\ntwo'.startsWith(text))).toBe(true);
});

it('ADP-4: a call without progress has its answer alone, and one that fails rejects', async () => {
  expect(await textsOf(withProgress(() => Promise.resolve({ text: 'done', events: [] })))).toEqual(['done']);
  await expect(textsOf(withProgress(() => Promise.reject(new Error('broken'))))).rejects.toThrow('broken');
});
