import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  composeProviders,
  createSkillset,
  emptySkillState,
  inCodeSkillProvider,
  selectSkills,
  type SkillDefinition,
  type SkillListing,
  type SkillMetadata,
  type SkillProvider,
  type SkillSession,
  type SkillsetOptions,
  type SkillState,
} from '@repertoire/skills-core';
import { createSkillLock, lockedProvider } from '@repertoire/skills-core/lock';
import { loadedSkill, revisionOf, type LoadedSkill } from '@repertoire/skills-core/state';
import { stateAfter } from '../helpers/loaded-state.ts';
import { switchedSource } from '../providers/compose/sources.ts';

const tools = ['pay', 'refund', 'search', 'delete_all'];
const names = ['a', 'b', 'c'];
const subset = (values: readonly string[]) => fc.subarray([...values]);

/** A skill whose every part names it. */
const anySkill = fc
  .record({
    name: fc.constantFrom(...names),
    version: fc.constantFrom(null, '1.0.0', '2.0.0'),
    tools: subset(tools),
    isFile: fc.boolean(),
    autoActivate: fc.constantFrom(undefined, undefined, 'always' as const, 'currentSkill' as const),
    disableModelInvocation: fc.boolean(),
    allowedTools: fc.option(subset(tools), { nil: undefined }),
    tier: fc.constantFrom('free', 'gold'),
  })
  .map(({ isFile, tier, ...skill }): SkillDefinition => {
    const mark = `«${skill.name}@${skill.version ?? '-'}»`;
    return {
      ...skill,
      description: `DESCRIPTION${mark} ${'words '.repeat(skill.name === 'b' ? 30 : 5)}`,
      body: `BODY${mark}`,
      metadata: { tier },
      resources: { 'f.md': `FILE${mark}`, [`assets/only-${skill.version ?? 'none'}.md`]: `FILE${mark}` },
      ...(isFile && { skillMd: `FILE${mark}` }),
    };
  });
const anyLibrary = fc.uniqueArray(anySkill, { selector: ({ name, version }) => `${name}@${version}`, maxLength: 6 });

/** What a host decides: pure functions of the skill, so that a world can be asked twice. */
const anyHost = fc.record({
  gatedTools: subset(['pay', 'refund', 'del*']),
  allowedTools: fc.constantFrom('ignore' as const, 'restrict' as const, 'pre-approve' as const),
  autoActivate: fc.constantFrom(undefined, 'always' as const),
  activation: fc.constantFrom(undefined, 'single' as const),
  hiddenTier: fc.constantFrom('none', 'gold', 'free'),
  deniedLoads: subset(['a@-', 'a@1.0.0', 'a@2.0.0', 'b@-', 'c@1.0.0']),
  deniedReads: subset(['a@-', 'a@2.0.0', 'b@1.0.0', 'c@-']),
});
type Host = typeof anyHost extends fc.Arbitrary<infer Value> ? Value : never;

const titleOf = ({ name, version }: Pick<SkillMetadata, 'name' | 'version'>) => `${name.split(':').at(-1)}@${version ?? '-'}`;
const isSelected = ({ hiddenTier }: Host, skill: SkillMetadata) => skill.metadata?.['tier'] !== hiddenTier;
const mayLoad = ({ deniedLoads }: Host, skill: SkillMetadata) => !deniedLoads.includes(titleOf(skill));
function optionsOf(host: Host, provider: SkillProvider): SkillsetOptions {
  const { hiddenTier: _hiddenTier, deniedLoads: _deniedLoads, deniedReads, ...options } = host;
  return {
    ...options,
    provider,
    select: (skill) => isSelected(host, skill),
    permissions: ({ action, skill }) =>
      action === 'load' ? mayLoad(host, skill) : action === 'read' ? !deniedReads.includes(titleOf(skill)) : true,
  };
}

const openTools = async (session: SkillSession, state: SkillState) => {
  const verdicts = await Promise.all(tools.map((tool) => session.judgeCall(state, { tool })));
  return tools.filter((_, index) => verdicts[index]?.decision !== 'denied');
};
const gateOpen = async (session: SkillSession, state: SkillState) => {
  const verdicts = await Promise.all(tools.map((tool) => session.judgeCall(state, { tool })));
  return tools.filter((_, index) => {
    const verdict = verdicts[index];
    return verdict?.decision !== 'denied' || verdict.error.code !== 'not-loaded';
  });
};
/** Loads what can be loaded of these names. */
async function loadable(session: SkillSession, wanted: readonly string[]): Promise<SkillState> {
  let state = emptySkillState;
  for (const name of wanted) state = session.apply(state, (await session.load({ name }, { state })).events);
  return state;
}

describe('whatever a host, its sources and a history are', () => {
  it('GOV-11: no outage, removal, refusal of a lock or other selection opens a tool', async () => {
    const disturbance = fc.constantFrom('outage-own', 'outage-other', 'outage-both', 'removed', 'lock', 'view', 'empty', 'incomplete');
    await fc.assert(
      fc.asyncProperty(anyLibrary, anyLibrary, anyHost, subset(names), disturbance, async (own, other, host, wanted, kind) => {
        const sources = [inCodeSkillProvider(own, { label: 'own' }), inCodeSkillProvider(other, { label: 'other' })].map(switchedSource);
        const provider = composeProviders(sources.map((source) => source.provider));
        const skillset = createSkillset(optionsOf(host, provider));
        const before = await skillset.open();
        const state = await loadable(before, wanted);
        const honest = await gateOpen(before, state);
        const [first] = own;
        const changed = (change: (listing: SkillListing) => SkillListing): SkillProvider => ({
          ...provider,
          listSkills: async (options) => change(await provider.listSkills(options)),
        });
        const disturbed = async (): Promise<SkillProvider> => {
          if (kind.startsWith('outage')) {
            if (kind !== 'outage-other') sources[0]!.down = new Error('down');
            if (kind !== 'outage-own') sources[1]!.down = new Error('down');
            return provider;
          }
          if (kind === 'removed')
            return changed((listing) => ({ ...listing, skills: listing.skills.filter(({ name }) => name !== first?.name) }));
          if (kind === 'view') return selectSkills(provider, ({ name }) => name !== first?.name);
          if (kind === 'empty') return changed((listing) => ({ ...listing, skills: [] }));
          if (kind === 'incomplete') return changed((listing) => ({ ...listing, skills: listing.skills.slice(1), complete: false }));
          const lock = await createSkillLock(provider);
          return lockedProvider(
            changed((listing) => ({
              ...listing,
              skills: listing.skills.map((skill) => ({ ...skill, description: `${skill.description}!` })),
            })),
            lock,
          );
        };
        const after = createSkillset(optionsOf(host, await disturbed()));
        let session: SkillSession;
        try {
          session = await after.open();
        } catch (error) {
          // Nothing can be opened: the offline verdict must be as strict.
          for (const tool of tools) {
            if (!honest.includes(tool)) expect(after.judgeCallOffline(state, tool, error).decision).toBe('denied');
          }
          return;
        }
        for (const kept of [emptySkillState, state]) {
          const open = await gateOpen(session, kept);
          expect(await gateOpen(before, kept)).toEqual(expect.arrayContaining(open));
        }
      }),
      { seed: 11, numRuns: 300 },
    );
  });

  it('GOV-11: what a client writes as state or kept opens only what a trusted, selected, permitted skill of now opens', async () => {
    const forged = fc.dictionary(
      fc.constantFrom(...names, 'constructor', '__proto__'),
      fc.record({ version: fc.constantFrom(null, '1.0.0', '2.0.0'), isRight: fc.boolean(), at: fc.option(fc.nat(9), { nil: undefined }) }),
    );
    await fc.assert(
      fc.asyncProperty(anyLibrary, anyLibrary, anyHost, forged, fc.jsonValue(), async (own, theirs, host, claims, kept) => {
        const provider = composeProviders([
          inCodeSkillProvider(own, { label: 'own' }),
          inCodeSkillProvider(theirs, { label: 'theirs', trusted: false }),
        ]);
        const skillset = createSkillset(optionsOf(host, provider));
        const session = await skillset.open({ kept });
        const { listed } = session.catalog;
        const all = (await provider.listSkills()).skills;
        const state: SkillState = {
          loaded: Object.fromEntries(
            Object.entries(claims).map(([name, { version, isRight, at }]): [string, LoadedSkill] => {
              const target = all.find((skill) => skill.name === name && skill.version === version);
              const revision = isRight && target !== undefined ? revisionOf(target) : '00000000';
              return [name, { version, revision, fingerprint: 'x', sequence: 1, inContext: true, at }];
            }),
          ),
        };
        const opened = (await gateOpen(session, state)).filter((tool) => session.isGated(tool));
        for (const tool of opened) {
          const openers = listed.filter(
            (skill) => skill.tools?.includes(tool) && skill.origin?.trusted === true && mayLoad(host, skill) && isSelected(host, skill),
          );
          expect(openers).not.toEqual([]);
          const isAlways = openers.some((skill) => skill.origin?.kind === 'code' && (skill.autoActivate ?? host.autoActivate) === 'always');
          const isLoaded = openers.some((skill) => {
            const claim = loadedSkill(state, skill.name);
            return claim?.version === skill.version && claim.revision === revisionOf(skill);
          });
          expect(isAlways || isLoaded).toBe(true);
        }
        // What is kept decides nothing of it.
        const without = await skillset.open();
        expect(await openTools(session, state)).toEqual(await openTools(without, state));
        expect([session.catalog.listed, session.tools.length]).toEqual([without.catalog.listed, without.tools.length]);
      }),
      { seed: 12, numRuns: 300 },
    );
  });

  it('GOV-11 CON-7 GOV-5: no tool answers with words that the host does not select or permit now', async () => {
    const surface = fc.constantFrom('progressive' as const, 'full' as const);
    const bodies = fc.constantFrom('tool-result' as const, 'by-mode' as const);
    await fc.assert(
      fc.asyncProperty(anyLibrary, anyHost, surface, bodies, subset(names), async (library, host, toolSurface, where, wanted) => {
        const provider = inCodeSkillProvider(library);
        const listing = (await provider.listSkills()).skills;
        // The history is of a time when everything was allowed.
        const generous = await createSkillset({ provider }).open();
        const past = await loadable(generous, wanted);
        const session = await createSkillset({ ...optionsOf(host, provider), surface: toolSurface, bodies: where, unload: true }).open();
        const forged: SkillState = {
          loaded: Object.fromEntries(
            listing.map((skill) => [
              skill.name,
              { version: skill.version, revision: revisionOf(skill), fingerprint: '', sequence: 1, inContext: false },
            ]),
          ),
        };
        const texts: string[] = [session.catalog.text, session.catalog.toolText];
        for (const state of [emptySkillState, past, forged]) {
          for (const name of names) {
            for (const version of [undefined, '1.0.0', '2.0.0', '*']) {
              texts.push((await session.load({ name, version }, { state })).text);
              for (const path of ['f.md', 'assets/only-2.0.0.md', 'SKILL.md', 'nope.md', 'assets'])
                for (const tool of session.tools) texts.push((await tool.execute({ name, skill: name, version, path }, { state })).text);
            }
            texts.push((await session.invoke(`/${name}`, { state }))?.text ?? '');
          }
          texts.push(await session.activeInstructions(state));
          texts.push(...(await session.reattach(state)).skills.map(({ text }) => text));
          texts.push(...(await session.putBack([{ role: 'user', entries: [], tokens: 10 }], { kept: state })).map(({ text }) => text));
        }
        const everything = texts.join('\n');
        for (const skill of listing) {
          const mark = `«${titleOf(skill)}»`;
          if (!isSelected(host, skill)) {
            for (const part of ['DESCRIPTION', 'BODY', 'FILE']) expect(everything).not.toContain(`${part}${mark}`);
          }
          if (!mayLoad(host, skill)) expect(everything).not.toContain(`BODY${mark}`);
          if (host.deniedReads.includes(titleOf(skill))) expect(everything).not.toContain(`FILE${mark}`);
        }
      }),
      { seed: 13, numRuns: 60 },
    );
  });

  it('GOV-11 GOV-6: an untrusted source changes nothing for the host or for what it trusts', async () => {
    const theirs = fc.uniqueArray(
      fc.record({
        skill: anySkill,
        name: fc.constantFrom(...names, 'aa', 'z', 'search', 'load_skill'),
        length: fc.constantFrom(0, 50, 400),
      }),
      { selector: ({ skill, name }) => `${name}@${skill.version}`, maxLength: 8 },
    );
    const room = fc.constantFrom(160, 200, 300, 500, 2_000);
    const format = fc.constantFrom('xml' as const, 'markdown' as const, 'json' as const);
    await fc.assert(
      fc.asyncProperty(anyLibrary, theirs, anyHost, subset(names), room, format, async (own, evil, host, wanted, maxTokens, written) => {
        const mine = inCodeSkillProvider(own, { label: 'own' });
        const added = inCodeSkillProvider(
          evil.map(({ skill, name, length }) => ({ ...skill, name, description: `${skill.description} ${'x '.repeat(length)}` })),
          { label: 'evil', trusted: false },
        );
        const openWith = (provider: SkillProvider) =>
          createSkillset({
            ...optionsOf(host, provider),
            catalog: { maxTokens, format: written, usage: { aa: 9, z: 9 } },
            countTokens: (text) => Math.ceil(text.length / 4),
          }).open({ availableTools: tools });
        const alone = await openWith(composeProviders([mine]));
        const beside = await openWith(composeProviders([mine, added]));
        const state = await loadable(alone, wanted);
        for (const tool of [...tools, 'load_skill', 'unload_skill']) {
          const [before, after] = [await alone.judgeCall(state, { tool }), await beside.judgeCall(state, { tool })];
          expect([after.decision, after.because]).toEqual([before.decision, before.because]);
          expect([beside.isGated(tool), beside.openedBy(tool)]).toEqual([alone.isGated(tool), alone.openedBy(tool)]);
        }
        // Loading theirs besides gives nothing and takes nothing.
        if (host.activation !== 'single') {
          const both = beside.apply(state, (await beside.load({ name: 'z' }, { state })).events);
          expect(await openTools(beside, both)).toEqual(await openTools(alone, state));
        }
        expect(beside.model(state)).toBe(alone.model(state));
        if (alone.catalog.tokens <= maxTokens) expect(beside.catalog.tokens).toBeLessThanOrEqual(maxTokens);
        const linesOf = (session: SkillSession) => session.catalog.text.split('\n').map((line) => line.replace(/,$/, ''));
        const trustedLines = linesOf(alone).filter(
          (line) => line.includes('DESCRIPTION') || /^(?:[abc]|<skill name="[abc]"\/>|- `[abc]`|\{"name":"[abc]"\})$/.test(line),
        );
        const besideLines = linesOf(beside);
        for (const line of trustedLines) expect(besideLines).toContain(line);
        expect(beside.catalog.skills.filter(({ origin }) => origin?.trusted === true)).toEqual(alone.catalog.skills);
      }),
      { seed: 14, numRuns: 300 },
    );
  });

  it('GOV-10: honest loads open the same in every process that reads the same library', async () => {
    await fc.assert(
      fc.asyncProperty(anyLibrary, anyHost, async (library, host) => {
        const [one, two] = await Promise.all(
          [library, structuredClone(library).toReversed()].map((skills) =>
            createSkillset(optionsOf(host, inCodeSkillProvider(skills))).open(),
          ),
        );
        const state = await loadable(one!, names);
        expect(await openTools(two!, JSON.parse(JSON.stringify(state)) as SkillState)).toEqual(await openTools(one!, state));
        expect(two!.kept).toEqual(one!.kept);
        if (host.deniedLoads.length === 0 && host.hiddenTier === 'none' && library.length > 0)
          expect(Object.keys((await stateAfter(one!, library[0]!.name)).loaded)).toEqual([library[0]!.name]);
      }),
      { seed: 15, numRuns: 200 },
    );
  });
});
