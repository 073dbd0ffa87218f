import { createSkillset, defineSkill, SkillRegistry, type SkillDefinition } from '@repertoire/skills-core';
import { describe, expect, it } from 'vitest';

const base = { description: 'Does a thing. Use when a thing is wanted.', body: 'Do it.' };
const billing = defineSkill({ name: 'billing', ...base, tools: ['process_refund'] });
const refunds = defineSkill({ name: 'refunds', ...base });

describe('SkillRegistry', () => {
  it('CON-6: registers in a chain, and gets, has, lists and counts what it holds', () => {
    const registry = new SkillRegistry().register(refunds).register(billing);
    expect(registry.size).toBe(2);
    expect(registry.has('billing')).toBe(true);
    expect(registry.has('shipping')).toBe(false);
    expect(registry.get('billing')).toEqual(billing);
    expect(registry.get('shipping')).toBeUndefined();
    expect(registry.list().map(({ name }) => name)).toEqual(['billing', 'refunds']);
    registry.clear();
    expect([registry.size, registry.list()]).toEqual([0, []]);
  });

  it('CON-5: takes a list of skills, which it does not keep, and options', async () => {
    const skills = [refunds, billing];
    const registry = new SkillRegistry({ skills, label: 'ours', trusted: false });
    skills.pop();
    expect([registry.label, registry.trusted, registry.list()]).toEqual(['ours', false, [billing, refunds]]);
    registry.unregister('refunds');
    expect((await registry.register({ ...refunds, version: '2.0.0' }).listSkills()).skills).toMatchObject([
      { name: 'billing' },
      { name: 'refunds', version: '2.0.0' },
    ]);
    const empty = new SkillRegistry();
    expect([empty.label, empty.trusted, empty.size]).toEqual(['code', true, 0]);
  });

  it.each([[[billing]], [{ skills: billing }], [{ skills: new Set([billing]) }], [{ skills: null }]])(
    'CON-5: refuses what is no list of skills under `skills`: %j',
    (given) => {
      expect(() => new SkillRegistry(given as never)).toThrow(expect.objectContaining({ code: 'invalid-options' }));
    },
  );

  it('CON-6: a duplicate throws, and leaves the registry as it was', () => {
    const registry = new SkillRegistry({ label: 'ours' }).register(billing);
    expect(() => registry.register({ ...billing, body: 'Other.' })).toThrow(
      expect.objectContaining({ code: 'duplicate-skill', skill: 'billing', source: 'ours' }),
    );
    expect(registry.get('billing')?.body).toBe('Do it.');
    expect(registry.size).toBe(1);
    expect(() => new SkillRegistry({ skills: [billing, refunds, { ...billing, body: 'Other.' }], label: 'ours' })).toThrow(
      expect.objectContaining({ code: 'duplicate-skill', skill: 'billing', source: 'ours' }),
    );
  });

  it('CON-6: replaces what is there, and nothing else', async () => {
    const registry = new SkillRegistry().register(billing);
    registry.replace({ ...billing, body: 'Do it better.' });
    expect((await registry.getSkill('billing'))?.body).toBe('Do it better.');
    expect(() => registry.replace(refunds)).toThrow(expect.objectContaining({ code: 'skill-not-found', skill: 'refunds' }));
    expect(() => registry.replace({ ...billing, version: '2.0.0' })).toThrow(expect.objectContaining({ code: 'skill-not-found' }));
  });

  it('CON-8: keeps versions side by side, newest first', async () => {
    const registry = new SkillRegistry();
    for (const version of ['1.9.0', '1.10.0', '2.0.0-rc.1']) registry.register({ ...billing, version, body: version });
    expect((await registry.listSkills()).skills.map(({ version }) => version)).toEqual(['2.0.0-rc.1', '1.10.0', '1.9.0']);
    expect(registry.get('billing')?.version).toBe('2.0.0-rc.1');
    expect((await registry.getSkill('billing'))?.body).toBe('2.0.0-rc.1');
    expect((await registry.getSkill('billing', { version: '1.9.0' }))?.body).toBe('1.9.0');
    expect(await registry.getSkill('billing', { version: '^1.0.0' })).toBeNull();
    expect(registry.unregister('billing', '1.10.0')).toBe(true);
    expect(registry.unregister('billing', '1.10.0')).toBe(false);
    expect((await registry.getSkill('billing', { version: '1.9.0' }))?.version).toBe('1.9.0');
    expect(registry.unregister('billing', '2.0.0-rc.1')).toBe(true);
    expect((await registry.getSkill('billing'))?.version).toBe('1.9.0');
    expect(registry.unregister('billing')).toBe(true);
    expect(registry.size).toBe(0);
  });

  it.each([
    null,
    'billing',
    {},
    { name: 'a', ...base, body: undefined },
    { name: 'a', body: 'b', description: ' ' },
    { name: 'a', ...base, resources: { '../b': '' } },
    { name: 'a', ...base, fields: { f: () => 1 } },
  ])('CON-6: refuses what is no skill: %j', (value) => {
    const registry = new SkillRegistry();
    const refusal = expect.objectContaining({ code: 'invalid-skill' });
    expect(() => registry.register(value as unknown as SkillDefinition)).toThrow(refusal);
    expect(registry.size).toBe(0);
    expect(() => new SkillRegistry({ skills: [billing, value as unknown as SkillDefinition] })).toThrow(refusal);
  });

  it('CON-6: owes nothing to what its owner does to a skill after registering it', async () => {
    const tools = ['process_refund'];
    const skill = { name: 'billing', ...base, tools, resources: { 'a.md': 'a' } as Record<string, string> };
    const registries = [new SkillRegistry().register(skill), new SkillRegistry({ skills: [skill] })];
    tools.push('delete_everything');
    skill.resources['b.md'] = 'b';
    for (const registry of registries) {
      const got = await registry.getSkill('billing');
      expect(got?.tools).toEqual(['process_refund']);
      expect(got?.resources.map(({ path }) => path)).toEqual(['a.md']);
      expect(() => (registry.get('billing')!.tools as string[]).push('x')).toThrow(TypeError);
    }
  });

  it('CON-6: what it hands out cannot be changed, its files neither', async () => {
    const registry = new SkillRegistry().register({ name: 'billing', ...base, resources: { 'a.md': 'a' } });
    const held = registry.get('billing')!;
    expect(() => Object.assign(held, { body: 'Other.' })).toThrow(TypeError);
    expect(() => Object.assign(held.resources!, { 'b.md': 'b' })).toThrow(TypeError);
    expect((await registry.getSkill('billing'))?.resources.map(({ path }) => path)).toEqual(['a.md']);
  });

  it('CON-6: tells a burst of changes once, and a change that changes nothing not at all', async () => {
    const registry = new SkillRegistry().register(billing);
    await Promise.resolve();
    const heard: string[][] = [];
    registry.watch(() => heard.push(registry.list().map(({ name }) => name)));
    registry.register(refunds).replace(billing);
    registry.unregister('billing');
    expect(heard).toEqual([]);
    await turn();
    expect(heard).toEqual([['refunds']]);
    registry.unregister('unknown');
    expect(() => registry.register(refunds)).toThrow(/already has skill "refunds"/);
    await turn();
    expect(heard).toHaveLength(1);
    registry.clear();
    registry.clear();
    await turn();
    expect(heard).toHaveLength(2);
  });

  it('CON-3: one function may watch twice, and each subscription ends by itself', async () => {
    const registry = new SkillRegistry();
    let count = 0;
    const onChange = () => void (count += 1);
    const [first, second] = [registry.watch(onChange), registry.watch(onChange)];
    registry.register(billing);
    await turn();
    expect(count).toBe(2);
    first();
    first();
    registry.register(refunds);
    await turn();
    expect(count).toBe(3);
    // Ended between the change and its notice.
    registry.clear();
    second();
    await turn();
    expect(count).toBe(3);
  });

  it('CON-3: who is ended by another listener hears nothing more', async () => {
    const registry = new SkillRegistry();
    const heard: string[] = [];
    const ends: (() => void)[] = [];
    ends.push(registry.watch(() => (heard.push('first'), ends[1]?.())));
    ends.push(registry.watch(() => heard.push('second')));
    registry.register(billing);
    await turn();
    expect(heard).toEqual(['first']);
  });

  it('CON-6: a call that is under way answers as of its start', async () => {
    const { promise, resolve } = Promise.withResolvers<string>();
    const registry = new SkillRegistry().register({ ...billing, body: () => promise });
    const getting = registry.getSkill('billing');
    registry.clear();
    resolve('Late.');
    expect((await getting)?.body).toBe('Late.');
    expect(await registry.getSkill('billing')).toBeNull();
  });

  it('CON-6: every catalog that is read after a change has it; one that was read before has not', async () => {
    const registry = new SkillRegistry().register(billing);
    const skillset = createSkillset({ provider: registry });
    const { catalog: before } = await skillset.open();
    registry.register(refunds);
    expect(before.skills.map(({ name }) => name)).toEqual(['billing']);
    expect((await skillset.open()).catalog.skills.map(({ name }) => name)).toEqual(['billing', 'refunds']);
  });
});

/** Lets microtasks run. */
async function turn(): Promise<void> {
  await new Promise((resolve) => setImmediate(resolve));
}
