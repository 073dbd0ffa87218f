import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import {
  notAnsweredText,
  notAskedText,
  notRunText,
  ranAlreadyText,
  tooManyQuestionsText,
  unknownOutcomeText,
} from '@repertoire/skills-core/internal';
import { describe, expect, it } from 'vitest';
import { isUnknownCall } from '../../src/chat/client.ts';

describe('results of calls that have no answer', () => {
  it('HST-2: are those of the page', async () => {
    const page = await readFile(join(import.meta.dirname, '../../../../docs/reference/tools.md'), 'utf8');
    const texts = [unknownOutcomeText, notRunText, notAnsweredText, notAskedText, ranAlreadyText].map((text) => text('refund'));
    const missing = [...texts, tooManyQuestionsText('refund', 8)].filter((text) => !page.includes(`\n${text}\n`));
    expect(missing).toEqual([]);
  });

  it('HST-2: a name from a model stays one word', () => {
    expect(notRunText('a"\nb')).toBe('"a\\" b" was not run: the answer ended before. Call it again if it is still wanted.');
  });

  it('HST-2: a page tells a call that nobody knows about from one that failed', () => {
    const part = (errorText: string) => ({
      type: 'tool-refund' as const,
      toolCallId: 'a',
      state: 'output-error' as const,
      input: {},
      errorText,
    });
    expect([
      isUnknownCall(part(unknownOutcomeText('refund'))),
      isUnknownCall(part('It failed.')),
      isUnknownCall({ type: 'step-start' }),
    ]).toEqual([true, false, false]);
  });
});
