import { createSkillset, defineSkill, inCodeSkillProvider, type SkillDiagnostic } from '@repertoire/skills-core';
import { describe, expect, it } from 'vitest';

const skill = defineSkill({ name: 'refunds', description: 'Refunds.', body: 'Ask.' });
const codesOf = async (gatedTools: readonly string[], availableTools: readonly string[]) => {
  const told: SkillDiagnostic[] = [];
  const skillset = createSkillset({ skills: [skill], gates: { tools: gatedTools }, onDiagnostic: (diagnostic) => told.push(diagnostic) });
  await skillset.open({ availableTools });
  return told.filter(({ code }) => code === 'gate-without-tool');
};

describe('gates that protect no tool', () => {
  it('GOV-1: a misspelled name that leaves a tool open is an error with the name that was meant', async () => {
    expect(await codesOf(['refnd'], ['refund', 'lookup'])).toMatchObject([
      { severity: 'error', fix: expect.stringContaining('["refund"]') },
    ]);
  });

  it('GOV-1: a right name, a pattern, and a tool that may come later are none', async () => {
    expect(await codesOf(['refund', 'ref*'], ['refund'])).toEqual([]);
    expect(await codesOf(['send_invoice'], ['refund'])).toEqual([]);
    expect(await codesOf(['refund', 'refunds'], ['refund'])).toEqual([]);
  });
});

it('CON-5: a resource that is no file is refused where it is defined', () => {
  const wrong = { name: 'a', description: 'A.', body: 'B', resources: { 'a.md': { content: 'x', description: 'what' } } } as never;
  expect(() => defineSkill(wrong)).toThrow('resource "a.md" must be text, bytes');
  expect(() => inCodeSkillProvider([wrong])).toThrow('that is no file');
});
