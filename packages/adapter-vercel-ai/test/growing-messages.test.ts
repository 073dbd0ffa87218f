import { createSkillset } from '@repertoire/skills-core';
import type { ModelMessage } from 'ai';
import { expect, it } from 'vitest';
import { aiSdkSkills } from '@repertoire/adapter-vercel-ai';
import { refundTools, skills as definitions } from './billing-skills.ts';

it('GOV-11: a loop that pushes to one array of messages is judged by what the array holds now', async () => {
  const { ran, tools } = refundTools();
  const skills = await aiSdkSkills(createSkillset({ skills: definitions }), { tools });
  const messages: ModelMessage[] = [{ role: 'user', content: 'Refund it.' }];
  const call = { toolCallId: 'c1', messages, context: undefined, experimental_context: undefined } as never;

  await expect(skills.tools.process_refund.execute?.({ amount: 1 }, call)).rejects.toMatchObject({ code: 'not-loaded' });
  const { text } = await skills.session.load({ name: 'billing' }, { state: skills.state(messages) });
  const loaded = { type: 'text' as const, value: text };
  messages.push(
    { role: 'assistant', content: [{ type: 'tool-call', toolCallId: 'c2', toolName: 'load_skill', input: { name: 'billing' } }] },
    { role: 'tool', content: [{ type: 'tool-result', toolCallId: 'c2', toolName: 'load_skill', output: loaded }] },
  );
  await expect(skills.tools.process_refund.execute?.({ amount: 2 }, call)).resolves.toEqual({ refunded: 2 });
  expect(ran).toEqual([2]);
});
