import { skillsMiddleware } from '@repertoire/adapter-langchain';
import { aiSdkSkills } from '@repertoire/adapter-vercel-ai';
import { createSkillSearch } from '@repertoire/skill-search';
import {
  createSkillset,
  emptySkillState,
  skillDiscovery,
  SkillRegistry,
  type SkillDiagnostic,
  type SkillProvider,
} from '@repertoire/skills-core';
import { fixedSkillProvider } from '@repertoire/skills-core/internal';
import { scriptedModel, type ScriptedModelCall } from '@repertoire/skills-testkit/ai-sdk';
import { scriptedModel as scriptedChatModel } from '@repertoire/skills-testkit/langchain';
import { generateText, isStepCount } from 'ai';
import { createAgent } from 'langchain';
import { describe, expect, it } from 'vitest';

const trades = ['Carpenters', 'Bakers', 'Dentists', 'Florists', 'Gardeners', 'Jewelers', 'Mechanics', 'Notaries', 'Plumbers', 'Roofers'];
const works = ['quotes', 'permits', 'invoices', 'schedules', 'complaints', 'audits', 'contracts', 'hiring', 'taxes', 'newsletters'];
const countries = ['Austria', 'Belgium', 'Chile', 'Denmark', 'Estonia', 'France', 'Ghana', 'Hungary', 'Iceland', 'Japan'];
const skills = trades.flatMap((trade) =>
  works.flatMap((work) =>
    countries.map((country) => ({
      name: `${trade}-${work}-${country}`.toLowerCase(),
      description: `Prepares the ${work} of ${trade.toLowerCase()} in ${country}, by the rules of that country. Use when ${work} for ${trade.toLowerCase()} in ${country} are due.`,
      body: `Rules for ${work}: register with the office of ${country}, chapter ${trade.length * work.length}.`,
    })),
  ),
);

/** The last result of a tool that the model read. */
function lastResult({ prompt }: ScriptedModelCall): string {
  const results = prompt.flatMap((message) => (message.role === 'tool' ? message.content : []));
  return JSON.stringify(results.at(-1));
}

describe('DIS-14: an agent with a thousand skills', () => {
  it('reads a short prompt, finds the skill for its task, and loads it', async () => {
    expect(skills).toHaveLength(1_000);
    const provider = new SkillRegistry({ skills });
    using search = createSkillSearch(provider);
    const skillset = createSkillset({ provider, discovery: skillDiscovery(search, { alwaysListed: ['bakers-quotes-france'] }) });
    const agent = await aiSdkSkills(skillset);
    const model = scriptedModel((call, index) => {
      if (index === 0)
        return { toolCalls: [{ toolName: 'search_skills', input: { query: 'A dentist in Iceland complains about …: complaints' } }] };
      if (index === 1) {
        const name = /<skill name=\\"([^\\]+)\\"/.exec(lastResult(call))?.[1];
        return { toolCalls: [{ toolName: 'load_skill', input: { name } }] };
      }
      return { text: lastResult(call).includes('office of Iceland') ? 'Registered.' : 'Lost.' };
    });
    const { text } = await generateText({ model, prompt: 'Handle this complaint.', stopWhen: isStepCount(5), ...agent.agentSettings() });
    expect(text).toBe('Registered.');
    const [first, , third] = model.calls;
    const system = first!.prompt.flatMap((message) => (message.role === 'system' ? [message.content] : [])).join('\n');
    expect(system).toContain('bakers-quotes-france');
    expect(system).toContain('999 skills are not listed here');
    expect(system.length).toBeLessThan(1_500);
    expect(first?.tools?.map(({ name }) => name)).toEqual(['load_skill', 'search_skills', 'read_skill_file']);
    expect(lastResult(third!)).toContain('skill_content name=\\"dentists-complaints-iceland\\"');
  });

  it('does so in LangChain as well', async () => {
    const provider = new SkillRegistry({ skills });
    using search = createSkillSearch(provider);
    const skillset = createSkillset({ provider, discovery: skillDiscovery(search) });
    const model = scriptedChatModel([
      { toolCalls: [{ toolName: 'search_skills', input: { query: 'taxes of florists in Ghana', limit: 1 } }] },
      { toolCalls: [{ toolName: 'load_skill', input: { name: 'florists-taxes-ghana' } }] },
      { text: 'Done.' },
    ]);
    const agent = createAgent({ model, middleware: [skillsMiddleware(skillset)] });
    const { messages } = await agent.invoke({ messages: [{ role: 'user', content: 'Taxes, please.' }] });
    const [found, loaded] = messages.flatMap((message) => (message.type === 'tool' ? [message.text] : []));
    expect(found).toContain('<skill name="florists-taxes-ghana" found="taxes (');
    expect(loaded).toContain('office of Ghana');
  });

  it('sees the skills of its tenant only, over one search for all', async () => {
    const provider = new SkillRegistry({ skills });
    using search = createSkillSearch(provider);
    const skillset = createSkillset<{ readonly country: string }>({
      provider,
      discovery: skillDiscovery(search),
      audience: { select: ({ name }, { country }) => name.endsWith(country) },
    });
    for (const country of ['japan', 'ghana']) {
      const session = await skillset.open({ context: { country } });
      const tool = session.tools.find(({ role }) => role === 'search');
      const { text } = (await tool?.execute({ query: 'taxes of roofers in Estonia', limit: 20 }, { state: emptySkillState })) ?? {
        text: '',
      };
      const names = Array.from(text.matchAll(/<skill name="([^"]+)"/g), ([, name]) => name ?? '');
      expect(names[0]).toBe(`roofers-taxes-${country}`);
      // Ten of roofers and ten of taxes, one of which is both: more than half of what is found are
      // skills of others.
      expect(names).toHaveLength(19);
      expect(names.filter((name) => !name.endsWith(country))).toEqual([]);
    }
  });

  it('is told while the instructions are still being read, and when a source is down', async () => {
    const diagnostics: SkillDiagnostic[] = [];
    const inner = fixedSkillProvider(skills.slice(0, 50));
    let isDown = false;
    const provider: SkillProvider = {
      ...inner,
      listSkills: async (options) => {
        if (isDown) throw new Error('/mnt/skills is gone');
        return await inner.listSkills(options);
      },
      readResource: async () => await new Promise(() => {}),
    };
    using search = createSkillSearch(provider, { maxWaitMs: 1, staleAfterMs: 0 });
    const skillset = createSkillset({
      provider,
      discovery: skillDiscovery(search),
      onDiagnostic: (diagnostic) => diagnostics.push(diagnostic),
    });
    const session = await skillset.open();
    const find = async () => {
      const tool = session.tools.find(({ role }) => role === 'search');
      return (await tool?.execute({ query: 'permits in Chile' }, { state: emptySkillState }))?.text ?? '';
    };
    const early = await find();
    expect(early).toContain('<skill name="carpenters-permits-chile"');
    expect(early).toContain('Not every skill has been read for the search yet');
    expect(diagnostics.map(({ code }) => code)).toContain('search-index-incomplete');
    isDown = true;
    using other = createSkillSearch(provider, { maxWaitMs: 1 });
    const broken = createSkillset({
      provider: inner,
      discovery: skillDiscovery(other),
      onDiagnostic: (diagnostic) => diagnostics.push(diagnostic),
    });
    const tool = (await broken.open()).tools.find(({ role }) => role === 'search');
    const answer = await tool?.execute({ query: 'permits in Chile' }, { state: emptySkillState });
    expect(answer?.text).toContain('The search for skills does not work now.');
    expect(answer?.text).not.toContain('/mnt');
    expect(diagnostics.at(-1)).toMatchObject({ code: 'search-failed', severity: 'error' });
  });
});
