import { describe, expect, expectTypeOf, it } from 'vitest';
import { defineSkill, SkillError, SkillRegistry } from '@repertoire/skills-core';
import { skillErrorCodes } from '../../src/errors/skill-error.ts';

const valid = { name: 'billing', description: 'Refunds. Use when a customer asks about money.', body: 'Confirm the order id.' };

function errorOf(work: () => unknown): SkillError {
  try {
    work();
  } catch (error) {
    if (SkillError.isInstance(error)) return error;
    throw error;
  }
  throw new Error('nothing was thrown');
}

describe('defineSkill', () => {
  it('CON-5: gives back what it got, with its types as written', () => {
    const skill = defineSkill({ ...valid, tools: ['process_refund', 'lookup_order'], resources: { 'references/policy.md': '# Policy' } });
    expect(skill).toEqual({ ...valid, tools: ['process_refund', 'lookup_order'], resources: { 'references/policy.md': '# Policy' } });
    expectTypeOf(skill.tools).toEqualTypeOf<readonly ['process_refund', 'lookup_order']>();
    expectTypeOf(skill.name).toEqualTypeOf<string>();
    expect(Object.isFrozen(skill)).toBe(true);
  });

  it('GOV-1: takes tools themselves, in a list or by name, and keeps their types', () => {
    const refund = { name: 'process_refund', run: () => 1 };
    const listed = defineSkill({ ...valid, tools: [refund] });
    expect([listed.tools, listed.toolSet]).toEqual([['process_refund'], { process_refund: refund }]);
    // A tool of the AI SDK has no name of its own.
    const pay = { run: () => 1 };
    const named = defineSkill({ ...valid, tools: { pay } });
    expect([named.tools, named.toolSet]).toEqual([['pay'], { pay }]);
    expectTypeOf(named.toolSet.pay.run).toEqualTypeOf<() => number>();
    expectTypeOf(named.tools).toEqualTypeOf<readonly string[]>();
    expect(new SkillRegistry({ skills: [listed, { ...named, name: 'paying' }] }).toolSet?.()).toEqual({
      process_refund: refund,
      pay,
    });
    expect(defineSkill({ ...valid, tools: [] })).toEqual({ ...valid, tools: [] });
    for (const tools of ['pay', ['pay', refund], [{}], { pay: 'refund' }, { pay: refund }, [null], null])
      expect(() => defineSkill({ ...valid, tools: tools as never })).toThrow('tools must be a list of names');
  });

  it('CON-5: names every rule that is broken in one error, with a way out', () => {
    const error = errorOf(() =>
      defineSkill({ name: 'My_Skill', description: '', body: 'x', compatibility: '', resources: { '../secret': '', 'SKILL.md': '' } }),
    );
    expect(error.code).toBe('invalid-skill');
    expect(error.skill).toBe('My_Skill');
    for (const part of [
      'must be lowercase',
      '(try "my-skill")',
      'description must say',
      'compatibility must have',
      '"../secret"',
      'SKILL.md is made',
    ]) {
      expect(error.message).toContain(part);
    }
  });

  it.each([
    ['a body that is no text', { body: 42 as unknown as string }],
    ['a name that is no text', { name: 42 as unknown as string }],
  ])('CON-5: refuses %s', (_, change) => {
    expect(errorOf(() => defineSkill({ ...valid, ...change })).code).toBe('invalid-skill');
  });
});

describe('SkillError', () => {
  it('is known across copies of the package, and nothing else is', () => {
    const other = Object.defineProperty(new Error('from another copy'), Symbol.for('@repertoire/skills-core.SkillError'), { value: true });
    expect(SkillError.isInstance(other)).toBe(true);
    for (const value of [new Error('x'), null, undefined, 'x', { code: 'skill-not-found' }])
      expect(SkillError.isInstance(value)).toBe(false);
  });

  it('carries code, context and cause', () => {
    const cause = new Error('disk');
    const error = new SkillError('source-unavailable', 'down', { cause, source: 'fs', skill: 's', path: 'p' });
    expect(error).toMatchObject({
      name: 'SkillError',
      code: 'source-unavailable',
      message: 'down',
      source: 'fs',
      skill: 's',
      path: 'p',
      cause,
    });
    expect('cause' in new SkillError('timeout', 'late')).toBe(false);
  });

  it('has a meaning for each code, and pins the codes', () => {
    expect(Object.keys(skillErrorCodes)).toEqual([
      'invalid-options',
      'invalid-skill',
      'duplicate-skill',
      'skill-not-found',
      'resource-not-found',
      'invalid-path',
      'invalid-input',
      'skill-changed',
      'not-loaded',
      'needs-approval',
      'permission-denied',
      'reserved-tool-name',
      'limit-exceeded',
      'digest-mismatch',
      'signature-refused',
      'source-unavailable',
      'timeout',
      'unsupported',
      'invalid-agent',
      'agent-failed',
      'step-failed',
      'workflow-changed',
      'runner-failed',
      'conflict',
      'unexpected',
    ]);
    for (const meaning of Object.values(skillErrorCodes)) expect(meaning).toMatch(/^[A-Z].+\.$/);
  });
});
