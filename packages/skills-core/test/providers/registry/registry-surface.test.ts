import { createSkillset, defineSkill, emptySkillState, SkillRegistry } from '@repertoire/skills-core';
import { describe, expect, it } from 'vitest';

const base = { description: 'Does a thing. Use when a thing is wanted.', body: 'Do it.' };
const billing = defineSkill({ name: 'billing', ...base });

const whereOf = async (registry: SkillRegistry) => {
  const { catalog } = await createSkillset({ provider: registry }).open();
  return [catalog.text.includes('billing'), catalog.toolText.includes('billing')];
};

describe('the surface mode of a registry', () => {
  it('DIS-11: counts for skills that say nothing or auto, and for no other registry', async () => {
    expect(await whereOf(new SkillRegistry({ skills: [billing], surfaceMode: 'tool-only' }))).toEqual([false, true]);
    expect(await whereOf(new SkillRegistry({ skills: [{ ...billing, surfaceMode: 'auto' }], surfaceMode: 'tool-only' }))).toEqual([
      false,
      true,
    ]);
    expect(await whereOf(new SkillRegistry({ skills: [{ ...billing, surfaceMode: 'system-prompt' }], surfaceMode: 'tool-only' }))).toEqual([
      true,
      false,
    ]);
    expect(await whereOf(new SkillRegistry({ skills: [billing] }))).toEqual([true, false]);
  });

  it('DIS-11: auto means what the hint says', async () => {
    const of = (providerHint: string) => new SkillRegistry({ skills: [billing], surfaceMode: 'auto', providerHint });
    expect([await whereOf(of('anthropic')), await whereOf(of('openai'))]).toEqual([
      [true, true],
      [false, true],
    ]);
  });

  it('DIS-11: get and list give skills as they were registered', () => {
    const registry = new SkillRegistry({ skills: [billing], surfaceMode: 'tool-only' });
    expect([registry.get('billing'), registry.list()]).toEqual([billing, [billing]]);
  });

  it('CON-6: refuses options and modes that do not exist', () => {
    expect(() => new SkillRegistry({ surfacemode: 'both' } as never)).toThrow(expect.objectContaining({ code: 'invalid-options' }));
    expect(() => new SkillRegistry({ surfaceMode: 'prompt' as never })).toThrow(expect.objectContaining({ code: 'invalid-options' }));
  });
});

describe('toTools', () => {
  it('DIS-7: the tools see what the registry has when they are called', async () => {
    const registry = new SkillRegistry({ skills: [billing] });
    const { listSkills, loadSkill } = registry.toTools();
    registry.register(defineSkill({ name: 'refunds', ...base }));
    const context = { state: emptySkillState };
    expect((await listSkills!.execute({}, context)).text).toContain('refunds');
    registry.clear();
    const { text, error } = await loadSkill!.execute({ name: 'billing' }, context);
    expect([text, error?.code]).toEqual([expect.stringContaining('There is no skill any more'), 'skill-not-found']);
  });

  it('GOV-5: asks permissions', async () => {
    const { loadSkill } = new SkillRegistry({ skills: [billing] }).toTools({
      audience: { permissions: ({ action }) => action === 'list' },
    });
    expect((await loadSkill!.execute({ name: 'billing' }, { state: emptySkillState })).error?.code).toBe('permission-denied');
  });
});
