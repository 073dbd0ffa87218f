import type { SkillProvider } from '@repertoire/skills-core';
import { assertFound } from '../conformance/assert.ts';
import type { CasesOf } from '../conformance/case-context.ts';
import { assertSameAnswer } from '../conformance/in-order.ts';
import { vandalize } from '../conformance/vandalize.ts';
import { everydayLibrary } from '../fixtures/everyday-library.ts';
import { fieldsLibrary } from '../fixtures/frontmatter-libraries.ts';
import { bytesLibrary } from '../fixtures/resource-libraries.ts';

const library = { ...everydayLibrary, ...fieldsLibrary };

export const isolationCases: CasesOf<'isolation'> = {
  'isolation/list': async ({ provide }) => {
    const provider = await provide(library);
    await survives(() => provider.listSkills(), 'the list');
  },

  'isolation/skill': async ({ provide }) => {
    const provider = await provide(library);
    for (const name of ['invoice-check', 'all-fields']) await survives(async () => assertFound(await provider.getSkill(name), name), name);
    // Changing a skill does not change the list either.
    const before = structuredClone(await provider.listSkills());
    for (const { name } of before.skills) vandalize(await provider.getSkill(name));
    assertSameAnswer(await provider.listSkills(), before, 'the list after skills were changed');
  },

  'isolation/bytes': async ({ provide }) => {
    const provider = await provide(bytesLibrary);
    for (const path of ['assets/all-bytes.bin', 'references/marked.md']) {
      await survives(async () => assertFound(await provider.readResource('bytes', path), path), path);
    }
  },
};

export const concurrencyCases: CasesOf<'concurrency'> = {
  'concurrency/same-answers': async ({ provide }) => {
    const provider = await provide(library);
    // Before any other call, so that the first answers race.
    const atOnce = await answersOf(provider, (calls) => Promise.all(calls.map((call) => call())));
    const oneByOne = await answersOf(provider, async (calls) => {
      const answers: unknown[] = [];
      for (const call of calls) answers.push(await call());
      return answers;
    });
    for (const [index, answer] of atOnce.entries()) assertSameAnswer(answer, oneByOne[index], 'an answer of calls made at once');
  },
};

/** Changes to one answer must not reach others. Frozen answers may be shared. */
async function survives(call: () => Promise<unknown>, what: string): Promise<void> {
  const mine = await call();
  const theirs = await call();
  const before = structuredClone(mine);
  vandalize(mine);
  assertSameAnswer(theirs, before, `${what} of another caller, after one was changed`);
  assertSameAnswer(await call(), before, `${what} asked for again, after one was changed`);
}

async function answersOf(
  provider: SkillProvider,
  run: (calls: readonly (() => Promise<unknown>)[]) => Promise<unknown[]>,
): Promise<unknown[]> {
  const round = [
    () => provider.listSkills(),
    ...['invoice-check', 'release-notes', 'travel-plans', 'all-fields', 'no-such-skill'].map((name) => () => provider.getSkill(name)),
    ...['references/policy.md', 'scripts/compare.py', 'assets/letter.txt', 'no-such-file'].map(
      (path) => () => provider.readResource('invoice-check', path),
    ),
  ];
  return run(Array.from({ length: 10 }, () => round).flat());
}
