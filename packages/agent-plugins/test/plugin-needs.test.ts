import { createSkillset } from '@repertoire/skills-core';
import { describe, expect, it } from 'vitest';
import { memoryPluginFiles, pluginProvider, type PluginProvider } from '../src/index.ts';
import { manifestOf, skillOf } from './support/plugins.ts';

type Plugins = Readonly<Record<string, { readonly version?: string; readonly requires?: unknown; readonly skill?: string }>>;

function providerOf(plugins: Plugins, tools?: readonly string[]): PluginProvider {
  const files = Object.entries(plugins).flatMap(([name, { version, requires, skill = name }]) => [
    [
      `${name}/plugin.json`,
      manifestOf(name, {
        ...(version !== undefined && { version }),
        ...(requires !== undefined && { extensions: { 'dev.repertoire': { requires } } }),
      }),
    ],
    [`${name}/skills/${skill}/SKILL.md`, skillOf(skill).replace('---\n\n', 'version: 1.2.0\n---\n\n')],
  ]);
  return pluginProvider({
    roots: [{ files: memoryPluginFiles(Object.fromEntries(files) as Record<string, string>), name: 'all', trusted: true }],
    tools,
  });
}

async function problems(plugins: Plugins, tools?: readonly string[]): Promise<string[]> {
  const { diagnostics } = await providerOf(plugins, tools).listSkills();
  return diagnostics.map(({ code, message }) => `${code}: ${message}`);
}

describe('PLG-6: what plugins need', () => {
  it.each([
    ['nothing', {}, []],
    [
      'a tool that is not there',
      { tools: ['mail', 'sms'] },
      ['plugin-need-missing: Plugin "pay" needs the tool "sms", and the agent has none of that name.'],
    ],
    ['one of several tools', { tools: { any: ['mail', 'fax'] } }, []],
    [
      'one of tools of which none is there',
      { tools: { all: ['mail'], any: [['fax', 'sms']] } },
      ['plugin-need-missing: Plugin "pay" needs one of the tools "fax" or "sms", and the agent has none of them.'],
    ],
    ['a skill in range', { skills: { ledger: '^1.0' } }, []],
    [
      'a skill out of range',
      { skills: { ledger: '^2.0' } },
      ['plugin-need-missing: Plugin "pay" needs the skill "ledger" ^2.0, and there is only 1.2.0.'],
    ],
    ['a plugin', { plugins: ['ledger'] }, []],
    [
      'a plugin that is not there',
      { plugins: { gone: '*' } },
      ['plugin-need-missing: Plugin "pay" needs the plugin "gone" *, and there is none.'],
    ],
    [
      'a plugin in a range that nobody can read',
      { plugins: { ledger: 'soon' } },
      ['plugin-need-missing: Plugin "pay" needs the plugin "ledger" soon, and there is only 3.1.0.'],
    ],
    [
      'no old plugin beside it',
      { conflicts: { ledger: '<4' } },
      ['plugin-conflict: Plugin "pay" cannot be beside plugin "ledger" <4, which is here.'],
    ],
    ['something that nobody can read', { tools: 7 }, [expect.stringMatching(/^plugin-repertoire: Plugin "pay": requires/)]],
  ])('%s', async (_title, requires, expected) => {
    expect(await problems({ pay: { requires }, ledger: { version: '3.1.0' } }, ['mail'])).toEqual(expected);
  });

  it('tells of cycles once, and of needs when it lists', async () => {
    expect(
      await problems({
        a: { requires: { plugins: ['b'] } },
        b: { requires: { plugins: ['c', 'gone'] } },
        c: { requires: { plugins: ['a'] } },
      }),
    ).toEqual([
      'plugin-need-missing: Plugin "b" needs the plugin "gone" *, and there is none.',
      'plugin-need-cycle: Plugins need each other: a needs b needs c needs a.',
    ]);
  });

  it('is seen by missingTools of a skillset', async () => {
    const provider = providerOf({ pay: { requires: { tools: { all: ['mail'], any: ['sms', 'fax'] } } }, plain: {} });
    const skillset = createSkillset({ provider, gates: { missing: 'explain' } });
    const { catalog } = await skillset.open({ availableTools: ['mail'] });
    expect(catalog.skills.map(({ name, whenToUse }) => `${name}: ${whenToUse ?? ''}`)).toEqual([
      'pay: (Not usable here: it needs the tool sms or fax, which is missing.)',
      'plain: ',
    ]);
  });
});
