import fc from 'fast-check';
import { composeProviders, SkillRegistry } from '@repertoire/skills-core';
import { readSkillFiles } from '@repertoire/skills-core/provider';
import { skillFromFiles } from '@repertoire/skills-core/skill-md';
import { describe, expect, it } from 'vitest';
import { propertyRuns } from '../../../test/support/property-runs.ts';
import { acceptProposal, statusOf, type SkillFilesByPath } from '../src/index.ts';
import { skillMd } from './support/library.ts';
import { contentOf, deskSkills, reviewDesk, seenBy, type ReviewDesk } from './support/review-desk.ts';

type Step =
  | { readonly do: 'propose'; readonly skill: (typeof deskSkills)[number]; readonly word: string }
  | { readonly do: 'accept' | 'accept-unseen' | 'accept-unnamed' | 'reject' | 'undo'; readonly which: number }
  | { readonly do: 'edit'; readonly word: string };

const which = fc.nat(3);
const steps = fc.array(
  fc.oneof(
    {
      weight: 3,
      arbitrary: fc.record({
        do: fc.constant('propose' as const),
        skill: fc.constantFrom(...deskSkills),
        word: fc.constantFrom('Qa.', 'Qb.', 'Qc.'),
      }),
    },
    { weight: 3, arbitrary: fc.record({ do: fc.constant('accept' as const), which }) },
    {
      weight: 3,
      arbitrary: fc.record({
        do: fc.constantFrom('accept-unseen' as const, 'accept-unnamed' as const, 'reject' as const, 'undo' as const),
        which,
      }),
    },
    { weight: 1, arbitrary: fc.record({ do: fc.constant('edit' as const), word: fc.constantFrom('Ra.', 'Rb.') }) },
  ),
  { minLength: 2, maxLength: 9 },
);
const outcome = (call: Promise<unknown>): Promise<boolean> =>
  call.then(
    () => true,
    () => false,
  );
const encode = (text: string): Uint8Array => new TextEncoder().encode(text);

/** Runs a program, and throws as soon as a conversation could see what no person decided. */
async function play(program: readonly Step[], open: () => Promise<ReviewDesk>): Promise<void> {
  const desk = await open();
  const { provider, store } = desk;
  // What people decided on, kept apart from what the library says of it.
  const decided = new Map<string, string | null>();
  const accepted = new Map<string, { readonly from: string | null; readonly to: string }>();
  for (const name of deskSkills) decided.set(name, await contentOf(provider, name));
  const rejected = new Set<string>();
  let seen = await seenBy(desk);
  for (const step of program) {
    const ids = await store.list();
    const id = 'which' in step && ids.length > 0 ? (ids[step.which % ids.length] ?? '') : '';
    const before = await store.read(id);
    const skill = before?.proposal.skill ?? '';
    const now = decided.get(skill) ?? null;
    let mayChange = false;
    if (step.do === 'propose') await outcome(desk.propose(step.skill, step.word));
    if (step.do === 'reject' && (await outcome(desk.reject(id)))) rejected.add(id);
    if (step.do === 'accept-unseen') await outcome(desk.accept(id, '0'.repeat(64), 'Ada'));
    if (step.do === 'accept-unnamed') await outcome(desk.accept(id, await desk.show(id).catch(() => ''), ' '));
    if (step.do === 'accept' && before !== null) {
      const to = await desk.show(id).catch(() => '');
      const mayAccept = statusOf(before) === 'pending' && !rejected.has(id) && to !== '';
      const isDone = await outcome(desk.accept(id, to, 'Ada'));
      expect(isDone).toBe(mayAccept);
      if (isDone) {
        accepted.set(id, { from: now, to });
        decided.set(skill, to);
        mayChange = true;
      }
    }
    if (step.do === 'undo') {
      const last = accepted.get(id);
      const mayUndo = last !== undefined && (now === last.to || now === last.from);
      expect(await outcome(desk.undo(id))).toBe(mayUndo);
      if (last !== undefined && mayUndo) {
        accepted.delete(id);
        decided.set(skill, last.from);
        mayChange = true;
      }
    }
    if (step.do === 'edit') {
      const content = decided.get('refunds') ?? null;
      const { written, content: next } = await provider.write(
        'refunds',
        { 'SKILL.md': encode(skillMd('refunds', `Start. ${step.word} End.`)) },
        { expected: content },
      );
      expect(written).toBe(true);
      decided.set('refunds', next);
      mayChange = true;
    }
    for (const name of deskSkills) {
      expect(await contentOf(provider, name)).toBe(decided.get(name));
      expect(await contentOf(desk.served, name)).toBe(decided.get(name));
      const written = await provider.readResource(name, 'SKILL.md');
      expect(new TextDecoder().decode(written?.bytes)).toContain((await desk.served.getSkill(name))?.body ?? '');
    }
    const sees = await seenBy(desk);
    if (!mayChange) expect(sees).toBe(seen);
    seen = sees;
  }
}

async function overwrite({ provider }: ReviewDesk, skill: string, files: SkillFilesByPath | null): Promise<void> {
  await provider.write(skill, files, { expected: await contentOf(provider, skill) });
}

/** Ten ways in which a library could go wrong. */
const breaks: Readonly<Record<string, (desk: ReviewDesk) => ReviewDesk>> = {
  'a proposal is written at once': (desk) => ({
    ...desk,
    async propose(skill, word) {
      const id = await desk.propose(skill, word);
      await overwrite(desk, skill, { 'SKILL.md': encode(skillMd(skill, word)) });
      return id;
    },
  }),
  'accepting takes any digest': (desk) => ({ ...desk, accept: async (id, _content, by) => desk.accept(id, await desk.show(id), by) }),
  'accepting needs no person': (desk) => ({ ...desk, accept: (id, content) => desk.accept(id, content, 'nobody') }),
  'accepting writes a byte more than was shown': (desk) => ({
    ...desk,
    accept: (id, content, by) =>
      acceptProposal(desk.store, desk.provider, id, {
        by,
        content,
        seal: async (files) => ({ ...files, 'SKILL.md': new Uint8Array([...(files['SKILL.md'] ?? []), 10]) }),
      }),
  }),
  'accepting says yes and writes nothing': (desk) => ({
    ...desk,
    accept: async (id, content, by) => {
      const before = await contentOf(desk.provider, 'refunds');
      const skill = await desk.provider.getSkill('refunds');
      const files = skill === null ? null : (await readSkillFiles(desk.provider, skill)).files;
      await desk.accept(id, content, by);
      if ((await contentOf(desk.provider, 'refunds')) !== before) await overwrite(desk, 'refunds', files);
    },
  }),
  'a rejected one can be accepted': (desk) => ({ ...desk, reject: async () => undefined }),
  'rejecting removes the skill': (desk) => ({
    ...desk,
    async reject(id) {
      await desk.reject(id);
      await overwrite(desk, 'refunds', null);
    },
  }),
  'undoing removes the skill in place of bringing it back': (desk) => ({
    ...desk,
    async undo(id) {
      await desk.undo(id);
      await overwrite(desk, 'refunds', null);
    },
  }),
  'what waits is a source of the agent': (desk) => ({ ...desk, served: withWaiting(desk) }),
  'the source goes on with the text of before': (desk) => {
    let kept: string | null | undefined;
    return {
      ...desk,
      served: {
        ...desk.served,
        getSkill: async (name, options) => {
          const skill = await desk.served.getSkill(name, options);
          kept ??= skill?.body ?? null;
          return skill === null || name !== 'refunds' || kept === null ? skill : { ...skill, body: kept };
        },
      },
    };
  },
};

/** The library, and what waits in the store as if it were part of it. */
function withWaiting({ provider, store }: ReviewDesk): ReviewDesk['served'] {
  const now = async () => {
    const records = await Promise.all((await store.list()).map((id) => store.read(id)));
    const waiting = records.flatMap((record) => {
      const text =
        record !== null && record.proposal.base === null && statusOf(record) === 'pending' ? record.proposal.files[0]?.text : undefined;
      const definition = text === undefined ? null : skillFromFiles({ 'SKILL.md': text }).definition;
      return definition === null ? [] : [definition];
    });
    const byName = new Map(waiting.map((definition) => [definition.name, definition]));
    return composeProviders([provider, new SkillRegistry({ skills: [...byName.values()], label: 'waiting' })]);
  };
  return {
    label: provider.label,
    listSkills: async (options) => (await now()).listSkills(options),
    getSkill: async (name, options) => (await now()).getSkill(name, options),
    readResource: async (name, path, options) => (await now()).readResource(name, path, options),
  };
}

const property = (open: () => Promise<ReviewDesk>) => fc.asyncProperty(steps, (program: readonly Step[]) => play(program, open));

describe('any program of proposals', () => {
  it('PRP-3 PRP-4: a conversation sees what people decided on, and nothing else', async () => {
    await fc.assert(property(reviewDesk), { seed: 39, numRuns: propertyRuns(150) });
  });

  it.each(Object.entries(breaks))('PRP-3: is noticed if %s', async (_what, broken) => {
    const { failed } = await fc.check(
      property(async () => broken(await reviewDesk())),
      { seed: 39, numRuns: 150, endOnFailure: true },
    );
    expect(failed).toBe(true);
  });
});
