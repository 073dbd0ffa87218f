import type { SkillProvider } from '@repertoire/skills-core';
import { describe, expect, it } from 'vitest';
import { composeProviders } from '../../../src/providers/compose/compose-providers.ts';
import { SkillRegistry } from '../../../src/skillset/skill-registry.ts';
import { readText, sourceOf } from './sources.ts';

const project = sourceOf('project', 'billing@1.0.0', 'shipping');
const acme = sourceOf('acme', 'billing@2.0.0', 'billing@1.0.0', 'crm');

async function listed(provider: SkillProvider): Promise<string[]> {
  return (await provider.listSkills()).skills.map(({ name, version, origin }) => `${name}@${version ?? '-'} of ${origin?.label}`);
}

/** What is said of names beside each other. Some break rules by themselves. */
async function collisionsIn(provider: SkillProvider) {
  return (await provider.listSkills()).diagnostics.filter(({ code }) => code.startsWith('skill-'));
}

describe('composeProviders: who has a name', () => {
  it('CON-7: `first` gives the name to the source that stands first, with all of its versions and none of another (ATK-107)', async () => {
    const provider = composeProviders([project, acme]);
    expect(await listed(provider)).toEqual(['billing@1.0.0 of project', 'crm@- of acme', 'shipping@- of project']);
    expect((await provider.getSkill('billing'))?.body).toBe('project/billing/1.0.0');
    expect(await provider.getSkill('billing', { version: '2.0.0' })).toBeNull();
    expect(await readText(provider, 'billing', 'mark.txt')).toBe('project/billing/1.0.0');
    // The file exists in the skill of that name of the other source; files of two skills never mix.
    expect(await readText(provider, 'billing', 'only-in-acme.txt')).toBeNull();
    expect(await readText(provider, 'billing', 'mark.txt', '2.0.0')).toBeNull();
    expect((await provider.getSkill('crm'))?.body).toBe('acme/crm/-');
    expect(await provider.getSkill('unknown')).toBeNull();
  });

  it('CON-7: `last` gives it to the source that stands last', async () => {
    const provider = composeProviders([project, acme], { onCollision: 'last' });
    expect(await listed(provider)).toEqual(['billing@2.0.0 of acme', 'billing@1.0.0 of acme', 'crm@- of acme', 'shipping@- of project']);
    expect((await provider.getSkill('billing'))?.body).toBe('acme/billing/2.0.0');
    expect(await readText(provider, 'billing', 'only-in-project.txt')).toBeNull();
  });

  it('CON-7: `rename` lists the others behind the label of their source, and serves them so', async () => {
    const provider = composeProviders([project, acme], { onCollision: 'rename' });
    expect(await listed(provider)).toEqual([
      'acme:billing@2.0.0 of acme',
      'acme:billing@1.0.0 of acme',
      'billing@1.0.0 of project',
      'crm@- of acme',
      'shipping@- of project',
    ]);
    const renamed = await provider.getSkill('acme:billing');
    expect(renamed).toMatchObject({ name: 'acme:billing', version: '2.0.0', body: 'acme/billing/2.0.0', origin: { label: 'acme' } });
    expect(await readText(provider, 'acme:billing', 'mark.txt', '1.0.0')).toBe('acme/billing/1.0.0');
    expect((await provider.listSkills()).diagnostics).toMatchObject([{ code: 'skill-renamed', severity: 'info', skill: 'acme:billing' }]);
  });

  it('CON-7: `error` serves nothing while two sources have a name, and names them', async () => {
    const provider = composeProviders([project, acme], { onCollision: 'error' });
    const collision = expect.objectContaining({
      code: 'duplicate-skill',
      skill: 'billing',
      message: expect.stringMatching(/"acme".*"project"/) as string,
    });
    await expect(provider.listSkills()).rejects.toEqual(collision);
    await expect(provider.getSkill('billing')).rejects.toEqual(collision);
    await expect(provider.readResource('crm', 'mark.txt')).rejects.toEqual(collision);
    expect((await provider.getSkill('acme:billing'))?.body).toBe('acme/billing/2.0.0');
    const apart = composeProviders([project, sourceOf('tools', 'search')], { onCollision: 'error' });
    expect(await listed(apart)).toEqual(['billing@1.0.0 of project', 'search@- of tools', 'shipping@- of project']);
    expect((await apart.getSkill('search'))?.body).toBe('tools/search/-');
  });

  it('CON-7: a hidden skill is reported with winner and loser, and can be reached by the label of its source', async () => {
    const provider = composeProviders([project, acme]);
    const diagnostics = (await provider.listSkills()).diagnostics;
    expect(diagnostics).toHaveLength(1);
    expect(diagnostics[0]).toMatchObject({ code: 'skill-shadowed', severity: 'warning', skill: 'billing' });
    expect(diagnostics[0]?.message).toBe('"billing" of "acme" is hidden by "billing" of "project". It can be reached as "acme:billing".');
    expect(await provider.getSkill('acme:billing')).toMatchObject({ name: 'acme:billing', body: 'acme/billing/2.0.0' });
    expect(await readText(provider, 'acme:billing', 'only-in-acme.txt')).toBe('acme/billing/2.0.0');
    expect(await provider.getSkill('project:billing')).toMatchObject({ name: 'project:billing', body: 'project/billing/1.0.0' });
    expect(await provider.getSkill('acme:shipping')).toBeNull();
    expect(await provider.getSkill('nobody:billing')).toBeNull();
  });

  it('CON-7: no source can take the address of another one’s skill', async () => {
    const provider = composeProviders([sourceOf('evil', 'project:billing', 'evil:x', 'harmless:name'), project], { onCollision: 'rename' });
    expect((await listed(provider)).map((line) => line.split('@')[0])).toEqual(['billing', 'harmless:name', 'shipping']);
    expect((await provider.getSkill('project:billing'))?.body).toBe('project/billing/1.0.0');
    expect((await provider.getSkill('evil:project:billing'))?.body).toBe('evil/project:billing/-');
    expect((await collisionsIn(provider)).map(({ code, severity, skill }) => [code, severity, skill])).toEqual([
      ['skill-name-reserved', 'error', 'evil:x'],
      ['skill-name-reserved', 'error', 'project:billing'],
    ]);
  });

  it.each([
    ['pdf-tools', 'PDF-tools', 'case'],
    ['pdf-tools', 'pdf_tools', 'separator'],
    ['pdf-tools', 'pdf-tools\u200B', 'a zero-width space'],
    ['pdf-tools', '\u{E0001}pdf-tools', 'a tag character'],
    ['pdf-tools', 'pdf-t\u00ADools', 'a soft hyphen'],
    ['pdf-tools', 'ｐｄｆ-tools', 'full-width letters'],
    ['office', 'oﬃce', 'a ligature'],
    ['pdf-tools', '\u0440df-tools', 'a Cyrillic letter'],
    ['coco', '\u0441\u043e\u0441\u043e', 'Cyrillic letters only'],
    ['pho', '\u03c1h\u03bf', 'Greek letters'],
    ['billing', 'bi11ing', 'digits'],
    ['modern', 'modem', 'two letters that look like one'],
  ])('CON-7: reports %j beside %j: %s (ATK-27)', async (first, second) => {
    const provider = composeProviders([sourceOf('one', first, 'other'), sourceOf('two', second)]);
    const diagnostics = await collisionsIn(provider);
    expect(diagnostics.map(({ code, severity }) => [code, severity])).toEqual([['skill-near-collision', 'warning']]);
    expect(diagnostics[0]?.message).toMatch(/"one"/);
    expect(diagnostics[0]?.message).toMatch(/"two"/);
    // What does not show is written out.
    expect(diagnostics[0]?.message).toMatch(/^[\x20-\x7E]+$/);
  });

  it('CON-7: names that can be told apart, and versions of one name, are no near collision', async () => {
    const names = ['pdfs', 'pdf2', '\u043f\u0434\u0444', 'r\u00e9port', '\u0440\u0435\u043f\u043e\u0440\u0442'];
    const provider = composeProviders([sourceOf('one', 'pdf', 'report@1.0.0', 'report@2.0.0'), sourceOf('two', ...names)]);
    expect(await collisionsIn(provider)).toEqual([]);
  });

  it('GOV-6: reports tools of two sources that are easily taken for one another, and not the same tool', async () => {
    const skillOf = (label: string, tools: readonly string[]) =>
      new SkillRegistry({ skills: [{ name: label, description: 'd', body: 'b', tools }], label });
    const provider = composeProviders([skillOf('own', ['process_refund', 'search']), skillOf('other', ['search', 'pr\u043ecess_refund'])]);
    expect((await provider.listSkills()).diagnostics).toEqual([
      {
        code: 'tool-near-collision',
        severity: 'warning',
        skill: 'own',
        message: '"process_refund" of "own", a tool that "own" names, is easily taken for "pr\\u{43e}cess_refund" of "other".',
        fix: 'Rename one of the two.',
      },
    ]);
  });

  it('CON-7: labels must be told apart', () => {
    const invalid = expect.objectContaining({ code: 'invalid-options' }) as Error;
    expect(() => composeProviders([sourceOf('a'), sourceOf('a')])).toThrow(invalid);
    expect(() => composeProviders([sourceOf('a'), sourceOf('a:b')])).toThrow(invalid);
    expect(() => composeProviders([sourceOf('')])).toThrow(invalid);
    for (const timeoutMs of [0, -1, Number.NaN, 2 ** 31]) expect(() => composeProviders([], { timeoutMs })).toThrow(invalid);
    expect(() => composeProviders([sourceOf('a'), sourceOf('ab')], { timeoutMs: Number.POSITIVE_INFINITY })).not.toThrow();
  });

  it('CON-7: refuses rules and options that do not exist', () => {
    const invalid = expect.objectContaining({ code: 'invalid-options' }) as Error;
    expect(() => composeProviders([sourceOf('a')], { onCollision: 'last-wins' as never })).toThrow(invalid);
    expect(() => composeProviders([sourceOf('a')], { beforeFirstAnswer: 'wait' as never })).toThrow(invalid);
    expect(() => composeProviders([sourceOf('a')], { onColision: 'last' } as never)).toThrow(invalid);
  });

  it('CON-7: a composition is a source of another one', async () => {
    const inner = composeProviders([project, acme], { label: 'inner', onCollision: 'rename' });
    const provider = composeProviders([sourceOf('own', 'billing'), inner], { onCollision: 'rename' });
    expect((await listed(provider)).map((line) => line.split('@')[0])).toEqual([
      'acme:billing',
      'acme:billing',
      'billing',
      'crm',
      'inner:billing',
      'shipping',
    ]);
    expect((await provider.getSkill('inner:billing'))?.body).toBe('project/billing/1.0.0');
    expect((await provider.getSkill('inner:acme:billing'))?.body).toBe('acme/billing/2.0.0');
    expect((await provider.getSkill('acme:billing'))?.body).toBe('acme/billing/2.0.0');
  });

  it('CON-7: nothing composed is an empty source', async () => {
    const provider = composeProviders([]);
    expect(await provider.listSkills()).toEqual({ skills: [], diagnostics: [], complete: true });
    expect(await provider.getSkill('a')).toBeNull();
    expect(provider.gatedTools?.()).toEqual([]);
    expect(provider.watch).toBeUndefined();
  });
});
