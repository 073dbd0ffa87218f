import { createSkillset, SkillError, SkillRegistry, type SkillProvider } from '@repertoire/skills-core';
import { fixedSkillProvider } from '@repertoire/skills-core/internal';
import type { SkillListing } from '@repertoire/skills-core/provider';
import { describe, expect, it } from 'vitest';
import { composeProviders } from '../../../src/providers/compose/compose-providers.ts';
import { switchedSource } from '../../../../skills-testkit/src/adapter/gates/disturbances.ts';
import { ManualTimers, readText, skillOf, sourceOf, sourceThat } from './sources.ts';

const never = () => new Promise<never>(() => {});
const names = async (provider: SkillProvider) => (await provider.listSkills()).skills.map(({ name }) => name);

describe('composeProviders: sources that fail or hang', () => {
  it('CON-7: a source that fails is left out and reported; the others are not harmed', async () => {
    const broken = sourceThat('crm', () => Promise.reject(new TypeError('cannot read')));
    const provider = composeProviders([sourceOf('project', 'billing'), broken, sourceOf('acme', 'search')]);
    expect(await names(provider)).toEqual(['billing', 'search']);
    expect((await provider.listSkills()).diagnostics).toMatchObject([
      { code: 'source-failed', severity: 'error', message: expect.stringMatching(/"crm".*cannot read/) as string },
    ]);
    expect((await provider.getSkill('search'))?.body).toBe('acme/search/-');
    expect(await readText(provider, 'search', 'mark.txt')).toBe('acme/search/-');
  });

  it('CON-7: what a source could not list for once stays its own, in the listing and by name', async () => {
    const whole = sourceOf('project', 'billing', 'search');
    const isPartial = { current: false };
    const partial: SkillProvider = {
      ...whole,
      async listSkills(options) {
        const listing = await whole.listSkills(options);
        return isPartial.current
          ? { ...listing, skills: listing.skills.filter(({ name }) => name !== 'billing'), complete: false }
          : listing;
      },
      getSkill: async (name, options) => (isPartial.current && name === 'billing' ? null : await whole.getSkill(name, options)),
    };
    const provider = composeProviders([partial, sourceOf('stranger', 'billing', 'poems')]);
    expect(await names(provider)).toEqual(['billing', 'poems', 'search']);
    isPartial.current = true;
    const { skills, diagnostics, complete } = await provider.listSkills();
    expect([skills.map(({ name }) => name), complete]).toEqual([['poems', 'search'], false]);
    expect(diagnostics).toMatchObject([{ code: 'skill-shadowed', skill: 'billing' }]);
    await expect(provider.getSkill('billing')).rejects.toMatchObject({ code: 'source-unavailable', source: 'project' });
    expect((await provider.getSkill('search'))?.body).toBe('project/search/-');
    isPartial.current = false;
    await provider.listSkills();
    expect((await provider.getSkill('billing'))?.body).toBe('project/billing/-');
  });

  it('GOV-6: a source that never lists everything keeps ten thousand names that it lacks, and says that it gives others up', async () => {
    let first = 0;
    const endless: SkillProvider = {
      ...fixedSkillProvider([]),
      label: 'endless',
      async listSkills() {
        const origin = { kind: 'rows', label: 'endless', trusted: true };
        const skills = Array.from({ length: 6_000 }, (_, index) => ({
          name: `s${first + index}`,
          version: null,
          description: 'x',
          origin,
        }));
        first += 6_000;
        return { skills, diagnostics: [], complete: false };
      },
    };
    const provider = composeProviders([endless, sourceOf('stranger', 's0', 's5999', 's6000')]);
    const others = ({ skills }: SkillListing) => skills.flatMap(({ name, origin }) => (origin?.label === 'endless' ? [] : [name]));
    const shown = async () => others(await provider.listSkills());
    const codes = async () => (await provider.listSkills()).diagnostics.map(({ code }) => code);
    expect(await codes()).not.toContain('names-released');
    expect(await shown()).toEqual([]);
    // The third listing lacks 12,000 names; those that were missed longest go first.
    const listing = await provider.listSkills();
    expect(listing.diagnostics.find(({ code }) => code === 'names-released')).toMatchObject({
      severity: 'warning',
      message: /^"endless".* 2000 names/,
    });
    expect(others(listing)).toEqual(['s5999']);
  });

  it('CON-7: a source that throws at the call is one that fails', async () => {
    const rude = sourceThat('rude', () => {
      throw new Error('at the call');
    });
    const provider = composeProviders([rude, sourceOf('project', 'billing')]);
    expect((await provider.getSkill('billing'))?.body).toBe('project/billing/-');
    expect(await names(provider)).toEqual(['billing']);
  });

  it('CON-7: a source that hangs is given up after `timeoutMs`, is told so, and costs the next calls no time', async () => {
    const timers = new ManualTimers();
    const reasons: unknown[] = [];
    const hung: SkillProvider = {
      ...sourceThat('crm', never),
      listSkills: ({ signal } = {}) => {
        signal?.addEventListener('abort', () => reasons.push(signal.reason));
        return never();
      },
    };
    const provider = composeProviders([hung, sourceOf('project', 'billing')], { timeoutMs: 2500, setTimer: timers.setTimer });
    const listing = provider.listSkills();
    expect(timers.running).toEqual([2500, 2500]);
    await timers.fire();
    const answer = await listing;
    expect(answer.skills.map(({ name }) => name)).toEqual(['billing']);
    expect(answer.complete).toBe(false);
    expect(reasons).toEqual([expect.objectContaining({ code: 'timeout', source: 'crm' })]);
    expect(answer.diagnostics).toMatchObject([{ code: 'source-timeout', message: expect.stringContaining('2500 ms') as string }]);
    // No timer is fired here: a call that waited for the hung source would not come back.
    expect((await provider.getSkill('billing'))?.body).toBe('project/billing/-');
    expect(await readText(provider, 'billing', 'mark.txt')).toBe('project/billing/-');
    expect(timers.running).toEqual([]);
  });

  it('CON-7: without a listing before, the hung source is waited for once', async () => {
    const timers = new ManualTimers();
    const provider = composeProviders([sourceThat('crm', never), sourceOf('project', 'billing')], { setTimer: timers.setTimer });
    const getting = provider.getSkill('billing');
    expect(timers.running).toEqual([10_000]);
    await timers.fire();
    expect((await getting)?.body).toBe('project/billing/-');
    expect((await provider.getSkill('billing'))?.body).toBe('project/billing/-');
  });

  it('CON-7: where all sources fail, the listing rejects with every reason, and never with an empty list', async () => {
    const provider = composeProviders([
      sourceThat('a', () => Promise.reject(new Error('no disk'))),
      sourceThat('b', () => Promise.reject(new SkillError('timeout', 'too slow'))),
    ]);
    const error = await provider.listSkills().catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ code: 'source-unavailable', source: 'skills' });
    expect((error as Error).message).toMatch(/a: .*no disk\n- b: too slow/);
  });

  it('CON-7: a skill of a source that fails now is never served from another source (ATK-108)', async () => {
    const project = switchedSource(sourceOf('project', 'billing'));
    const provider = composeProviders([project.provider, sourceOf('acme', 'billing', 'search')]);
    await provider.listSkills();
    project.down = new SkillError('source-unavailable', 'The disk is away.', { source: 'project' });
    await expect(provider.getSkill('billing')).rejects.toBe(project.down);
    await expect(provider.readResource('billing', 'mark.txt')).rejects.toBe(project.down);
    expect((await provider.getSkill('search'))?.body).toBe('acme/search/-');
    // Nor is it listed: who sees "billing" has always seen the one of the project.
    expect(await names(provider)).toEqual(['search']);
    expect((await provider.listSkills()).diagnostics.map(({ code, skill }) => [code, skill])).toEqual([
      ['source-failed', undefined],
      ['skill-shadowed', 'billing'],
    ]);
    await expect(provider.getSkill('billing')).rejects.toBe(project.down);
    expect((await provider.getSkill('acme:billing'))?.body).toBe('acme/billing/-');
    project.down = undefined;
    expect((await provider.getSkill('billing'))?.body).toBe('project/billing/-');
    expect(await names(provider)).toEqual(['billing', 'search']);
  });

  it('CON-7: a source that answers again has its place again', async () => {
    const project = switchedSource(sourceOf('project', 'billing'));
    const provider = composeProviders([project.provider, sourceOf('acme', 'billing')]);
    project.down = new Error('down');
    await expect(provider.getSkill('leads')).rejects.toMatchObject({ source: 'project' });
    // Nobody has heard its names yet, so another one serves meanwhile.
    expect((await provider.getSkill('billing'))?.body).toBe('acme/billing/-');
    project.down = undefined;
    expect(await provider.getSkill('leads')).toBeNull();
    expect((await provider.getSkill('billing'))?.body).toBe('project/billing/-');
  });

  it('CON-7: a name that nobody can vouch for is an error, not a null', async () => {
    const provider = composeProviders([sourceOf('project', 'billing'), sourceThat('crm', () => Promise.reject(new Error('down')))]);
    await expect(provider.getSkill('leads')).rejects.toMatchObject({ code: 'source-unavailable', source: 'crm', skill: 'leads' });
    await expect(provider.readResource('leads', 'a.md')).rejects.toMatchObject({ code: 'source-unavailable' });
    // Of a source that answers, it is known.
    expect(await provider.getSkill('project:leads')).toBeNull();
    expect(await provider.readResource('billing', 'missing.md')).toBeNull();
  });

  it('GOV-9: what a source refuses about a skill is passed on, not looked for elsewhere', async () => {
    const refusal = new SkillError('digest-mismatch', 'Not what was pinned.', { skill: 'billing' });
    const pinned: SkillProvider = {
      ...sourceOf('pinned', 'other'),
      getSkill: () => Promise.reject(refusal),
      readResource: () => Promise.reject(refusal),
    };
    const provider = composeProviders([pinned, sourceOf('acme', 'billing')]);
    await expect(provider.getSkill('billing')).rejects.toBe(refusal);
    await expect(provider.readResource('billing', 'mark.txt')).rejects.toBe(refusal);
  });

  it('CON-1: the caller’s abort goes through with its own reason, whatever the sources do', async () => {
    const timers = new ManualTimers();
    const provider = composeProviders([sourceThat('crm', never), sourceThat('down', () => Promise.reject(new Error('down')))], {
      setTimer: timers.setTimer,
    });
    for (const call of [
      (signal: AbortSignal) => provider.listSkills({ signal }),
      (signal: AbortSignal) => provider.getSkill('a', { signal }),
      (signal: AbortSignal) => provider.getSkill('crm:a', { signal }),
      (signal: AbortSignal) => provider.readResource('a', 'a.md', { signal }),
    ]) {
      const controller = new AbortController();
      const reason = new Error('enough');
      const running = call(controller.signal);
      controller.abort(reason);
      await expect(running).rejects.toBe(reason);
    }
    expect(timers.running).toEqual([]);
  });

  it('CON-7: asks afresh: a skill that comes later to a better source is served from there', async () => {
    const registry = new SkillRegistry({ label: 'project' });
    const provider = composeProviders([registry, sourceOf('acme', 'billing')]);
    expect((await provider.getSkill('billing'))?.body).toBe('acme/billing/-');
    registry.register(skillOf('project', 'billing'));
    expect((await provider.getSkill('billing'))?.body).toBe('project/billing/-');
    expect(await readText(provider, 'billing', 'only-in-project.txt')).toBe('project/billing/-');
  });

  it('CON-7: diagnostics of the sources stand behind their labels, and one that fails hides no other', async () => {
    const note = { code: 'x', severity: 'warning', message: 'Odd.', skill: 'billing' } as const;
    const talking = sourceOf('talks', 'billing');
    const talks: SkillProvider = { ...talking, listSkills: async () => ({ ...(await talking.listSkills()), diagnostics: [note] }) };
    const fails: SkillProvider = { ...sourceOf('fails', 'search'), listSkills: () => Promise.reject(new Error('no')) };
    expect((await composeProviders([talks, fails]).listSkills()).diagnostics).toEqual([
      expect.objectContaining({ code: 'source-failed', severity: 'error' }),
      { ...note, message: 'talks: Odd.' },
    ]);
  });

  it('GOV-6: composing gives no trust and takes none', async () => {
    const provider = composeProviders([
      new SkillRegistry({ skills: [skillOf('a', 'one')], label: 'a' }),
      new SkillRegistry({ skills: [skillOf('b', 'two')], label: 'b', trusted: false }),
      {
        ...sourceOf('c'),
        listSkills: async () => ({
          skills: [{ name: 'three', description: 'No origin.', version: null }],
          diagnostics: [],
          complete: true,
        }),
      },
    ]);
    expect((await provider.listSkills()).skills.map(({ name, origin }) => [name, origin?.trusted])).toEqual([
      ['one', true],
      ['three', false],
      ['two', false],
    ]);
  });

  it('CON-7: a conversation goes on with the sources that are left', async () => {
    const crm = switchedSource(sourceOf('crm', 'leads'));
    const skillset = createSkillset({ provider: composeProviders([sourceOf('project', 'billing'), crm.provider]) });
    const session = await skillset.open();
    const [load] = session.tools;
    crm.down = new Error('connection reset');
    expect((await load?.execute({ name: 'billing' }, { state: session.state([]) }))?.text).toContain('project/billing/-');
    const failed = await load?.execute({ name: 'leads' }, { state: session.state([]) });
    expect(failed?.error?.code).toBe('source-unavailable');
    expect(failed?.text).toContain('connection reset');
  });
});

describe('composeProviders: watching and closing', () => {
  it('CON-3: merges the notices of its sources, one for a burst, and watches only while someone listens', async () => {
    const [one, two] = [new SkillRegistry({ label: 'one' }), new SkillRegistry({ label: 'two' })];
    let watchers = 0;
    const counted: SkillProvider = {
      ...sourceOf('counted'),
      watch: () => {
        watchers += 1;
        return () => void (watchers -= 1);
      },
    };
    const provider = composeProviders([one, two, counted, sourceOf('still')]);
    let heard = 0;
    const [end, endOther] = [provider.watch?.(() => (heard += 1)), provider.watch?.(() => undefined)];
    expect(watchers).toBe(1);
    one.register(skillOf('one', 'a'));
    two.register(skillOf('two', 'b'));
    await new Promise((resolve) => setImmediate(resolve));
    expect(heard).toBe(1);
    end?.();
    end?.();
    expect(watchers).toBe(1);
    endOther?.();
    expect(watchers).toBe(0);
    one.clear();
    await new Promise((resolve) => setImmediate(resolve));
    expect(heard).toBe(1);
  });

  it('CON-3: closes every source, also where one of them fails to, and then answers nothing', async () => {
    const closed: string[] = [];
    const closing = (label: string, error?: Error): SkillProvider => ({
      ...sourceOf(label, label),
      [Symbol.asyncDispose]: async () => {
        closed.push(label);
        if (error !== undefined) throw error;
      },
    });
    const provider = composeProviders([closing('a', new Error('stuck')), closing('b'), sourceOf('c')]);
    await expect(provider[Symbol.asyncDispose]?.()).rejects.toMatchObject({
      code: 'source-unavailable',
      message: expect.stringContaining('stuck') as string,
    });
    expect(closed).toEqual(['a', 'b']);
    await expect(provider.listSkills()).rejects.toMatchObject({ code: 'source-unavailable' });
  });
});
