import { SkillToolset } from '@google/adk';
import { createSkillSearch } from '@repertoire/skill-search';
import { adkSkillRegistry, adkSkills, type AdkSkill } from '@repertoire/bridges/adk';
import { expect, it } from 'vitest';
import { testBridge, type OpenedBridge } from '../bridge-cases.ts';
import { openLibrary, type Caller } from '../library.ts';

interface Tool {
  readonly name: string;
  runAsync(request: object): Promise<unknown>;
}

async function drive(
  toolset: SkillToolset,
  list: (call: (tool: string, args: object) => Promise<unknown>) => Promise<readonly string[]>,
): Promise<OpenedBridge> {
  const tools = (await toolset.getTools()) as unknown as Tool[];
  let invocation = 0;
  const call = async (name: string, args: object): Promise<unknown> => {
    const tool = tools.find((candidate) => candidate.name === name);
    const state = new Map<string, unknown>();
    invocation += 1;
    const toolContext = {
      invocationId: String(invocation),
      invocationContext: { agent: { name: 'agent' } },
      state: { get: (key: string) => state.get(key), set: (key: string, value: unknown) => state.set(key, value) },
    };
    return tool?.runAsync({ args, toolContext });
  };
  const loaded = async (name: string): Promise<{ instructions?: string; resources?: AdkSkill['resources'] }> =>
    (await call('load_skill', { name })) as object;
  const readText = async (name: string, path: string): Promise<string | null> =>
    ((await call('load_skill_resource', { skill_name: name, path })) as { content?: string }).content ?? null;
  return {
    list: () => list(call),
    load: async (name) => (await loaded(name)).instructions ?? null,
    readText,
    readScript: readText,
    readBytes: async (name, path) => {
      const content = (await loaded(name)).resources?.assets[path.replace('assets/', '')];
      return typeof content === 'string' ? null : (content ?? null);
    },
  };
}

testBridge({
  name: 'Google ADK, skills of a toolset',
  isLive: false,
  async open({ skillset }, context) {
    const skills = await adkSkills(skillset, { context });
    return drive(new SkillToolset(skills), async (call) =>
      [...String(await call('list_skills', {})).matchAll(/<name>\s*([^<\s]+)\s*<\/name>/g)].map(([, name]) => name ?? ''),
    );
  },
});

testBridge({
  name: 'Google ADK, a registry',
  hasList: false,
  open({ skillset, provider }, context) {
    const registry = adkSkillRegistry<typeof context>(skillset, { context, search: createSkillSearch(provider, { staleAfterMs: 0 }) });
    // A registry has no list: each of the skills is asked for by its own words.
    const names = ['greetings', 'refunds', 'salaries', 'audit', 'returns'];
    return drive(new SkillToolset([], { registry }), async (call) => {
      const found = new Set<string>();
      for (const query of names) {
        const answer = (await call('search_skills', { query })) as { name: string }[] | { error: string };
        if (!Array.isArray(answer)) throw new Error(answer.error);
        for (const { name } of answer) found.add(name);
      }
      return [...found];
    });
  },
});

it('BRG-6: Google ADK searches what the context may see, and is told of files that it cannot have', async () => {
  await using library = await openLibrary();
  await library.write('refunds/notes.txt', 'Elsewhere.');
  const search = createSkillSearch(library.provider);
  const found = async (context?: { role: 'clerk' }) =>
    (await adkSkillRegistry<Caller | undefined>(library.skillset, { search, context }).searchSkills('pay salaries')).map(
      ({ name }) => name,
    );
  expect(await found()).not.toContain('salaries');
  expect(await found({ role: 'clerk' })).toContain('salaries');
  await adkSkills(library.skillset, { context: undefined });
  expect(library.diagnostics.filter(({ code }) => code === 'bridge-file-left-out').map(({ path }) => path)).toEqual(['notes.txt']);
});
