import { createSkillset, emptySkillState, skillDiscovery, type SkillsetOptions } from '@repertoire/skills-core';
import { defaultSkillToolNames } from '../../src/prompt/tool-names.ts';
import { describe, expect, it } from 'vitest';

/** Names that stand in no text by chance. */
const names = Object.fromEntries(Object.keys(defaultSkillToolNames).map((role) => [role, `tool_${role}`]));
const mentioned = (text: string) => [...new Set([...text.matchAll(/\btool_\w+/g)].map(([name]) => name))];

const skills = ['refunds', 'invoices'].map((name) => ({
  name,
  description: `Handles ${name}. Use for ${name}.`,
  body: `How ${name} are done.`,
  resources: { 'references/a.md': 'one\ntwo' },
}));
/** How many skills a model sees: none at all, one, one of two, one of them closed to models, and two. */
const libraries: Readonly<Record<string, Pick<SkillsetOptions, 'skills' | 'audience'>>> = {
  none: { skills: [] },
  one: { skills: skills.slice(0, 1) },
  'one of two': { skills, audience: { select: ({ name }) => name === 'refunds' } },
  'one, and one for people': { skills: [skills[0]!, { ...skills[1]!, disableModelInvocation: true }] },
  'one for people': { skills: [{ ...skills[0]!, disableModelInvocation: true }] },
  two: { skills },
};
const search = async () => ({ candidates: skills.map(({ name, description }) => ({ name, description })), mode: 'words' as const });
const discovery = () => skillDiscovery({ search } as never);

describe.each(Object.entries(libraries))('DIS-7 DIS-8: each tool that a model is told of is there: %s', (_, library) => {
  it.each(
    (['system-prompt', 'tool-only', 'both'] as const).flatMap((mode) =>
      (['progressive', 'full'] as const).flatMap((tools) =>
        (['plain', 'proactive', 'evaluate'] as const).map((guidance) => ({ mode, tools, guidance, finds: guidance === 'plain' })),
      ),
    ),
  )('$mode, $tools, $guidance, search: $finds', async ({ mode, tools, guidance, finds }) => {
    const session = await createSkillset({
      ...library,
      surface: { mode, tools, names },
      catalog: { guidance },
      ...(finds && { discovery: discovery() }),
      onDiagnostic: 'silent',
    }).open();
    const has = session.tools.map(({ name }) => name);
    const state = emptySkillState;
    const texts = [session.instructions('You help.'), ...session.tools.map(({ description }) => description)];
    for (const tool of session.tools) {
      const wrong = tool.role === 'search' ? { query: 'refunds' } : { name: 'refnds', skill: 'refnds', path: 'b.md' };
      texts.push((await tool.execute(wrong, { state })).text);
      texts.push((await tool.execute({ name: 'refunds', skill: 'refunds', path: 'b.md', query: 'x' }, { state })).text);
    }
    const loaded = await session.load({ name: 'refunds' }, { state });
    const known = session.apply(state, loaded.events);
    for (const tool of session.tools)
      texts.push((await tool.execute({ name: 'refunds', skill: 'refunds', path: 'b.md', query: 'x' }, { state: known })).text);
    expect(
      texts.flatMap(mentioned).filter((name) => !has.includes(name)),
      texts.join('\n'),
    ).toEqual([]);
  });
});
