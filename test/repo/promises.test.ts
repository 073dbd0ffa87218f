import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { repositoryRoot } from '../../tools/workspace.ts';
import { others, promises } from './promises.ts';

const read = async (path: string): Promise<string> => await readFile(join(repositoryRoot, path), 'utf8');
const word = /\b(?:a(?:n|nother)? run|never|nothing)\b/i;

/** Sentences, cells and items of a page, on one line each, without its code and comments. */
function sentencesOf(page: string): readonly string[] {
  const prose = page.replaceAll(/```[\s\S]*?```|<!--[\s\S]*?-->/g, '\n\n');
  const blocks = prose.split(/\n\s*\n|\n(?=[-|#] )|\n(?=\|)/);
  return blocks.flatMap((block) => block.replaceAll(/\s*\n\s*/g, ' ').split(/(?<=[.:!?]) (?=[A-Z`*])/));
}

describe.each(Object.entries(promises))('%s', (page, rows) => {
  it('says of runs, and of what never happens, only what a test finds', async () => {
    const sentences = sentencesOf(await read(page)).filter((sentence) => word.test(sentence));
    const isKnown = (sentence: string) => [...rows.map(({ says }) => says), ...others].some((part) => sentence.includes(part));
    expect(sentences.filter((sentence) => !isKnown(sentence))).toEqual([]);
    const unsaid = rows.filter(({ says }) => !sentences.some((sentence) => sentence.includes(says)));
    expect(unsaid).toEqual([]);
  });

  it.each(rows)('$says', async ({ test, title }) => {
    expect(await read(test)).toContain(title);
  });
});
