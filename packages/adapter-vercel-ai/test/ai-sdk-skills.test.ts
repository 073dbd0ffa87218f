import { createSkillset, emptySkillState } from '@repertoire/skills-core';
import { loadedSkillNames } from '@repertoire/skills-core/adapter';
import { generateText, isStepCount, streamText, tool, ToolLoopAgent, type ModelMessage } from 'ai';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { aiSdkSkills } from '@repertoire/adapter-vercel-ai';
import { refundTools, skills as definitions } from './billing-skills.ts';
import { modelOf, toolNames, toolTexts, type Turn } from './model-of.ts';

const skillset = createSkillset({ skills: definitions });
const stopWhen = isStepCount(20);
const search_docs = tool({
  description: 'Searches.',
  inputSchema: z.object({ query: z.string() }),
  execute: async ({ query }) => `found ${query}`,
});

/** Loads the skill, reads its file, refunds, answers. */
const refund: Turn[] = [
  [['load_skill', { name: 'billing' }]],
  [['read_skill_file', { skill: 'billing', path: 'references/policy.md' }]],
  [['process_refund', { amount: 40 }]],
  'Refunded.',
];

describe('aiSdkSkills', () => {
  it('ADP-4: generateText: the catalog is in the instructions, the body and the file come as plain text, the tool runs', async () => {
    const { ran, tools } = refundTools();
    const skills = await aiSdkSkills(skillset, { tools });
    const model = modelOf(refund);
    const result = await generateText({
      model,
      prompt: 'I want my money back.',
      instructions: skills.instructions('You are kind.'),
      tools: { ...skills.tools, search_docs },
      prepareStep: skills.prepareStep,
      stopWhen,
    });

    expect(result.text).toBe('Refunded.');
    expect(ran).toEqual([40]);
    const [first, second, third] = model.calls;
    expect(first?.prompt[0]).toMatchObject({ role: 'system', content: `You are kind.\n\n${skills.session.catalog.text}` });
    expect(toolNames(first!)).toEqual(['load_skill', 'read_skill_file', 'unload_skill', 'process_refund', 'lookup_order', 'search_docs']);
    expect(toolTexts(second!)).toEqual([
      expect.stringMatching(
        /^text: <skill_content name="billing" source="code" revision="[\w-]{22}">\n# Billing\n[^]*references\/policy\.md\n/,
      ),
    ]);
    expect(toolTexts(third!)).toEqual([expect.stringContaining('Refund at most 100 without a manager.')]);
    expect(loadedSkillNames(skills.state(result.responseMessages))).toEqual(['billing']);
  });

  it('ADP-4: streamText does the same', async () => {
    const { ran, tools } = refundTools();
    const skills = await aiSdkSkills(skillset, { tools });
    const result = streamText({ model: modelOf(refund), prompt: 'Money!', stopWhen, ...skills.agentSettings() });
    expect(await result.text).toBe('Refunded.');
    expect(ran).toEqual([40]);
    expect(loadedSkillNames(skills.state(await result.responseMessages))).toEqual(['billing']);
  });

  it('ADP-4: ToolLoopAgent does the same, and keeps it over requests in nothing but the messages', async () => {
    const { ran, tools } = refundTools();
    const agentOf = async (turns: Turn[]) => {
      const skills = await aiSdkSkills(skillset, { tools });
      return new ToolLoopAgent({
        model: modelOf(turns),
        ...skills.agentSettings({ instructions: 'You are kind.', tools: { search_docs } }),
      });
    };
    const messages: ModelMessage[] = [{ role: 'user', content: 'Money!' }];
    messages.push(...(await (await agentOf(refund)).generate({ messages })).responseMessages, { role: 'user', content: 'And again.' });
    // JSON, as a database or a browser would hand it back to another server.
    const restored = JSON.parse(JSON.stringify(messages)) as ModelMessage[];
    const again = await (
      await agentOf([
        [
          ['process_refund', { amount: 41 }],
          ['load_skill', { name: 'billing' }],
        ],
        'Done.',
      ])
    ).generate({ messages: restored });
    expect(ran).toEqual([40, 41]);
    expect(again.toolResults.map(({ output }) => output)).toEqual([{ refunded: 41 }, expect.stringContaining('already active')]);
  });

  it("ADP-4: the types of the host's tools are kept", async () => {
    const { tools } = refundTools();
    const skills = await aiSdkSkills(skillset, { tools });
    const result = await generateText({ model: modelOf(refund), prompt: 'Money!', tools: { ...skills.tools, search_docs }, stopWhen });
    const amounts = result.toolResults.flatMap((part): number[] =>
      !part.dynamic && part.toolName === 'process_refund' ? [part.output.refunded] : [],
    );
    expect(amounts).toEqual([40]);
  });

  it('ADP-4: the calls of the skill tools tell what they are, under any name', async () => {
    const renamed = createSkillset({ skills: definitions, surface: { names: { load: 'learn' } } });
    const { tools } = await aiSdkSkills(renamed);
    const { toolCalls } = await generateText({ model: modelOf([[['learn', { name: 'haiku' }]]]), prompt: 'Poem!', tools });
    expect(toolCalls).toMatchObject([{ toolName: 'learn', dynamic: true, toolMetadata: { repertoire: { role: 'load' } } }]);
  });

  it('DIS-1: without a skill there are no skill tools and no text', async () => {
    const { tools } = refundTools();
    const skills = await aiSdkSkills(createSkillset({ skills: [] }), { tools });
    expect(skills.tools).toEqual(tools);
    expect(skills.instructions()).toBe('');
    expect(skills.instructions('You are kind.')).toBe('You are kind.');
  });

  it('DIS-11: the catalog may stand in the description of the load tool instead', async () => {
    const skills = await aiSdkSkills(createSkillset({ skills: definitions, surface: { mode: 'tool-only' } }));
    const model = modelOf(['Done.']);
    await generateText({ model, prompt: 'Money!', ...skills.agentSettings({ instructions: 'You are kind.' }) });
    const [{ prompt, tools = [] } = { prompt: [] }] = model.calls;
    expect(prompt[0]).toEqual({ role: 'system', content: 'You are kind.' });
    expect(tools[0]).toMatchObject({ name: 'load_skill', description: expect.stringContaining('Use when a customer asks about money.') });
  });

  it('DIS-9: arguments reach the instructions, and the state', async () => {
    const issue = createSkillset({
      skills: [{ name: 'fix', description: 'Fixes. Use for issues.', body: 'Fix issue $0 with priority $1.' }],
    });
    const skills = await aiSdkSkills(issue);
    const { toolResults, responseMessages } = await generateText({
      model: modelOf([[['load_skill', { name: 'fix', arguments: '7 "very high"' }]]]),
      prompt: 'x',
      tools: skills.tools,
    });
    expect(String(toolResults[0]?.output)).toContain('Fix issue 7 with priority very high.');
    expect(skills.state(responseMessages).loaded['fix']).toMatchObject({ arguments: '7 "very high"' });
  });

  it('DIS-3: a skill that does not exist is an answer, loads nothing, and the loop goes on', async () => {
    const skills = await aiSdkSkills(skillset);
    const model = modelOf([[['load_skill', { name: 'biling' }]], 'Sorry.']);
    const result = await generateText({ model, prompt: 'Money!', tools: skills.tools, stopWhen });
    expect(toolTexts(model.calls[1]!)).toEqual([expect.stringMatching(/^text: Error \(skill-not-found\).*Did you mean "billing"/)]);
    expect(skills.state(result.responseMessages)).toEqual(emptySkillState);
    expect(result.text).toBe('Sorry.');
  });

  it('DIS-1: the catalog is read once; one that was read before can be given', async () => {
    let reads = 0;
    const counting = createSkillset({
      provider: { ...skillset.provider, listSkills: (options) => ((reads += 1), skillset.provider.listSkills(options)) },
    });
    const first = await aiSdkSkills(counting);
    await generateText({ model: modelOf(refund), prompt: 'Money!', ...first.agentSettings(), stopWhen: isStepCount(2) });
    const second = await aiSdkSkills(counting, { session: first.session });
    expect(reads).toBe(1);
    expect(second.instructions()).toBe(first.instructions());
  });

  it('ADP-5: instructions, tools and earlier messages stay the same to the byte while a skill loads and opens a tool', async () => {
    const skills = await aiSdkSkills(skillset, { tools: refundTools().tools });
    const model = modelOf(refund);
    await generateText({
      model,
      prompt: 'Money!',
      stopWhen,
      ...skills.agentSettings({ instructions: 'You are kind.', tools: { search_docs } }),
    });
    const requests = model.calls.map(({ prompt, tools }) => ({
      tools: JSON.stringify(tools),
      prompt: prompt.map((message) => JSON.stringify(message)),
    }));
    expect(requests).toHaveLength(4);
    for (const [index, request] of requests.entries()) {
      const previous = requests[index - 1] ?? request;
      expect(request.tools).toBe(previous.tools);
      expect(request.prompt.slice(0, previous.prompt.length)).toEqual(previous.prompt);
    }
  });

  it('GOV-10: one object serves two conversations at once, and neither sees the other', async () => {
    const { ran, tools } = refundTools();
    const skills = await aiSdkSkills(skillset, { tools });
    const settings = skills.agentSettings();
    const [loads, doesNot] = await Promise.all([
      generateText({ model: modelOf(refund), prompt: 'Money!', stopWhen, ...settings }),
      generateText({
        model: modelOf([[['lookup_order', { id: '1' }]], [['lookup_order', { id: '2' }]], [['process_refund', { amount: 99 }]], 'No.']),
        prompt: 'Money!',
        stopWhen,
        ...settings,
      }),
    ]);
    expect(ran).toEqual([40]);
    expect(loadedSkillNames(skills.state(loads.responseMessages))).toEqual(['billing']);
    expect(skills.state(doesNot.responseMessages)).toEqual(emptySkillState);
  });

  it('CON-1: an abort reaches the source and ends the call with its reason', async () => {
    const controller = new AbortController();
    const reason = new Error('the user left');
    const seen: (AbortSignal | undefined)[] = [];
    const slow = createSkillset({
      provider: {
        ...skillset.provider,
        getSkill: (_name, options) => {
          seen.push(options?.signal);
          const { promise, reject } = Promise.withResolvers<never>();
          options?.signal?.addEventListener('abort', () => reject(reason));
          controller.abort(reason);
          return promise;
        },
      },
    });
    const skills = await aiSdkSkills(slow);
    const call = generateText({ model: modelOf(refund), prompt: 'Money!', stopWhen, tools: skills.tools, abortSignal: controller.signal });
    await expect(call).rejects.toBe(reason);
    expect(seen).toEqual([expect.objectContaining({ aborted: true })]);
    await expect(aiSdkSkills(skillset, { signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
  });

  it("DIS-8: a host's tool may not have the name of a skill tool", async () => {
    const load_skill = search_docs;
    const reserved = expect.objectContaining({ code: 'reserved-tool-name' });
    await expect(aiSdkSkills(skillset, { tools: { load_skill } })).rejects.toEqual(reserved);
    await expect(aiSdkSkills(skillset, { otherTools: ['load_skill'] })).rejects.toEqual(reserved);
    const skills = await aiSdkSkills(skillset);
    expect(() => skills.agentSettings({ tools: { load_skill } })).toThrow(reserved);
  });
});

describe("the host's context", () => {
  it('CON-7: selects the skills of a request', async () => {
    const byTenant = createSkillset<{ readonly poet: boolean }>({
      skills: definitions,
      audience: { select: ({ name }, { poet }) => name !== 'haiku' || poet },
    });
    const names = async (poet: boolean) =>
      (await aiSdkSkills(byTenant, { context: { poet } })).session.catalog.skills.map(({ name }) => name);
    expect(await names(true)).toEqual(['billing', 'haiku']);
    expect(await names(false)).toEqual(['billing']);
  });

  it('GOV-8: a skill whose tools the session does not have can be hidden', async () => {
    const careful = createSkillset({ skills: definitions, gates: { missing: 'hide' } });
    const names = async (options: Parameters<typeof aiSdkSkills>[1]) =>
      (await aiSdkSkills(careful, options)).session.catalog.skills.map(({ name }) => name);
    expect(await names({ tools: refundTools().tools })).toEqual(['billing', 'haiku']);
    expect(await names({})).toEqual(['haiku']);
  });
});
