import { SkillError, type SkillDefinition, type SkillProvider } from '@repertoire/skills-core';
import { fixedSkillProvider } from '@repertoire/skills-core/internal';
import { scriptedSkillProvider } from '@repertoire/skills-testkit';
import { testSkillProvider } from '@repertoire/skills-testkit/vitest';
import { describe, expect, it } from 'vitest';
import { referenceConfig } from './reference-source.ts';

const haiku: SkillDefinition = {
  name: 'haiku',
  description: 'Writes haiku. Use for short poems.',
  body: 'Five, seven, five.',
  resources: { 'assets/moon.txt': 'moon' },
};

function scripted() {
  return scriptedSkillProvider(fixedSkillProvider([haiku]));
}

describe('CON-4: scriptedSkillProvider', () => {
  it('passes calls on and records them, with their arguments', async () => {
    const provider = scripted();
    await provider.listSkills();
    expect((await provider.getSkill('haiku', { version: undefined }))?.body).toBe('Five, seven, five.');
    expect((await provider.readResource('haiku', 'assets/moon.txt', { maxBytes: 2 }))?.bytes).toEqual(new TextEncoder().encode('mo'));
    expect(provider.calls).toEqual([
      { method: 'listSkills', arguments: [] },
      { method: 'getSkill', arguments: ['haiku', { version: undefined }] },
      { method: 'readResource', arguments: ['haiku', 'assets/moon.txt', { maxBytes: 2 }] },
    ]);
  });

  it('fails the next calls in turn, of the method that was named', async () => {
    const provider = scripted();
    const [first, second] = [new SkillError('timeout', 'Too slow.'), new Error('Broken.')];
    provider.failNext('getSkill', first);
    provider.failNext('getSkill', second);
    await expect(provider.listSkills()).resolves.toMatchObject({ skills: [{ name: 'haiku' }] });
    await expect(provider.getSkill('haiku')).rejects.toBe(first);
    await expect(provider.getSkill('haiku')).rejects.toBe(second);
    await expect(provider.getSkill('haiku')).resolves.toMatchObject({ name: 'haiku' });
    expect(provider.calls).toHaveLength(4);
  });

  it('delays a call until the test says so, and no other', async () => {
    const provider = scripted();
    const { promise, resolve } = Promise.withResolvers<void>();
    provider.delayNext('listSkills', promise);
    const order: string[] = [];
    const delayed = provider.listSkills().then(() => order.push('delayed'));
    await provider.listSkills().then(() => order.push('later call'));
    resolve();
    await delayed;
    expect(order).toEqual(['later call', 'delayed']);
  });

  it('ends a delay by an abort', async () => {
    const provider = scripted();
    provider.delayNext('readResource', new Promise(() => undefined));
    const controller = new AbortController();
    const call = provider.readResource('haiku', 'assets/moon.txt', { signal: controller.signal });
    controller.abort('enough');
    await expect(call).rejects.toBe('enough');
  });

  it('has the abilities of the provider that it stands around, and only those', async () => {
    expect(Object.keys(scripted())).not.toContain('watch');
    expect(scripted()[Symbol.asyncDispose]).toBeUndefined();
    const { gatedTools: _gatedTools, ...plain } = fixedSkillProvider([haiku]);
    expect(Object.keys(scriptedSkillProvider(plain))).not.toContain('gatedTools');
    const whole: SkillProvider = { ...fixedSkillProvider([{ ...haiku, tools: ['write'] }]), watch: () => () => undefined };
    const provider = scriptedSkillProvider(whole);
    // A wrapper that forgot them would open what the host closed.
    expect(provider.gatedTools?.()).toEqual(['write']);
    expect(provider.watch?.(() => undefined)).toBeTypeOf('function');
  });
});

// Where nothing is scripted, it changes nothing.
testSkillProvider({ ...referenceConfig(scriptedSkillProvider), name: 'scriptedSkillProvider' });
