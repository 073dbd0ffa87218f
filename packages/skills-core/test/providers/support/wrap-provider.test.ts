import { selectSkills, SkillRegistry, type SkillProvider } from '@repertoire/skills-core';
import { fixedSkillProvider } from '@repertoire/skills-core/internal';
import { wrapProvider } from '@repertoire/skills-core/provider';
import { describe, expect, it } from 'vitest';

const tool = { run: () => 'paid' };
const billing = { name: 'billing', description: 'Refunds.', body: 'Go.', tools: ['pay'], toolSet: { pay: tool } };

/** Only the methods, as a wrapper that changes nothing has them. */
const same = ({ listSkills, getSkill, readResource }: SkillProvider) => ({ listSkills, getSkill, readResource });

describe('wrapProvider', () => {
  it('GOV-11: forwards everything that it does not change, of an instance of a class too', async () => {
    const registry = new SkillRegistry({ skills: [billing], label: 'shop' });
    const wrapped = wrapProvider(registry, {
      listSkills: (options) => registry.listSkills(options),
      getSkill: async () => null,
      readResource: async () => null,
    });
    expect([wrapped.label, wrapped.gatedTools?.(), wrapped.toolSet?.()]).toEqual(['shop', ['pay'], { pay: tool }]);
    expect(await wrapped.getSkill('billing')).toBeNull();
    const changed = new Promise<void>((resolve) => wrapped.watch?.(resolve));
    registry.clear();
    await changed;
    expect(wrapped.gatedTools?.()).toEqual([]);
  });

  it('CON-9: disposes of what it wraps, once for each call; a view does not', async () => {
    let disposals = 0;
    const source: SkillProvider = { ...fixedSkillProvider([billing]), [Symbol.asyncDispose]: async () => void (disposals += 1) };
    await wrapProvider(source, same(source))[Symbol.asyncDispose]?.();
    expect(disposals).toBe(1);
    expect(wrapProvider(source, same(source), { disposes: false })[Symbol.asyncDispose]).toBeUndefined();
    expect(selectSkills(source, () => true)[Symbol.asyncDispose]).toBeUndefined();
  });

  it('CON-9: asks for bytes along with a skill only where the wrapper says of what content they are', async () => {
    const source = fixedSkillProvider([billing]);
    const asked: unknown[] = [];
    const getSkill: SkillProvider['getSkill'] = async (_name, options) => (asked.push(options), null);
    await wrapProvider(source, { ...same(source), getSkill }).getSkill('billing', { version: null, withBytes: 1_000 });
    await wrapProvider(source, { ...same(source), getSkill, contentOf: async () => undefined }).getSkill('billing', { withBytes: 1_000 });
    expect(asked).toEqual([{ version: null }, { withBytes: 1_000 }]);
  });

  it('CON-9: has no member that the wrapped provider lacks', () => {
    const bare: SkillProvider = { label: 'bare', ...same(new SkillRegistry()) };
    expect(Object.keys(wrapProvider(bare, same(bare))).toSorted()).toEqual(['getSkill', 'label', 'listSkills', 'readResource']);
  });
});
