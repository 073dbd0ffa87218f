import { SkillError, type SkillProvider } from '@repertoire/skills-core';
import { digestOfSkill, skillDigest, type SkillWriteResult } from '@repertoire/skills-core/provider';
import { assert, assertEqual, assertFound } from '../conformance/assert.ts';
import type { CasesOf } from '../conformance/case-context.ts';
import { outcomeOf } from '../conformance/outcome.ts';
import { everydayLibrary } from '../fixtures/everyday-library.ts';

type Files = Readonly<Record<string, Uint8Array>>;

const name = 'invoice-check';

export const writeCases: CasesOf<'write'> = {
  'write/replaces': async ({ provide }) => {
    const provider = await provide(everydayLibrary);
    const files = filesOf('New instructions.', { 'references/new.md': 'New.' });
    const content = await skillDigest(files);
    assertEqual(await write(provider, files, await contentOf(provider)), { written: true, content }, 'the answer');
    const skill = assertFound(await provider.getSkill(name), 'the written skill');
    assertEqual(skill.body, 'New instructions.', 'its body');
    assertEqual(
      skill.resources.map(({ path }) => path),
      ['references/new.md'],
      'its files: those that were written, and none of the old ones',
    );
    assertEqual(await contentOf(provider), content, 'its content');
    const listed = (await provider.listSkills()).skills.filter((each) => each.name === name);
    assertEqual(listed.length, 1, 'how often it is listed');
  },

  'write/compares': async ({ provide }) => {
    const provider = await provide(everydayLibrary);
    const before = await contentOf(provider);
    for (const expected of [await skillDigest(filesOf('Another.')), null]) {
      assertEqual(
        await write(provider, filesOf('New.'), expected),
        { written: false, content: before },
        `the answer for ${expected ?? 'none'}`,
      );
      assertEqual(await contentOf(provider), before, 'the content');
    }
  },

  'write/adds-and-removes': async ({ provide }) => {
    const provider = await provide({});
    const files = filesOf('New.');
    const content = await skillDigest(files);
    assertEqual(
      await write(provider, files, content),
      { written: false, content: null },
      'a write that expects a skill which is not there',
    );
    assertEqual(await write(provider, files, null), { written: true, content }, 'a write of a new skill');
    assertEqual(await contentOf(provider), content, 'its content');
    assertEqual(await write(provider, null, content), { written: true, content: null }, 'its removal');
    assertEqual(await provider.getSkill(name), null, 'the removed skill');
  },

  'write/one-of-two': async ({ provide }) => {
    const provider = await provide(everydayLibrary);
    const expected = await contentOf(provider);
    const all = ['A.', 'B.', 'C.', 'D.'].map((body) => filesOf(body, { 'references/of.md': body }));
    const results = await Promise.all(all.map((files) => write(provider, files, expected)));
    const winners = all.filter((_, index) => results[index]?.written === true);
    assert(winners.length <= 1, `${winners.length} of ${all.length} writers wrote.`);
    const [winner] = winners;
    assertEqual(await contentOf(provider), winner === undefined ? expected : await skillDigest(winner), 'the content after all of them');
    // Whoever comes later, and knows what is there, writes.
    assertEqual((await write(provider, filesOf('E.'), await contentOf(provider))).written, true, 'whether a later writer writes');
  },

  'write/names': async ({ provide }) => {
    const provider = await provide(everydayLibrary);
    const before = await contentOf(provider);
    const refused: readonly (readonly [string, () => Promise<SkillWriteResult>])[] = [
      ['paths that differ by case', () => write(provider, filesOf('New.', { 'references/a.md': 'a', 'references/A.md': 'A' }), before)],
      ['a path that leaves the skill', () => write(provider, filesOf('New.', { '../a.md': 'a' }), before)],
      ['a skill without SKILL.md', () => write(provider, { 'a.md': encode('a') }, before)],
    ];
    for (const [what, call] of refused) {
      const outcome = await outcomeOf(call);
      assert(outcome.kind === 'rejected' && SkillError.isInstance(outcome.error), `${what}: expected a SkillError, got ${outcome.kind}.`);
      assertEqual(await contentOf(provider), before, `the content after ${what}`);
    }
  },
};

async function write(provider: SkillProvider, files: Files | null, expected: string | null): Promise<SkillWriteResult> {
  assert(provider.write !== undefined, 'The configuration declares write; the provider has none.');
  return await provider.write(name, files, { expected });
}

async function contentOf(provider: SkillProvider): Promise<string | null> {
  return (await digestOfSkill(provider, name))?.digest ?? null;
}

function filesOf(body: string, more: Readonly<Record<string, string>> = {}): Files {
  const skillMd = `---\nname: ${name}\ndescription: Checks invoices. Use for invoices.\n---\n\n${body}\n`;
  return Object.fromEntries(Object.entries({ 'SKILL.md': skillMd, ...more }).map(([path, text]) => [path, encode(text)]));
}

function encode(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}
