import { createSkillset, SkillRegistry, type SkillDefinition, type SkillProvider } from '@repertoire/skills-core';
import { fixedSkillProvider } from '@repertoire/skills-core/internal';
import { describe, expect, it } from 'vitest';
import { composeProviders } from '../../../src/providers/compose/compose-providers.ts';
import { selectSkills } from '../../../src/providers/select-skills.ts';

const base = { description: 'Does a thing. Use when a thing is wanted.' };

function skill(name: string, tier: string, version?: string): SkillDefinition {
  const mark = `${name} ${version ?? tier}`;
  return { name, ...base, body: mark, metadata: { tier }, resources: { 'mark.txt': mark }, ...(version !== undefined && { version }) };
}

const all = fixedSkillProvider([
  skill('billing', 'free', '1.0.0'),
  skill('billing', 'gold', '2.0.0'),
  skill('search', 'free'),
  skill('vault', 'gold'),
]);
const tier =
  (...tiers: string[]) =>
  (candidate: { readonly metadata?: Readonly<Record<string, string>> | undefined }) =>
    tiers.includes(candidate.metadata?.['tier'] ?? '');

const text = async (provider: SkillProvider, name: string, version?: string) => {
  const resource = await provider.readResource(name, 'mark.txt', { version });
  return resource && new TextDecoder().decode(resource.bytes);
};

describe('selectSkills', () => {
  it('CON-7: what is hidden does not exist: not in the list, not by name, not by version, not by file', async () => {
    const view = selectSkills(all, tier('free'));
    expect((await view.listSkills()).skills.map(({ name, version }) => [name, version])).toEqual([
      ['billing', '1.0.0'],
      ['search', null],
    ]);
    expect(await view.getSkill('vault')).toBeNull();
    expect(await text(view, 'vault')).toBeNull();
    expect(await view.getSkill('billing', { version: '2.0.0' })).toBeNull();
    expect(await text(view, 'billing', '2.0.0')).toBeNull();
  });

  it('CON-8: where the newest version is hidden, the newest that is shown takes its place', async () => {
    const view = selectSkills(all, tier('free'));
    expect((await view.getSkill('billing'))?.body).toBe('billing 1.0.0');
    expect(await text(view, 'billing')).toBe('billing 1.0.0');
    expect((await selectSkills(all, tier('gold')).getSkill('billing'))?.body).toBe('billing 2.0.0');
  });

  it('CON-1: what a view lists can be got, also where versions stand beside a skill without one', async () => {
    const mixed = new SkillRegistry({
      skills: [skill('a', 'gold', '2.0.0'), skill('a', 'free'), skill('b', 'free', '1.0.0'), skill('b', 'free')],
    });
    const view = selectSkills(mixed, tier('free'));
    const { skills } = await view.listSkills();
    expect(skills.map(({ name, version }) => [name, version])).toEqual([
      ['a', null],
      ['b', '1.0.0'],
      ['b', null],
    ]);
    for (const { name, version } of skills) expect(await view.getSkill(name, { version })).toMatchObject({ name, version });
    expect((await view.getSkill('a'))?.body).toBe('a free');
    expect((await view.getSkill('b'))?.version).toBe('1.0.0');
    expect((await view.getSkill('b', { version: null }))?.body).toBe('b free');
  });

  it('CON-7: the predicate is given level 1, the same for every method', async () => {
    const seen = new Set<string>();
    const view = selectSkills(all, (candidate) => seen.add(Object.keys(candidate).toSorted().join()) !== undefined);
    await view.listSkills();
    await view.getSkill('search');
    await view.readResource('search', 'mark.txt');
    expect([...seen].filter((keys) => keys.includes('body') || keys.includes('resources'))).toEqual([]);
    expect(seen.size).toBe(1);
  });

  it('CON-7: a predicate that throws hides the skill and is reported', async () => {
    const view = selectSkills(
      new SkillRegistry({ skills: [{ name: 'bare', ...base, body: '' }, skill('search', 'free')] }),
      (candidate) => (candidate.metadata as { tier: string }).tier === 'free',
    );
    expect((await view.listSkills()).skills.map(({ name }) => name)).toEqual(['search']);
    expect(await view.getSkill('bare')).toBeNull();
    expect((await view.listSkills()).diagnostics).toMatchObject([
      { code: 'selection-failed', severity: 'error', skill: 'bare', message: expect.stringContaining('TypeError') as string },
    ]);
  });

  it('CON-7: a view never closes the source that it looks at', async () => {
    let closed = false;
    const view = selectSkills({ ...all, [Symbol.asyncDispose]: async () => void (closed = true) }, () => true);
    await composeProviders([view])[Symbol.asyncDispose]?.();
    expect(closed).toBe(false);
    expect(Symbol.asyncDispose in view).toBe(false);
  });

  it('GOV-10: tenants whose requests run at the same time never see each other’s skills', async () => {
    const tenants = Array.from({ length: 12 }, (_, index) => `tenant-${index}`);
    const library = new SkillRegistry({
      skills: tenants.flatMap((tenant) => [
        skill(`${tenant}-notes`, tenant),
        skill('shared', tenant, `1.0.${tenant.slice('tenant-'.length)}`),
      ]),
    });
    // Every call of the shared source waits for another one, so the requests run through each other.
    const waiting: (() => void)[] = [];
    const shuffled = async () => {
      const { promise, resolve } = Promise.withResolvers<void>();
      waiting.push(resolve);
      if (waiting.length % 5 === 0) setImmediate(() => waiting.splice(0).forEach((go) => go()));
      else setImmediate(() => waiting.shift()?.());
      await promise;
    };
    const source: SkillProvider = {
      label: library.label,
      listSkills: async (options) => (await shuffled(), await library.listSkills(options)),
      getSkill: async (name, options) => (await shuffled(), await library.getSkill(name, options)),
      readResource: async (name, path, options) => (await shuffled(), await library.readResource(name, path, options)),
    };
    const shared = composeProviders([source], { timeoutMs: Number.POSITIVE_INFINITY });
    const request = async (tenant: string) => {
      const skillset = createSkillset({ provider: selectSkills(shared, tier(tenant)) });
      const session = await skillset.open();
      const [load, read] = session.tools;
      const context = { state: session.state([]) };
      const answers = await Promise.all([
        load?.execute({ name: `${tenant}-notes` }, context),
        load?.execute({ name: 'shared' }, context),
        ...tenants.filter((other) => other !== tenant).map((other) => load?.execute({ name: `${other}-notes` }, context)),
      ]);
      const direct = await Promise.all(
        tenants.map(async (other) => [other, await skillset.provider.readResource(`${other}-notes`, 'mark.txt')] as const),
      );
      return { tenant, catalog: session.catalog, answers, direct, tools: [load?.name, read?.name] };
    };

    const results = await Promise.all([...tenants, ...tenants].map(request));
    expect(results).toHaveLength(24);
    for (const { tenant, catalog, answers, direct } of results) {
      expect(catalog.skills.map(({ name }) => name)).toEqual(['shared', `${tenant}-notes`]);
      expect(answers[0]?.text).toContain(`${tenant}-notes ${tenant}`);
      expect(answers[1]?.text).toContain(`shared 1.0.${tenant.slice('tenant-'.length)}`);
      expect(answers.slice(2).map((answer) => answer?.error?.code)).toEqual(Array.from({ length: 11 }, () => 'skill-not-found'));
      const everything = JSON.stringify([catalog.text, answers.map((answer) => answer?.text.replace(/"[^"]*-notes"/g, ''))]);
      for (const other of tenants) if (other !== tenant) expect(everything).not.toMatch(new RegExp(`${other}-notes ${other}\\b`));
      expect(direct.filter(([, resource]) => resource !== null).map(([name]) => name)).toEqual([tenant]);
    }
  });
});
