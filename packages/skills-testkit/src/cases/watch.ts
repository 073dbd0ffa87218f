import { assert, assertEqual } from '../conformance/assert.ts';
import { ConformanceSetupError, type CaseContext, type CasesOf } from '../conformance/case-context.ts';
import { within } from '../conformance/outcome.ts';
import { inOrder } from '../conformance/in-order.ts';
import { printValue } from '../conformance/print-value.ts';
import type { SkillProvider } from '@repertoire/skills-core';
import type { SkillLibraryFiles } from '../fixtures/library-files.ts';
import { plainSkillMd } from '../fixtures/skill-md.ts';

const before: SkillLibraryFiles = { 'first/SKILL.md': plainSkillMd('first'), 'first/references/a.md': 'A, at first.\n' };
const added: SkillLibraryFiles = { ...before, 'second/SKILL.md': plainSkillMd('second') };
const rewritten: SkillLibraryFiles = {
  ...added,
  'first/SKILL.md': plainSkillMd('first').replace('Do what the test asks.', 'Do something else.'),
};
const moreFiles: SkillLibraryFiles = { ...rewritten, 'first/references/b.md': 'B, added later.\n' };
const removed: SkillLibraryFiles = { 'second/SKILL.md': plainSkillMd('second') };
const burstSize = 20;

export const watchCases: CasesOf<'watch'> = {
  'watch/tells': async (context) => {
    const { change, watch } = await openWatched(context);
    const [one, other] = [watch(), watch()];
    await change(added);
    await one.next(0);
    await other.next(0);
  },

  'watch/fresh': async (context) => {
    const { provider, change, watch } = await openWatched(context);
    const notices = watch();
    for (const files of [added, rewritten, moreFiles, removed]) {
      const wanted = await stateOf(await context.provide(files));
      const known = notices.count();
      await change(files);
      // One change may be several for the storage: answers are new after the last notification.
      for (let count = known; count === known || (await stateOf(provider)) !== wanted; count = notices.count()) await notices.next(count);
    }
  },

  'watch/ends': async (context) => {
    const { change, watch } = await openWatched(context);
    const [ended, kept] = [watch(), watch()];
    ended.end();
    ended.end();
    await change(added);
    await kept.next(0);
    assertEqual(ended.count(), 0, 'notices to a watcher that had ended');
  },

  'watch/bursts': async (context) => {
    const { change, watch } = await openWatched(context);
    const notices = watch();
    await change({
      ...before,
      ...Object.fromEntries(Array.from({ length: burstSize }, (_, index) => [`burst-${index}/SKILL.md`, plainSkillMd(`burst-${index}`)])),
    });
    await notices.next(0);
    // Remaining notifications of the burst come before that of a later change.
    const count = notices.count();
    await change(before);
    await notices.next(count);
    assert(
      notices.count() < burstSize,
      `${notices.count()} notices of ${burstSize} skills that were added at once and then removed at once.`,
    );
  },
};

interface Notices {
  count(): number;
  /** Waits until there were more than `count` notifications. */
  next(count: number): Promise<void>;
  end(): void;
}

interface Watched {
  readonly provider: SkillProvider;
  change(files: SkillLibraryFiles): Promise<void>;
  watch(): Notices;
}

/** A source that was listed once, as usual before watching. */
export async function openWatched({ open, patience }: CaseContext, files: SkillLibraryFiles = before): Promise<Watched> {
  const { provider, change } = await open(files);
  if (change === undefined) throw new ConformanceSetupError('A provider that declares watch needs `change` in what `create` returns.');
  await provider.listSkills();
  return { provider, change, watch: () => noticesOf(provider, patience) };
}

function noticesOf(provider: SkillProvider, patience: number): Notices {
  assert(provider.watch !== undefined, 'The configuration declares watch; the provider has none.');
  let count = 0;
  let waiting = Promise.withResolvers<void>();
  const end = provider.watch(() => {
    count += 1;
    waiting.resolve();
    waiting = Promise.withResolvers();
  });
  return {
    count: () => count,
    next: async (known) => {
      if (count <= known) await within(waiting.promise, patience, `a call of onChange after ${known}`);
    },
    end,
  };
}

/** Everything except the location of the skills, which differs between sources. */
async function stateOf(provider: SkillProvider): Promise<string> {
  const { skills } = await provider.listSkills();
  const whole = await Promise.all(
    skills.map(async ({ name }) => inOrder({ ...(await provider.getSkill(name)), origin: undefined, diagnostics: [] })),
  );
  return printValue(inOrder({ skills: whole }));
}
