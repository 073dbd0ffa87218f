import { createSkillset, defineSkill, emptySkillState } from '@repertoire/skills-core';
import { defaultSkillToolNames } from '../../src/prompt/tool-names.ts';
import { describe, expect, it } from 'vitest';

/** Names that no text has by chance. */
const names = Object.fromEntries(Object.keys(defaultSkillToolNames).map((role) => [role, `own_${role.toLowerCase()}`]));
const usualName = new RegExp(`\\b(?:${Object.values(defaultSkillToolNames).join('|')})\\b`);

const visible = [
  defineSkill({ name: 'orders', description: 'Finds orders.', body: 'Find it.', resources: { 'references/states.md': 'Open, closed.' } }),
  defineSkill({ name: 'billing', description: 'Refunds money.', body: 'Refund it.', tools: ['refund'] }),
];
const closed = defineSkill({ name: 'closed', description: 'For people.', body: 'Closed.', disableModelInvocation: true });

describe('DIS-1: a prompt names no tool that is not there', () => {
  const modes = ['system-prompt', 'tool-only', 'both'] as const;
  const cases = [0, 1, 2].flatMap((count) => (['progressive', 'full'] as const).map((tools) => ({ count, tools })));

  it.each(cases)('DIS-1: with $count visible skills and $tools tools', async ({ count, tools }) => {
    for (const mode of modes) {
      for (const unload of [true, false]) {
        const skillset = createSkillset({ skills: [...visible.slice(0, count), closed], surface: { tools, mode, unload, names } });
        const session = await skillset.open();
        const texts = [session.instructions('Base.'), JSON.stringify(session.tools)];
        for (const { name } of visible.slice(0, count))
          for (const wanted of [name, 'none']) texts.push((await session.load({ name: wanted }, { state: emptySkillState })).text);
        for (const tool of session.tools) texts.push((await tool.execute({}, { state: emptySkillState })).text);
        const there = new Set(session.tools.map(({ name }) => name));
        for (const text of texts) {
          for (const [name] of text.matchAll(/\bown_[a-z]+/g)) expect(there, `${mode}: ${text}`).toContain(name);
          expect(text).not.toMatch(usualName);
        }
      }
    }
  });

  it('DIS-1: where people alone start skills, the tool that reads their files is described without the one that loads', async () => {
    const { tools } = await createSkillset({ skills: [closed] }).open();
    expect(tools.map(({ name, description }) => [name, description])).toEqual([
      ['read_skill_file', 'Reads a file of a skill. Long files come in parts; ask for the next lines with startLine.'],
    ]);
  });
});
