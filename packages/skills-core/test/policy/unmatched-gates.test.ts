import { createSkillset, defineSkill, SkillRegistry, type SkillDiagnostic } from '@repertoire/skills-core';
import { describe, expect, it } from 'vitest';

const skill = defineSkill({ name: 'refunds', description: 'Refunds.', body: 'Ask.', tools: ['send_invoice'] });
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

  it('GOV-1: a pattern or a name that nothing has is a warning that names the tools', async () => {
    expect(await codesOf(['bill_*', 'charge'], ['refund', 'lookup'])).toMatchObject([
      { severity: 'warning', message: expect.stringContaining('the pattern "bill_*"'), fix: expect.stringContaining('refund, lookup') },
      { severity: 'warning', message: expect.stringContaining('"charge"') },
    ]);
    expect(await codesOf(['refund', 'refunds'], ['refund'])).toMatchObject([{ severity: 'warning' }]);
  });

  it('GOV-1: a right name, a pattern that matches, and what a skill names are none; nor is anything without tools', async () => {
    expect(await codesOf(['refund', 'ref*'], ['refund'])).toEqual([]);
    expect(await codesOf(['send_invoice', 'send_*'], ['refund'])).toEqual([]);
    expect(await codesOf(['bill_*', 'charge'], [])).toEqual([]);
  });
});

it('CON-5: a resource that is no file is refused where it is defined', () => {
  const wrong = { name: 'a', description: 'A.', body: 'B', resources: { 'a.md': { content: 'x', description: 'what' } } } as never;
  expect(() => defineSkill(wrong)).toThrow('resource "a.md" must be text, bytes');
  expect(() => new SkillRegistry({ skills: [wrong] })).toThrow('must be text');
});
