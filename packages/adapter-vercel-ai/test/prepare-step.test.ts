import { createSkillset, defineSkill, emptySkillState, type SkillDiagnostic } from '@repertoire/skills-core';
import { loadedSkillNames } from '@repertoire/skills-core/adapter';
import { generateText, isStepCount, pruneMessages, ToolLoopAgent, type ModelMessage, type UIMessage } from 'ai';
import { describe, expect, it } from 'vitest';
import { aiSdkSkills, transcriptOfMessages } from '@repertoire/adapter-vercel-ai';
import type { ScriptedModelCall } from '@repertoire/skills-testkit/ai-sdk';
import { refundTools, skills as definitions } from './billing-skills.ts';
import { modelOf, toolTexts, type Turn } from './model-of.ts';

const stopWhen = isStepCount(20);
const load = ['load_skill', { name: 'billing' }] as const;
const unload = ['unload_skill', { name: 'billing' }] as const;
const lookup = ['lookup_order', { id: '1' }] as const;
const haiku = ['load_skill', { name: 'haiku' }] as const;

/**
 * How often the model reads the body of the skill in a request, and where: the indexes of the
 * messages.
 */
function placesOf(call: ScriptedModelCall, text = '# Billing'): number[] {
  return call.prompt.flatMap((message, index) => (JSON.stringify(message.content).includes(text) ? [index] : []));
}

function systemOf({ prompt }: ScriptedModelCall): string {
  return prompt.flatMap((message) => (message.role === 'system' ? [message.content] : [])).join('|');
}

describe('the model that a skill asks for', () => {
  const [billing] = definitions;
  const skillset = createSkillset({
    skills: [
      { ...billing!, model: 'careful' },
      defineSkill({ name: 'haiku', description: 'Writes haiku. Use when a poem is wanted.', body: 'Five.', model: 'unheard-of' }),
    ],
  });

  it('GOV-3: runs the steps while it is loaded, and no others', async () => {
    const careful = modelOf([[lookup], [unload]]);
    const usual = modelOf([[load], 'Done.']);
    const skills = await aiSdkSkills(skillset, { tools: refundTools().tools, models: { careful } });
    const { text } = await generateText({ model: usual, prompt: 'Money!', stopWhen, ...skills.agentSettings() });
    expect({ text, usual: usual.calls.length, careful: careful.calls.length }).toEqual({ text: 'Done.', usual: 2, careful: 2 });
  });

  it('GOV-3: a name that the host does not know is reported once and changes nothing; a function may know it', async () => {
    const diagnostics: SkillDiagnostic[] = [];
    const tools = { lookup_order: refundTools().tools.lookup_order };
    const skills = await aiSdkSkills(skillset, { tools, models: {}, onDiagnostic: (diagnostic) => diagnostics.push(diagnostic) });
    const model = modelOf([[haiku], [lookup], 'Done.']);
    await generateText({ model, prompt: 'Poem!', stopWhen, ...skills.agentSettings() });
    expect(model.calls).toHaveLength(3);
    expect(diagnostics).toEqual([expect.objectContaining({ code: 'unknown-model', message: expect.stringContaining('"unheard-of"') })]);

    const other = modelOf(['Done.']);
    const knowing = await aiSdkSkills(skillset, { tools, models: (name) => (name === 'unheard-of' ? other : undefined) });
    await generateText({ model: modelOf([[haiku]]), prompt: 'Poem!', stopWhen, ...knowing.agentSettings() });
    expect(other.calls).toHaveLength(1);
  });
});

describe('instructions that left the messages', () => {
  const skillset = createSkillset({ skills: definitions });
  const history = async (): Promise<ModelMessage[]> => {
    const skills = await aiSdkSkills(skillset, { tools: refundTools().tools });
    const prompt: ModelMessage = { role: 'user', content: 'Money!' };
    const { responseMessages } = await generateText({
      model: modelOf([[load], 'Which order?']),
      messages: [prompt],
      stopWhen,
      tools: skills.tools,
    });
    return [prompt, ...responseMessages, { role: 'user', content: 'Order 7.' }];
  };

  it('ADP-4, DIS-13: are restored after pruning, where the whole history tells the state; the tools stay open', async () => {
    const { ran, tools } = refundTools();
    const full = await history();
    const messages = pruneMessages({ messages: full, toolCalls: 'all' });
    expect(JSON.stringify(messages)).not.toContain('# Billing');
    const skills = await aiSdkSkills(skillset, { tools, state: { current: (await skillset.open()).state(transcriptOfMessages(full)) } });
    const model = modelOf([[['process_refund', { amount: 3 }]], 'Done.']);
    await generateText({ model, messages, stopWhen, ...skills.agentSettings() });
    expect(ran).toEqual([3]);
    // Before the first message of the model, at each step in the same place and once.
    expect(model.calls.map((call) => placesOf(call))).toEqual([[3], [3]]);
    expect(model.calls[0]!.prompt.map(({ role }) => role)).toEqual(['system', 'user', 'assistant', 'tool', 'assistant', 'user']);
    expect(loadedSkillNames(skills.state(messages))).toEqual(['billing']);
  });

  it('ADP-4: without that, pruning closes the tools, and loading again gives the whole text and opens them', async () => {
    const { ran, tools } = refundTools();
    const messages = pruneMessages({ messages: await history(), toolCalls: 'all' });
    const skills = await aiSdkSkills(skillset, { tools });
    const model = modelOf([[['process_refund', { amount: 3 }]], [load], [['process_refund', { amount: 4 }]], 'Done.']);
    await generateText({ model, messages, stopWhen, ...skills.agentSettings() });
    expect(ran).toEqual([4]);
    expect(placesOf(model.calls[2]!)).toHaveLength(1);
  });

  it('DIS-13: are cut to the room that there is, say so, and are not restored twice for it; or stay out where the host wants', async () => {
    const long = createSkillset({ skills: [{ ...definitions[0]!, body: `# Billing\n\n${'One more line of advice.\n'.repeat(400)}` }] });
    const state = { current: emptySkillState };
    const first = await aiSdkSkills(long, { state });
    await generateText({ model: modelOf([[load], 'Done.']), prompt: 'Money!', stopWhen, tools: first.tools });
    const run = async (restore: { perSkill: number } | false) => {
      const skills = await aiSdkSkills(long, { tools: refundTools().tools, state: { ...state }, restore });
      const model = modelOf([[lookup], [lookup], 'Done.']);
      await generateText({ model, prompt: 'Later.', stopWhen, ...skills.agentSettings() });
      return model.calls.map((call) => placesOf(call, 'The instructions are cut here'));
    };
    expect(await run({ perSkill: 200 })).toEqual([[3], [3], [3]]);
    expect(await run(false)).toEqual([[], [], []]);
  });
});

describe('instructions that were restored and are asked for again', () => {
  const asked = async (body: string): Promise<string[]> => {
    const one = createSkillset({ skills: [{ ...definitions[0]!, body }] });
    const state = { current: emptySkillState };
    const first = await aiSdkSkills(one, { state });
    await generateText({ model: modelOf([[load], 'Done.']), prompt: 'Money!', stopWhen, tools: first.tools });
    const model = modelOf([[load], 'Done.']);
    const skills = await aiSdkSkills(one, { tools: refundTools().tools, state, restore: { perSkill: 200 } });
    await generateText({ model, prompt: 'Later.', stopWhen, ...skills.agentSettings() });
    return toolTexts(model.calls[1]!);
  };

  it('ADP-6, DIS-13: come whole where they had to be cut, as they say themselves', async () => {
    const [text] = await asked(`# Billing\n\n${'One more line of advice.\n'.repeat(400)}The end.`);
    expect(text).toContain('The end.');
  });

  it('ADP-6, DIS-13: are not given twice where they stand there whole', async () => {
    expect(await asked('# Billing')).toEqual([
      'text: Skill "billing" is already active and unchanged: its instructions are above. Go on with them.',
    ]);
  });
});

describe('instructions that cannot be restored', () => {
  it('DIS-13: are reported, and the call goes on', async () => {
    const skillset = createSkillset({ skills: definitions });
    const provider = { ...skillset.provider, getSkill: async () => null };
    const loaded = { source: 'code', version: null, revision: '1', texts: [], sequence: 1, inContext: true };
    const diagnostics: SkillDiagnostic[] = [];
    const skills = await aiSdkSkills(createSkillset({ provider }), {
      state: { current: { loaded: { billing: loaded } } },
      onDiagnostic: (found) => diagnostics.push(found),
    });
    const { text } = await generateText({ model: modelOf([[haiku], 'Done.']), prompt: 'Money!', stopWhen, ...skills.agentSettings() });
    expect(text).toBe('Done.');
    expect(diagnostics).toEqual([expect.objectContaining({ code: 'skill-not-restored', skill: 'billing' })]);
  });
});

describe('a refresh policy', () => {
  const skillset = createSkillset({ skills: definitions, conversation: { refresh: { afterTokens: 200 } } });
  const talk: ModelMessage[] = Array.from({ length: 10 }, (_, index) => ({
    role: index % 2 === 0 ? 'user' : 'assistant',
    content: `${index}: ${'words '.repeat(40)}`,
  }));

  it('DIS-12, ADP-5: repeats the instructions where they are due, at the same places in every request: the prompt only grows', async () => {
    const skills = await aiSdkSkills(skillset, { tools: refundTools().tools });
    const prompt: ModelMessage = { role: 'user', content: 'Money!' };
    const loading = await generateText({ model: modelOf([[load], 'Go on.']), messages: [prompt], stopWhen, tools: skills.tools });
    const start = [prompt, ...loading.responseMessages];
    const requests: ScriptedModelCall[] = [];
    for (const length of [1, 5, 9]) {
      const model = modelOf([[lookup], 'Yes.']);
      await generateText({ model, messages: [...start, ...talk.slice(0, length)], stopWhen, ...skills.agentSettings() });
      requests.push(...model.calls);
    }
    const counts = requests.map((call) => placesOf(call).length);
    expect(counts[0]).toBe(1);
    expect(counts.at(-1)).toBeGreaterThan(1);
    expect(counts).toEqual(counts.toSorted((a, b) => a - b));
    const texts = requests.map(({ prompt: sent }) => sent.map((message) => JSON.stringify(message)));
    const firstOfEach = texts.filter((_, index) => index % 2 === 0);
    for (const [index, text] of firstOfEach.entries())
      expect(text.slice(0, firstOfEach[index - 1]?.length ?? 0)).toEqual(firstOfEach[index - 1] ?? []);
    for (const [index, text] of texts.entries())
      if (index % 2 === 1) expect(text.slice(0, texts[index - 1]!.length)).toEqual(texts[index - 1]);
  });

  it('DIS-12: never repeats what was unloaded, and nothing where no policy is', async () => {
    const skills = await aiSdkSkills(skillset, { tools: refundTools().tools });
    const model = modelOf([[load], [unload], 'Done.']);
    const prompt: ModelMessage = { role: 'user', content: 'Money!' };
    const { responseMessages } = await generateText({ model, messages: [prompt], stopWhen, ...skills.agentSettings() });
    const later = modelOf(['Yes.']);
    await generateText({ model: later, messages: [prompt, ...responseMessages, ...talk.slice(0, 5)], stopWhen, ...skills.agentSettings() });
    expect(placesOf(later.calls[0]!)).toHaveLength(1);

    const plain = await aiSdkSkills(createSkillset({ skills: definitions }));
    expect(await plain.prepareStep({ messages: [prompt, ...responseMessages, ...talk] })).toBeUndefined();
  });
});

describe("instructions: 'with-catalog'", () => {
  const skillset = createSkillset({ skills: definitions, surface: { instructions: 'with-catalog' } });

  it('DIS-11: the instructions stand once in the system prompt while the skill is loaded, and leave with it', async () => {
    const skills = await aiSdkSkills(skillset, { tools: refundTools().tools });
    const model = modelOf([[load], [lookup], [unload], 'Done.']);
    await generateText({ model, prompt: 'Money!', stopWhen, ...skills.agentSettings({ instructions: 'You are kind.' }) });
    const counts = model.calls.map((call) => systemOf(call).split('# Billing').length - 1);
    expect(counts).toEqual([0, 1, 1, 0]);
    expect(systemOf(model.calls[3]!)).toBe(systemOf(model.calls[0]!));
    expect(systemOf(model.calls[2]!)).toBe(
      `${systemOf(model.calls[0]!)}\n\n${systemOf(model.calls[2]!).slice(systemOf(model.calls[0]!).length + 2)}`,
    );
  });

  it('DIS-11: instructions that a prepareStep of the host changes keep their place before them, and messages with options stay apart', async () => {
    const skills = await aiSdkSkills(skillset, { tools: refundTools().tools });
    const model = modelOf([[load], [lookup], 'Done.']);
    await generateText({
      model,
      prompt: 'Money!',
      stopWhen,
      tools: skills.tools,
      instructions: [{ role: 'system', content: 'You are kind.', providerOptions: { anthropic: { cacheControl: { type: 'ephemeral' } } } }],
      prepareStep: skills.composePrepareStep(({ stepNumber }) => (stepNumber === 1 ? { instructions: 'You are strict.' } : undefined)),
    });
    expect(model.calls.map(({ prompt }) => prompt.filter(({ role }) => role === 'system').length)).toEqual([1, 1, 1]);
    expect(model.calls.map((call) => systemOf(call).slice(0, 15))).toEqual(['You are kind.', 'You are strict.', 'You are strict.']);
    expect(model.calls.map((call) => systemOf(call).split('# Billing').length - 1)).toEqual([0, 1, 1]);
  });
});

describe('withdraw', () => {
  const script: Turn[] = [[load], [unload], [lookup], 'Done.'];
  const run = async (withdraw: boolean) => {
    const skills = await aiSdkSkills(createSkillset({ skills: definitions }), { tools: refundTools().tools, withdraw });
    const model = modelOf(script);
    const { responseMessages } = await generateText({ model, prompt: 'Money!', stopWhen, ...skills.agentSettings() });
    return { places: model.calls.map((call) => placesOf(call).length), state: skills.state(responseMessages), last: model.calls.at(-1)! };
  };

  it('DIS-6: takes the instructions of an unloaded skill out of the messages where the host asks for it; the state stays right', async () => {
    const { places, state, last } = await run(true);
    expect(places).toEqual([0, 1, 0, 0]);
    expect(state).toEqual(emptySkillState);
    expect(JSON.stringify(last.prompt)).toContain('were removed');
    expect((await run(false)).places).toEqual([0, 1, 1, 1]);
  });

  it('DIS-6: a skill that was loaded again keeps its instructions', async () => {
    const skills = await aiSdkSkills(createSkillset({ skills: definitions }), { tools: refundTools().tools, withdraw: true });
    const model = modelOf([[load], [unload], [load], [lookup], 'Done.']);
    await generateText({ model, prompt: 'Money!', stopWhen, ...skills.agentSettings() });
    expect(placesOf(model.calls.at(-1)!).length).toBeGreaterThan(0);
  });
});

describe('composePrepareStep', () => {
  it('ADP-4: the host goes first: its messages get the instructions, its settings stay, and tools are those that both show, with the skill tools', async () => {
    const { tools } = refundTools();
    const skillset = createSkillset({ skills: definitions });
    const skills = await aiSdkSkills(skillset, { tools, gate: 'hide' });
    const model = modelOf([[load], [lookup], 'Done.']);
    await generateText({
      model,
      prompt: 'Money!',
      stopWhen,
      tools: skills.tools,
      prepareStep: skills.composePrepareStep(({ stepNumber, messages }) => ({
        temperature: stepNumber,
        activeTools: ['process_refund', 'lookup_order'],
        messages: [...messages, { role: 'user', content: `step ${stepNumber}` }],
      })),
    });
    expect(model.calls.map(({ temperature }) => temperature)).toEqual([0, 1, 2]);
    expect(model.calls.map(({ tools: sent }) => sent?.map(({ name }) => name))).toEqual([
      ['load_skill', 'read_skill_file', 'unload_skill', 'lookup_order'],
      ['load_skill', 'read_skill_file', 'unload_skill', 'lookup_order', 'process_refund'],
      ['load_skill', 'read_skill_file', 'unload_skill', 'lookup_order', 'process_refund'],
    ]);
    expect(JSON.stringify(model.calls[2]!.prompt)).toContain('step 2');
  });

  it('ADP-4: in an agent too', async () => {
    const skills = await aiSdkSkills(createSkillset({ skills: definitions }), { tools: refundTools().tools });
    const model = modelOf([[load], 'Done.']);
    const agent = new ToolLoopAgent({ model, ...skills.agentSettings({ prepareStep: ({ stepNumber }) => ({ seed: stepNumber }) }) });
    await agent.generate({ prompt: 'Money!' });
    expect(model.calls.map(({ seed }) => seed)).toEqual([0, 1]);
  });
});

describe('messages of a user interface', () => {
  it('ADP-4: tell the same state as those of a model, also where a result came in parts or was never finished', async () => {
    const skills = await aiSdkSkills(createSkillset({ skills: definitions }));
    const part = (state: object): UIMessage => ({
      id: 'a',
      role: 'assistant',
      parts: [
        {
          type: 'dynamic-tool',
          toolName: 'load_skill',
          toolCallId: 'c',
          input: { name: 'billing' },
          ...state,
        } as UIMessage['parts'][number],
      ],
    });
    const output = '<skill_content name="billing">\nbody\n</skill_content>';
    const names = (state: object) => loadedSkillNames(skills.state([part(state)]));
    expect(names({ state: 'output-available', output })).toEqual(['billing']);
    expect(names({ state: 'output-available', output, preliminary: true })).toEqual([]);
    expect(names({ state: 'input-available' })).toEqual([]);
    expect(names({ state: 'output-error', errorText: output })).toEqual([]);
    expect(names({ state: 'output-denied', approval: { id: 'a', approved: false } })).toEqual([]);
  });
});
