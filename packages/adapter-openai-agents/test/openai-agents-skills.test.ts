import { MemorySession, run, type AgentInputItem } from '@openai/agents-core';
import { openAiAgentsSkills } from '@repertoire/adapter-openai-agents';
import { turnsOfItems } from '../src/items/turns-of-items.ts';
import { createSkillset, SkillRegistry, type SkillDiagnostic } from '@repertoire/skills-core';
import { describe, expect, it } from 'vitest';
import { refundTool, resultsOf, scripted, skills as definitions, skillsetOf } from './agents.ts';

describe('openAiAgentsSkills', () => {
  it('ADP-7: takes a provider, and refuses options that do not exist', async () => {
    const skills = openAiAgentsSkills(new SkillRegistry({ skills: definitions }));
    const model = scripted('Hello.');
    await run(skills.agent({ name: 'a', instructions: 'You are kind.', model }), 'Hi');
    expect(model.calls[0]?.request.systemInstructions).toMatch(/^You are kind\.\n\n.*<skill name="billing">/su);
    expect(() => openAiAgentsSkills(skillsetOf(), { gates: 'hide' } as never)).toThrow(/gates/);
    expect(() => openAiAgentsSkills({} as never)).toThrow(/openAiAgentsSkills takes a skillset/);
  });

  it('ADP-7: a host with a tool of the name of a skill tool is told', async () => {
    const { agent } = openAiAgentsSkills(skillsetOf());
    const sub = agent({ name: 'sub', model: scripted('x') }).asTool({ toolName: 'load_skill', toolDescription: 'x' });
    await expect(run(agent({ name: 'a', model: scripted('x'), tools: [sub] }), 'Hi')).rejects.toMatchObject({ code: 'reserved-tool-name' });
  });

  it('ADP-7: streams the same', async () => {
    const model = scripted([['load_skill', { name: 'billing' }]], 'Done.');
    const stream = await run(openAiAgentsSkills(skillsetOf()).agent({ name: 'a', model }), 'Hi', { stream: true });
    await stream.completed;
    expect(resultsOf(stream.history, 'load_skill')[0]).toContain('Confirm the order');
    expect(stream.finalOutput).toBe('Done.');
  });

  it('ADP-7: arguments that do not fit, and what is no JSON, are answered in words', async () => {
    const broken = {
      type: 'function_call' as const,
      callId: 'b',
      name: 'load_skill',
      arguments: '{"name": ',
      status: 'completed' as const,
    };
    const model = scripted([['load_skill', { colour: 'red' }]], 'Done.');
    model.enqueue([broken], [{ type: 'message', role: 'assistant', status: 'completed', content: [{ type: 'output_text', text: 'Oh.' }] }]);
    const agent = openAiAgentsSkills(skillsetOf()).agent({ name: 'a', model });
    const first = await run(agent, 'Hi');
    const second = await run(agent, 'Hi');
    expect(resultsOf(first.history, 'load_skill')[0]).toContain('name');
    expect(resultsOf(second.history, 'load_skill')[0]).toContain('valid JSON');
  });

  it('DIS-9: a session of the SDK carries loads from run to run', async () => {
    const session = new MemorySession();
    const model = scripted([['load_skill', { name: 'billing' }]], 'Done.', [['load_skill', { name: 'billing' }]], 'Done.');
    const agent = openAiAgentsSkills(skillsetOf()).agent({ name: 'a', model });
    await run(agent, 'Hi', { session });
    const again = await run(agent, 'Again', { session });
    expect(resultsOf(again.history, 'load_skill').at(-1)).toContain('already active');
  });

  it('DIS-11: restores instructions that were cut, at one place in every call', async () => {
    const skills = openAiAgentsSkills<object>(skillsetOf(), { state: () => box });
    const session = await skillsetOf().open();
    const { events } = await session.load({ name: 'billing' }, { state: { loaded: {} } });
    const box = { current: session.apply({ loaded: {} }, events) };
    const model = scripted([['load_skill', { name: 'billing' }]], 'Done.');
    const { callModelInputFilter } = skills;
    const result = await run(skills.agent({ name: 'a', model }), 'Go on.', { context: {}, callModelInputFilter });
    expect(resultsOf(result.history, 'load_skill').at(-1)).toContain('already active');
    const inputs = model.calls.map(({ request }) => request.input as AgentInputItem[]);
    expect(inputs.map((items) => resultsOf(items, 'load_skill')[0])).toEqual([
      expect.stringContaining('Confirm the order'),
      expect.stringContaining('Confirm the order'),
    ]);
    expect(JSON.stringify(inputs[1]).startsWith(JSON.stringify(inputs[0]).slice(0, -1))).toBe(true);
  });

  it('GOV-5: runs a fork in an agent of its own, which knows that skill alone', async () => {
    const inner = scripted('Two findings.');
    const skills = openAiAgentsSkills(skillsetOf(), {
      fork: async ({ prompt }, { agent }) => (await run(agent({ name: 'auditor', model: inner }), prompt)).finalOutput ?? '',
    });
    const model = scripted([['load_skill', { name: 'audit', arguments: 'src' }]], 'Done.');
    const result = await run(skills.agent({ name: 'a', model }), 'Audit src.');
    expect(resultsOf(result.history, 'load_skill')[0]).toContain('Two findings.');
    expect(JSON.stringify(inner.calls[0]?.request.input)).toContain('Audit src.');
    expect(inner.calls[0]?.request.systemInstructions ?? '').not.toContain('billing');
  });

  it('DIS-11: and never between what a model thought and the call that it thought of', async () => {
    const session = await skillsetOf().open();
    const { events } = await session.load({ name: 'billing' }, { state: { loaded: {} } });
    const box = { current: session.apply({ loaded: {} }, events) };
    const skills = openAiAgentsSkills<object>(skillsetOf(), { state: () => box });
    const model = scripted('Done.');
    const thought = (id: string): AgentInputItem => ({ type: 'reasoning', id, content: [{ type: 'input_text', text: 'Hm.' }] });
    const call = (callId: string): AgentInputItem => ({
      type: 'function_call',
      callId,
      name: 'lookup',
      arguments: '{}',
      status: 'completed',
    });
    const result = (callId: string): AgentInputItem => ({
      type: 'function_call_result',
      callId,
      name: 'lookup',
      status: 'completed',
      output: { type: 'text', text: 'x' },
    });
    const history = [thought('r1'), call('c1'), result('c1'), thought('r2'), call('c2'), result('c2')];
    const items: AgentInputItem[] = [{ role: 'user', content: 'Money!' }, ...history];
    const { callModelInputFilter } = skills;
    await run(skills.agent({ name: 'a', model }), items, { context: {}, callModelInputFilter });
    const sent = model.calls[0]?.request.input as AgentInputItem[];
    expect(sent.slice(0, 3)).toMatchObject([
      { role: 'user' },
      { name: 'load_skill' },
      { name: 'load_skill', type: 'function_call_result' },
    ]);
    expect(sent.slice(3)).toMatchObject(history);
  });

  it.each(['map', 'function'])('GOV-6: a loaded skill chooses the model of the next call, from a %s', async (kind) => {
    const small = scripted([['load_skill', { name: 'legal' }]]);
    const big = scripted('From the big one.');
    const models = kind === 'map' ? { big } : (name: string) => (name === 'big' ? big : undefined);
    const skills = openAiAgentsSkills(skillsetOf(), { models });
    expect((await run(skills.agent({ name: 'a', model: small }), 'Hi')).finalOutput).toBe('From the big one.');
    expect(() => skills.agent({ name: 'b', model: 'gpt-5' })).toThrow(/Model/);
  });

  it('GOV-6 GOV-10: also where skills are for some tenants only; the context is required', async () => {
    const tenants = createSkillset<{ tenant: string }>({
      skills: definitions,
      audience: { select: ({ name }, { tenant }) => tenant === 'a' || name !== 'legal' },
    });
    // @ts-expect-error: without the option `context`
    expect(() => openAiAgentsSkills(tenants)).not.toThrow();
    const big = scripted('From the big one.');
    const skills = openAiAgentsSkills<{ tenant: string }, { tenant: string }>(tenants, { models: { big }, context: (given) => given });
    const runs = ['a', 'b'].map(async (tenant) => {
      const own = scripted([['load_skill', { name: 'legal' }]], 'From the own one.');
      return (await run(skills.agent({ name: 'a', model: own }), 'Hi', { context: { tenant } })).finalOutput;
    });
    expect(await Promise.all(runs)).toEqual(['From the big one.', 'From the own one.']);
    const untyped = openAiAgentsSkills(tenants as never).agent({ name: 'a', model: scripted('Hi') });
    await expect(run(untyped, 'Hi')).rejects.toMatchObject({ code: 'invalid-options' });
  });

  it('GOV-1: tells of a gate whose name no tool of the agent has', async () => {
    const told: string[] = [];
    const onDiagnostic = ({ code, severity }: SkillDiagnostic) => void told.push(`${code} ${severity}`);
    const { process_refund } = refundTool();
    const skillset = createSkillset({ skills: [{ name: 'a', description: 'A.', body: 'B' }], gates: { tools: ['proces_refund'] } });
    const skills = openAiAgentsSkills(skillset, { onDiagnostic });
    await run(skills.agent({ name: 'a', model: scripted('Hi'), tools: [process_refund] }), 'Hi');
    expect(told).toContain('gate-without-tool error');
  });

  it('DIS-16: a person starts a skill by its command', async () => {
    const skills = openAiAgentsSkills<object>(skillsetOf());
    expect(await skills.invoke('hello', [], {})).toBeNull();
    const before: AgentInputItem[] = [{ role: 'user', content: '/billing A-17' }];
    const invoked = await skills.invoke('/billing A-17', before, {});
    const model = scripted([['load_skill', { name: 'billing', arguments: 'A-17' }]], 'Done.');
    const result = await run(skills.agent({ name: 'a', model }), [...before, ...(invoked?.items ?? [])]);
    expect(resultsOf(result.history, 'load_skill').at(-1)).toContain('already active');
  });

  it('turnsOfItems: a result without its call proves nothing', () => {
    const result = { type: 'function_call_result' as const, callId: 'x', name: 'load_skill', status: 'completed' as const, output: 'text' };
    expect(turnsOfItems([result]).flatMap(({ entries }) => entries)).toEqual([]);
  });
});
