import { selectSkills, SkillError, SkillRegistry, type SkillProvider } from '@repertoire/skills-core';
import { fixedSkillProvider } from '@repertoire/skills-core/internal';
import { digestOfSkill } from '@repertoire/skills-core/provider';
import { describe, expect, it } from 'vitest';
import { composeProviders } from '../../../src/providers/compose/compose-providers.ts';
import { switchedSource } from '../../../../skills-testkit/src/adapter/gates/disturbances.ts';
import { readText, skillOf, sourceOf } from './sources.ts';

const untrusted = (label: string, ...names: readonly string[]): SkillProvider =>
  fixedSkillProvider(
    names.map((name) => skillOf(label, name)),
    { label, trusted: false },
  );
const listed = async (provider: SkillProvider) =>
  (await provider.listSkills()).skills.map(({ name, origin }) => `${origin?.label}/${origin?.place ?? name} as ${name}`);
const codes = async (provider: SkillProvider) => (await provider.listSkills()).diagnostics.map(({ code }) => code);
const down = new SkillError('source-unavailable', 'away');
/** As a source of one's own that declares nothing. */
const undeclared = ({ trusted: _trusted, ...provider }: SkillProvider): SkillProvider => provider;

describe('composeProviders: trust and names', () => {
  it('PIN-6, GOV-6: a trusted skill has its name before one without trust, whatever the order and the rule (ATK-201)', async () => {
    const market = untrusted('market', 'billing', 'extra');
    const own = sourceOf('own', 'billing');
    for (const of of [(provider: SkillProvider) => provider, undeclared]) {
      for (const sources of [
        [of(market), of(own)],
        [of(own), of(market)],
      ]) {
        for (const onCollision of ['first', 'last', 'rename'] as const) {
          const provider = composeProviders(sources, { onCollision });
          expect((await provider.getSkill('billing'))?.body).toBe('own/billing/-');
          expect(await readText(provider, 'billing', 'mark.txt')).toBe('own/billing/-');
          expect(await readText(provider, 'billing', 'only-in-market.txt')).toBeNull();
          expect(await provider.getSkill('billing', { version: '9.9.9' })).toBeNull();
          expect(await readText(provider, 'extra', 'mark.txt')).toBe('market/extra/-');
          const renamed = onCollision === 'rename' ? ['market/billing as market:billing'] : [];
          expect(await listed(provider)).toEqual(['own/billing as billing', 'market/extra as extra', ...renamed]);
          expect((await provider.getSkill('market:billing'))?.origin).toMatchObject({ label: 'market', place: 'billing', trusted: false });
        }
      }
    }
  });

  it('GOV-6: while a source that may be trusted has never answered, no skill without trust is served under a plain name (ATK-207)', async () => {
    for (const of of [undeclared, (provider: SkillProvider): SkillProvider => ({ ...provider, trusted: true })]) {
      for (const isFirst of [true, false]) {
        const own = switchedSource(sourceOf('own', 'deploy'));
        own.down = down;
        const team = sourceOf('team', 'review');
        const market = untrusted('market', 'deploy', 'extra');
        const provider = composeProviders(isFirst ? [of(own.provider), team, market] : [market, team, of(own.provider)]);
        expect(await listed(provider)).toEqual(['team/review as review']);
        expect(await codes(provider)).toEqual(['source-failed', 'skill-withheld']);
        await expect(provider.getSkill('deploy')).rejects.toMatchObject({ code: 'source-unavailable', source: 'own' });
        await expect(provider.readResource('deploy', 'mark.txt')).rejects.toMatchObject({ source: 'own' });
        expect((await provider.getSkill('review'))?.body).toBe('team/review/-');
        expect((await provider.getSkill('market:deploy'))?.body).toBe('market/deploy/-');
        own.down = undefined;
        expect(await listed(provider)).toEqual(['own/deploy as deploy', 'market/extra as extra', 'team/review as review']);
        // It is known now, so its outage keeps its own name only.
        own.down = down;
        expect(await listed(provider)).toEqual(['market/extra as extra', 'team/review as review']);
        await expect(provider.getSkill('deploy')).rejects.toBe(down);
        expect((await provider.getSkill('extra'))?.body).toBe('market/extra/-');
      }
    }
  });

  it('GOV-6: a source without trust that is down keeps no trusted skill from being served, and others only by "withhold"', async () => {
    for (const beforeFirstAnswer of ['serve', 'withhold'] as const) {
      const market = switchedSource(untrusted('market', 'billing'));
      market.down = down;
      const sources = [{ ...market.provider, trusted: false }, sourceOf('own', 'billing'), untrusted('other', 'extra')];
      const provider = composeProviders(sources, { beforeFirstAnswer });
      const extra = beforeFirstAnswer === 'serve' ? ['other/extra as extra'] : [];
      expect(await listed(provider)).toEqual(['own/billing as billing', ...extra]);
      expect((await provider.getSkill('billing'))?.body).toBe('own/billing/-');
      if (beforeFirstAnswer === 'serve') expect((await provider.getSkill('extra'))?.body).toBe('other/extra/-');
      else await expect(provider.getSkill('extra')).rejects.toMatchObject({ source: 'market' });
    }
  });

  it('GOV-6: a name that a source without trust had before it failed does not keep a trusted one from having it', async () => {
    const market = switchedSource(untrusted('market', 'billing'));
    const own = new SkillRegistry({ label: 'own' });
    const provider = composeProviders([market.provider, own]);
    expect(await listed(provider)).toEqual(['market/billing as billing']);
    own.register(skillOf('own', 'billing'));
    market.down = down;
    expect(await listed(provider)).toEqual(['own/billing as billing']);
    expect((await provider.getSkill('billing'))?.body).toBe('own/billing/-');
  });
});

describe('composeProviders: one source by its label', () => {
  it("GOV-6: a call with a source gets that source's skill or none, hidden or not, and an error while it is down", async () => {
    const own = switchedSource(sourceOf('own', 'billing', 'search'));
    const acme = new SkillRegistry({ skills: [skillOf('acme', 'billing')], label: 'acme', trusted: false });
    const provider = composeProviders([own.provider, acme], { onCollision: 'rename' });
    const of = async (source: string, name = 'billing') => (await provider.getSkill(name, { source }))?.body ?? null;
    const file = async (source: string, path = 'mark.txt') => await provider.readResource('billing', path, { source });
    expect([await of('own'), await of('acme'), await of('acme', 'acme:billing'), await of('nobody')]).toEqual([
      'own/billing/-',
      'acme/billing/-',
      'acme/billing/-',
      null,
    ]);
    expect(await of('own', 'acme:billing')).toBeNull();
    expect(await file('own', 'only-in-acme.txt')).toBeNull();
    acme.unregister('billing');
    expect([await of('acme'), await of('acme', 'search'), await file('acme')]).toEqual([null, null, null]);
    own.down = down;
    await expect(of('own')).rejects.toBe(down);
    await expect(file('own')).rejects.toBe(down);
    await expect(provider.contentOf?.('search', { source: 'own' }) ?? Promise.reject(down)).rejects.toBe(down);
    expect(await of('acme')).toBeNull();
  });

  it('GOV-6: a source inside another composition is found by its label, and none that has another one', async () => {
    const inner = composeProviders([sourceOf('ours', 'billing'), sourceOf('theirs', 'billing', 'search')], { label: 'inner' });
    const views = [inner, selectSkills(inner, () => true)];
    for (const nested of views) {
      const provider = composeProviders([nested, sourceOf('other', 'billing', 'theirs')]);
      const get = async (name: string, source: string) => {
        const skill = await provider.getSkill(name, { source });
        const bytes = (await provider.readResource(name, 'mark.txt', { source }))?.bytes;
        expect(bytes === undefined ? undefined : new TextDecoder().decode(bytes)).toBe(skill?.body);
        return skill?.body ?? null;
      };
      expect(await get('billing', 'ours')).toBe('ours/billing/-');
      expect(await get('inner:billing', 'ours')).toBe('ours/billing/-');
      expect(await get('search', 'theirs')).toBe('theirs/search/-');
      expect(await get('billing', 'other')).toBe('other/billing/-');
      expect(await get('search', 'ours')).toBeNull();
      expect(await get('billing', 'inner')).toBeNull();
      expect(await provider.contentOf?.('search', { source: 'theirs' })).toBe((await digestOfSkill(inner, 'search'))?.digest);
    }
  });

  it('GOV-6: tells the content of the skill that it serves, by name and by source, as it is now', async () => {
    const own = new SkillRegistry({ skills: [skillOf('own', 'billing')], label: 'own' });
    const acme = new SkillRegistry({ skills: [skillOf('acme', 'billing')], label: 'acme' });
    const provider = composeProviders([own, acme]);
    const contents = async () =>
      await Promise.all([
        provider.contentOf?.('billing'),
        provider.contentOf?.('acme:billing'),
        provider.contentOf?.('billing', { source: 'acme' }),
        provider.contentOf?.('nothing'),
      ]);
    const [mine, theirs] = [(await digestOfSkill(own, 'billing'))?.digest, (await digestOfSkill(acme, 'billing'))?.digest];
    expect(await contents()).toEqual([mine, theirs, theirs, undefined]);
    expect((await provider.getSkill('billing'))?.content).toBe(mine);
    own.unregister('billing');
    expect(await contents()).toEqual([theirs, theirs, theirs, undefined]);
    expect(await provider.contentOf?.('billing', { source: 'own' })).toBeUndefined();
  });
});
