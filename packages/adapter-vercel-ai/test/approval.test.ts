import { createSkillset, defineSkill, skillAllowedTools } from '@repertoire/skills-core';
import { generateText, isStepCount, tool, ToolLoopAgent, type ModelMessage, type ToolApprovalStatus } from 'ai';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { aiSdkSkills } from '@repertoire/adapter-vercel-ai';
import { refundTools, skills as definitions } from './billing-skills.ts';
import { modelOf, toolTexts } from './model-of.ts';

const stopWhen = isStepCount(20);
const load = ['load_skill', { name: 'billing' }] as const;
const refund = (amount: number) => ['process_refund', { amount }] as const;

/** A conversation in which a person has just approved a call. */
function approved(before: readonly ModelMessage[], toolName: string, input: unknown): ModelMessage[] {
  return [
    { role: 'user', content: 'Money!' },
    ...before,
    {
      role: 'assistant',
      content: [
        { type: 'tool-call', toolCallId: 'r', toolName, input },
        { type: 'tool-approval-request', approvalId: 'a', toolCallId: 'r' },
      ],
    },
    { role: 'tool', content: [{ type: 'tool-approval-response', approvalId: 'a', approved: true }] },
  ];
}

describe('toolApproval', () => {
  const skillset = createSkillset({ skills: definitions });

  it('GOV-1: denies an approved call that is replayed while its skill is not loaded, which activeTools does not see; allows it while it is', async () => {
    const { ran, tools } = refundTools();
    for (const gate of ['refuse', 'hide', 'defer'] as const) {
      const skills = await aiSdkSkills(skillset, { tools, gate });
      const settings = skills.agentSettings({ toolApproval: { process_refund: 'user-approval' } });
      const replay = (messages: ModelMessage[]) => generateText({ model: modelOf(['Done.']), messages, stopWhen, ...settings });
      const denied = await replay(approved([], 'process_refund', { amount: 1 }));
      expect(ran).toEqual([]);
      expect(JSON.stringify(denied.responseMessages)).toContain('"execution-denied","reason":"The tool process_refund is locked until');
      const loading = await generateText({ model: modelOf([[load]]), prompt: 'Money!', tools: skills.tools });
      await replay(approved(loading.responseMessages, 'process_refund', { amount: 7 }));
      expect(ran.splice(0)).toEqual([7]);
    }
  });

  it('GOV-1: closes the hole also where the host forgot it, because the tool itself refuses (ATK-6)', async () => {
    const { ran, tools } = refundTools();
    const skills = await aiSdkSkills(skillset, { tools, gate: 'hide' });
    const messages = approved([], 'process_refund', { amount: 1 });
    const result = await generateText({
      model: modelOf(['No.']),
      messages,
      tools: skills.tools,
      toolApproval: { process_refund: 'user-approval' },
    });
    expect(ran).toEqual([]);
    expect(JSON.stringify(result.responseMessages)).toContain('is locked until');
  });

  it("ADP-4: keeps the host's approvals in each of their forms", async () => {
    const { tools } = refundTools();
    const skills = await aiSdkSkills(skillset, { tools });
    const ask = async (toolApproval: ReturnType<typeof skills.toolApproval>, toolSet: typeof skills.tools = skills.tools) => {
      const { content } = await generateText({
        model: modelOf([[['lookup_order', { id: '9' }]]]),
        prompt: 'Order 9?',
        tools: toolSet,
        toolApproval,
      });
      return content.map(({ type }) => type).slice(1);
    };
    expect(await ask(skills.toolApproval())).toEqual(['tool-result']);
    expect(await ask(skills.toolApproval({ lookup_order: 'user-approval' }))).toEqual(['tool-approval-request']);
    expect(await ask(skills.toolApproval({ lookup_order: ({ id }) => (id === '9' ? 'user-approval' : undefined) }))).toEqual([
      'tool-approval-request',
    ]);
    expect(await ask(skills.toolApproval(({ toolCall }) => (toolCall.toolName === 'lookup_order' ? 'user-approval' : undefined)))).toEqual([
      'tool-approval-request',
    ]);
    const needing = { ...skills.tools, lookup_order: { ...skills.tools.lookup_order, needsApproval: true } };
    expect(await ask(skills.toolApproval(), needing)).toEqual(['tool-approval-request']);
  });

  it('ADP-4: knows a function of the host that is asked for the skill tools too', async () => {
    const skills = await aiSdkSkills(skillset);
    const asked: string[] = [];
    const own = ({ toolCall }: { toolCall: { toolName: string } }): ToolApprovalStatus => (asked.push(toolCall.toolName), 'user-approval');
    const agent = new ToolLoopAgent({ model: modelOf([[load]]), ...skills.agentSettings({ toolApproval: own }) });
    const { content } = await agent.generate({ prompt: 'Money!' });
    expect(asked).toEqual(['load_skill']);
    expect(content.map(({ type }) => type)).toEqual(['tool-call', 'tool-approval-request']);
  });

  it('GOV-1: is the gate of tools that run elsewhere, with the list of tools unchanged', async () => {
    const process_refund = tool({ inputSchema: z.object({ amount: z.number() }), outputSchema: z.object({ refunded: z.number() }) });
    const skills = await aiSdkSkills(skillset, { tools: { process_refund }, gate: 'defer' });
    const model = modelOf([[refund(1)], 'No.']);
    const result = await generateText({ model, prompt: 'Money!', stopWhen, ...skills.agentSettings({ toolApproval: {} }) });
    expect(result.text).toBe('No.');
    expect(toolTexts(model.calls[1]!)).toEqual([expect.stringMatching(/^execution-denied/)]);
  });
});

describe('allowed-tools', () => {
  const orders = defineSkill({
    name: 'orders',
    description: 'Finds orders. Use when a customer asks where a parcel is.',
    body: 'Look it up.',
    allowedTools: ['lookup_order'],
  });
  const loadOrders = ['load_skill', { name: 'orders' }] as const;
  const other = tool({ inputSchema: z.object({}), execute: async () => 'ran' });

  it('GOV-2: restrict: a loaded skill allows only what it names; every tool that the adapter was given refuses, also those of agentSettings', async () => {
    const { ran, tools } = refundTools();
    const skillset = createSkillset({ skills: [orders], allowedTools: skillAllowedTools({ policy: 'restrict' }) });
    const skills = await aiSdkSkills(skillset, { tools });
    const model = modelOf([[refund(1), ['other', {}]], [loadOrders], [refund(2), ['other', {}], ['lookup_order', { id: '1' }]], 'Done.']);
    const result = await generateText({ model, prompt: 'Parcel!', stopWhen, ...skills.agentSettings({ tools: { other } }) });
    expect(ran).toEqual([1]);
    expect(result.toolResults.map(({ toolName }) => toolName)).toEqual(['process_refund', 'other', 'load_skill', 'lookup_order']);
    expect(toolTexts(model.calls[3]!)[0]).toMatch(/^error-text: .*process_refund/);
  });

  it('GOV-2: restrict by approval: denies tools that the adapter was never given', async () => {
    const skillset = createSkillset({ skills: [orders], allowedTools: skillAllowedTools({ policy: 'restrict' }) });
    const skills = await aiSdkSkills(skillset, { otherTools: ['other'] });
    const model = modelOf([[loadOrders], [['other', {}]], 'Done.']);
    await generateText({ model, prompt: 'Parcel!', stopWhen, tools: { ...skills.tools, other }, toolApproval: skills.toolApproval() });
    expect(toolTexts(model.calls[2]!)).toEqual([expect.stringMatching(/^execution-denied/)]);
  });

  it('GOV-2: pre-approve: calls that a trusted loaded skill names need no person; a deny of the host and neverPreApprove win', async () => {
    const { tools } = refundTools();
    const run = async (own: 'user-approval' | 'denied', neverPreApprove: string[] = []) => {
      const skills = await aiSdkSkills(
        createSkillset({ skills: [orders], allowedTools: skillAllowedTools({ policy: 'pre-approve', never: neverPreApprove }) }),
        { tools },
      );
      const lookup = ['lookup_order', { id: '1' }] as const;
      const settings = skills.agentSettings({ toolApproval: { lookup_order: own } });
      const before = await generateText({ model: modelOf([[lookup], 'Done.']), prompt: 'Parcel!', stopWhen, ...settings });
      const after = await generateText({ model: modelOf([[loadOrders], [lookup], 'Done.']), prompt: 'Parcel!', stopWhen, ...settings });
      const results = ({ toolResults }: { toolResults: readonly { toolName: string }[] }) =>
        toolResults.filter(({ toolName }) => toolName === 'lookup_order').length;
      return [results(before), results(after)];
    };
    expect(await run('user-approval')).toEqual([0, 1]);
    expect(await run('denied')).toEqual([0, 0]);
    expect(await run('user-approval', ['lookup_order'])).toEqual([0, 0]);
  });

  it('GOV-2: leaves tools as they are without the policy; under it, they run while no skill has the field', async () => {
    const { tools } = refundTools();
    const skills = await aiSdkSkills(createSkillset({ skills: definitions }), { tools });
    expect(skills.tools.lookup_order).toBe(tools.lookup_order);
    const restricting = await aiSdkSkills(
      createSkillset({ skills: definitions, allowedTools: skillAllowedTools({ policy: 'restrict' }) }),
      { tools },
    );
    const model = modelOf([[['lookup_order', { id: '7' }]], 'Done.']);
    const { steps } = await generateText({ model, prompt: 'x', tools: restricting.tools, stopWhen: isStepCount(2) });
    expect(steps[0]?.content.map(({ type }) => type)).toEqual(['tool-call', 'tool-result']);
  });
});
