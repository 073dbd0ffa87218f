import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  composeProviders,
  createSkillset,
  emptySkillState,
  SkillRegistry,
  type SkillProvider,
  type SkillSession,
  type SkillState,
} from '@repertoire/skills-core';
import { loadedSkill, restoreSkills } from '@repertoire/skills-core/adapter';
import { fixedSkillProvider, type LoadedSkill } from '@repertoire/skills-core/internal';
import { createSkillLock, lockedProvider } from '../../../skill-trust/src/lock.ts';
import { disturbanceOf, disturbances, switchedSource } from '../../../skills-testkit/src/adapter/gates/disturbances.ts';
import {
  anyHost,
  anyLibrary,
  anySkill,
  forbiddenWords,
  gateOpen,
  isAlwaysActive,
  loadable,
  names,
  openersOf,
  openTools,
  optionsOf,
  subset,
  tools,
} from '../../../skills-testkit/src/adapter/gates/gate-worlds.ts';
import { revisionNow, stateAfter } from '../helpers/loaded-state.ts';
import { propertyRuns } from '../../../../test/support/property-runs.ts';
import { lostTexts } from '../../src/tools/activation/lost-texts.ts';

describe('whatever a host, its sources and a history are', () => {
  it('GOV-11: no outage, removal, refusal of a lock or other selection opens a tool (ATK-17)', async () => {
    await fc.assert(
      fc.asyncProperty(
        anyLibrary,
        anyLibrary,
        anyHost,
        subset(names),
        fc.constantFrom(...disturbances),
        async (own, other, host, wanted, kind) => {
          const sources = [
            switchedSource(new SkillRegistry({ skills: own, label: 'own' })),
            switchedSource(new SkillRegistry({ skills: other, label: 'other' })),
          ] as const;
          const provider = composeProviders(sources.map((source) => source.provider));
          const skillset = createSkillset(optionsOf(host, provider));
          const before = await skillset.open();
          const state = await loadable(before, wanted);
          const honest = await gateOpen(before, state);
          const withoutState = await gateOpen(before, emptySkillState);
          const disturb = kind === 'refused' ? await lockedAfterEdit(provider) : await disturbanceOf(kind, provider, sources, own[0]?.name);
          const after = createSkillset(optionsOf(host, disturb()));
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
          expect(honest).toEqual(expect.arrayContaining(await gateOpen(session, state)));
          expect(withoutState).toEqual(expect.arrayContaining(await gateOpen(session, emptySkillState)));
          // A session that was opened before is as strict.
          expect(honest).toEqual(expect.arrayContaining(await gateOpen(before, state)));
        },
      ),
      { seed: 11, numRuns: propertyRuns(300) },
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
          new SkillRegistry({ skills: own, label: 'own' }),
          new SkillRegistry({ skills: theirs, label: 'theirs', trusted: false }),
        ]);
        const skillset = createSkillset(optionsOf(host, provider));
        const session = await skillset.open({ kept });
        const all = (await provider.listSkills()).skills;
        const state: SkillState = {
          loaded: Object.fromEntries(
            await Promise.all(
              Object.entries(claims).map(async ([name, { version, isRight, at }]): Promise<[string, LoadedSkill]> => {
                const target = all.find((skill) => skill.name === name && skill.version === version);
                const revision = isRight && target !== undefined ? await revisionNow(provider, target) : '0'.repeat(22);
                const untrusted = target !== undefined && target.origin?.trusted !== true ? { untrusted: true as const } : {};
                const source = target?.origin?.label ?? 'own';
                return [name, { source, version, revision, texts: ['x'], sequence: 1, inContext: true, at, ...untrusted }];
              }),
            ),
          ),
        };
        const opened = (await gateOpen(session, state)).filter((tool) => session.isGated(tool));
        for (const tool of opened) {
          const openers = openersOf(session, host, tool);
          expect(openers).not.toEqual([]);
          const isAlways = openers.some((skill) => isAlwaysActive(skill));
          const now = await Promise.all(openers.map(async (skill) => ({ skill, revision: await revisionNow(provider, skill) })));
          const isLoaded = now.some(({ skill, revision }) => {
            const claim = loadedSkill(state, skill.name);
            return claim?.version === skill.version && claim.revision === revision;
          });
          expect(isAlways || isLoaded).toBe(true);
        }
        // What is kept decides nothing of it.
        const without = await skillset.open();
        expect(await openTools(session, state)).toEqual(await openTools(without, state));
        expect([session.catalog.listed, session.tools.length]).toEqual([without.catalog.listed, without.tools.length]);
      }),
      { seed: 12, numRuns: propertyRuns(300) },
    );
  });

  it('GOV-11 CON-7 GOV-5: no tool answers with words that the host does not select or permit now (ATK-103)', async () => {
    const surface = fc.constantFrom('progressive' as const, 'full' as const);
    const instructions = fc.constantFrom('tool-result' as const, 'with-catalog' as const);
    await fc.assert(
      fc.asyncProperty(anyLibrary, anyHost, surface, instructions, subset(names), async (library, host, toolSurface, where, wanted) => {
        const provider = fixedSkillProvider(library);
        const listing = (await provider.listSkills()).skills;
        // The history is of a time when everything was allowed.
        const generous = await createSkillset({ provider }).open();
        const past = await loadable(generous, wanted);
        const session = await createSkillset({
          ...optionsOf(host, provider),
          surface: { tools: toolSurface, instructions: where, unload: true },
        }).open();
        const forged: SkillState = {
          loaded: Object.fromEntries(
            await Promise.all(
              listing.map(async (skill): Promise<[string, LoadedSkill]> => {
                const revision = await revisionNow(provider, skill);
                return [skill.name, { source: 'code', version: skill.version, revision, texts: [], sequence: 1, inContext: false }];
              }),
            ),
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
          texts.push(...(await lostTexts(session.inside, state)).skills.map(({ text }) => text));
          texts.push(...(await restoreSkills(session, [{ role: 'user', entries: [], tokens: 10 }], { state })).map(({ text }) => text));
        }
        const everything = texts.join('\n');
        for (const words of forbiddenWords(host, listing)) expect(everything).not.toContain(words);
      }),
      { seed: 13, numRuns: propertyRuns(60) },
    );
  });

  it('GOV-11 GOV-6: an untrusted source changes nothing for the host or for what it trusts (ATK-114)', async () => {
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
        const mine = new SkillRegistry({ skills: own, label: 'own' });
        const added = new SkillRegistry({
          skills: evil.map(({ skill, name, length }) => ({ ...skill, name, description: `${skill.description} ${'x '.repeat(length)}` })),
          label: 'evil',
          trusted: false,
        });
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
        expect(await beside.model(state)).toBe(await alone.model(state));
        if (alone.catalog.tokens <= maxTokens) expect(beside.catalog.tokens).toBeLessThanOrEqual(maxTokens);
        const linesOf = (session: SkillSession) => session.catalog.text.split('\n').map((line) => line.replace(/,$/, ''));
        const trustedLines = linesOf(alone).filter(
          (line) => line.includes('DESCRIPTION') || /^(?:[abc]|<skill name="[abc]"\/>|- `[abc]`|\{"name":"[abc]"\})$/.test(line),
        );
        const besideLines = linesOf(beside);
        for (const line of trustedLines) expect(besideLines).toContain(line);
        expect(beside.catalog.skills.filter(({ origin }) => origin?.trusted === true)).toEqual(alone.catalog.skills);
      }),
      { seed: 14, numRuns: propertyRuns(300) },
    );
  });

  it('GOV-10: honest loads open the same in every process that reads the same library', async () => {
    await fc.assert(
      fc.asyncProperty(anyLibrary, anyHost, async (library, host) => {
        const [one, two] = await Promise.all(
          [library, structuredClone(library).toReversed()].map((skills) =>
            createSkillset(optionsOf(host, new SkillRegistry({ skills }))).open(),
          ),
        );
        const state = await loadable(one!, names);
        expect(await openTools(two!, JSON.parse(JSON.stringify(state)) as SkillState)).toEqual(await openTools(one!, state));
        expect(two!.kept).toEqual(one!.kept);
        if (host.deniedLoads.length === 0 && host.hiddenTier === 'none' && library.length > 0)
          expect(Object.keys((await stateAfter(one!, library[0]!.name)).loaded)).toEqual([library[0]!.name]);
      }),
      { seed: 15, numRuns: propertyRuns(200) },
    );
  });
});

/** A lock of the source as it is, and a source in which somebody then edits every description. */
async function lockedAfterEdit(provider: SkillProvider): Promise<() => SkillProvider> {
  const lock = await createSkillLock(provider);
  const edited: SkillProvider = {
    ...provider,
    listSkills: async (options) => {
      const listing = await provider.listSkills(options);
      return { ...listing, skills: listing.skills.map((skill) => ({ ...skill, description: `${skill.description}!` })) };
    },
  };
  return () => lockedProvider(edited, lock);
}
