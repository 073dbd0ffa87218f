import { digestOfSkill, sha256Hex } from '@repertoire/skills-core/provider';
import { assert, assertEqual, assertFound } from '../conformance/assert.ts';
import type { CasesOf } from '../conformance/case-context.ts';
import { everydayLibrary } from '../fixtures/everyday-library.ts';
import { plainSkillMd } from '../fixtures/skill-md.ts';
import { openWatched } from './watch.ts';

const [otherPlace, otherDigest] = ['no/such/place', 'f'.repeat(64)];

export const pinnedCases: CasesOf<'pinned'> = {
  'pinned/place': async ({ provide }) => {
    const [one, other] = [await provide(everydayLibrary), await provide(everydayLibrary)];
    const places = [];
    for (const provider of [one, other]) {
      const { skills } = await provider.listSkills();
      places.push(skills.map(({ name, origin }) => `${name} ${origin?.place ?? name}`).sort());
    }
    assertEqual(places[1], places[0], 'places in a second source of the same files');
    for (const { name, origin } of (await one.listSkills()).skills)
      assert(
        !/^(?:\/|[a-z]:[/\\]|file:)/i.test(origin?.place ?? name),
        `The place of ${name} is ${origin?.place}, which is one of this machine.`,
      );
  },

  'pinned/content': async ({ provide }) => {
    const provider = await provide(everydayLibrary);
    for (const { name, content: listed } of (await provider.listSkills()).skills) {
      const { content } = assertFound(await provider.getSkill(name), name);
      for (const told of [listed, content]) {
        if (typeof told === 'string') assertEqual(told, (await digestOfSkill(provider, name))?.digest, `content of ${name}`);
      }
    }
  },

  'pinned/content-of': async ({ provide }) => {
    const provider = await provide(everydayLibrary);
    for (const { name } of (await provider.listSkills()).skills) {
      const { content } = assertFound(await provider.getSkill(name), name);
      const told = await provider.contentOf?.(name);
      if (told !== undefined) assertEqual(told, content, `contentOf(${JSON.stringify(name)})`);
    }
    assertEqual(await provider.contentOf?.('no-such-skill'), undefined, 'contentOf of an unknown skill');
  },

  'pinned/content-follows': async (context) => {
    const files = { 'first/SKILL.md': plainSkillMd('first'), 'first/references/a.md': 'A, at first.\n' };
    const { provider, change, watch } = await openWatched(context, files);
    const notices = watch();
    const told = new Set([await provider.contentOf?.('first')]);
    for (const text of ['A, changed.\n', 'A, changed again.\n']) {
      const known = notices.count();
      await change({ ...files, 'first/references/a.md': text });
      const follows = async (): Promise<boolean> => {
        const { content } = assertFound(await provider.getSkill('first'), 'first');
        const now = await provider.contentOf?.('first');
        // A source need not tell a content. Where it does, it is a new one, and that of the skill.
        return now === undefined || now === null || (now === content && !told.has(now));
      };
      for (let count = known; count === known || !(await follows()); count = notices.count()) await notices.next(count);
      told.add(await provider.contentOf?.('first'));
    }
  },

  'pinned/other': async ({ provide }) => {
    const provider = await provide(everydayLibrary);
    const there = await provider.getSkill('invoice-check', { place: otherPlace });
    assert(there?.origin?.place !== otherPlace, 'A skill of another place was given as the one that was asked for.');
    const other = await provider.getSkill('invoice-check', { content: otherDigest });
    assert(other?.content !== otherDigest, 'A skill of another content was given as the one that was asked for.');
  },

  'pinned/digest': async ({ provide }) => {
    const provider = await provide(everydayLibrary);
    const { resources } = assertFound(await provider.getSkill('invoice-check'), 'invoice-check');
    for (const { path } of resources) {
      const digest = await sha256Hex(assertFound(await provider.readResource('invoice-check', path), path).bytes);
      const { bytes } = assertFound(await provider.readResource('invoice-check', path, { digest }), `${path} by its digest`);
      assertEqual(await sha256Hex(bytes), digest, `digest of the bytes of ${path}`);
      const wrong = await provider.readResource('invoice-check', path, { digest: otherDigest });
      assert(wrong?.digest !== otherDigest, `${path} was given for a digest that it does not have.`);
    }
  },
};
