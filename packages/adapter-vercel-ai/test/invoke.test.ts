import { createSkillset, defineSkill, emptySkillState } from '@repertoire/skills-core';
import { loadedSkillNames } from '@repertoire/skills-core/adapter';
import {
  convertToModelMessages,
  createUIMessageStream,
  generateText,
  isStepCount,
  readUIMessageStream,
  streamText,
  toUIMessageStream,
  type ModelMessage,
  type UIMessage,
} from 'ai';
import { describe, expect, it } from 'vitest';
import { aiSdkSkills } from '@repertoire/adapter-vercel-ai';
import { skillPartOf } from '@repertoire/adapter-vercel-ai/ui';
import { refundTools, skills as definitions } from './billing-skills.ts';
import { modelOf } from './model-of.ts';

const stopWhen = isStepCount(20);
const secret = defineSkill({
  name: 'deploy',
  description: 'Deploys. Use when asked.',
  body: 'Deploy $ARGUMENTS now.',
  disableModelInvocation: true,
  tools: ['process_refund'],
});
const skillset = createSkillset({ skills: [...definitions, secret] });

describe('invoke', () => {
  it('DIS-16: loads what a person typed as /name arguments, also what no model may load; its tools open', async () => {
    const { ran, tools } = refundTools();
    const skills = await aiSdkSkills(skillset, { tools });
    const typed: ModelMessage = { role: 'user', content: '/deploy "blue  green"' };
    const invoked = await skills.invoke(typed.content as string, []);
    expect(invoked).toMatchObject({ skill: 'deploy', text: expect.stringContaining('Deploy "blue  green" now.'), error: undefined });
    const messages = [typed, ...invoked!.messages];
    expect(loadedSkillNames(skills.state(messages))).toEqual(['deploy']);
    expect(skills.state(messages).loaded['deploy']).toMatchObject({ arguments: '"blue  green"' });
    await generateText({ model: modelOf([[['process_refund', { amount: 1 }]], 'Done.']), messages, stopWhen, ...skills.agentSettings() });
    expect(ran).toEqual([1]);
  });

  it('DIS-16: is null for other texts, and an answer for a name that does not exist', async () => {
    const skills = await aiSdkSkills(skillset);
    expect(await skills.invoke('Deploy, please.')).toBeNull();
    expect(await skills.invoke('/etc/hosts')).toBeNull();
    const unknown = await skills.invoke('/deplyo now');
    expect(unknown).toMatchObject({ skill: undefined, error: { code: 'skill-not-found' }, text: expect.not.stringContaining('"deploy"') });
    expect(skills.state(unknown!.messages)).toEqual(emptySkillState);
  });

  it('DIS-16, ADP-4: goes to a user interface and comes back from it as the same load, in a server that keeps nothing', async () => {
    const skills = await aiSdkSkills(skillset, { tools: refundTools().tools });
    const typed: UIMessage = { id: '1', role: 'user', parts: [{ type: 'text', text: '/billing order 7' }] };
    const invoked = await skills.invoke('/billing order 7', [typed]);
    const messages = [...(await convertToModelMessages([typed])), ...invoked!.messages];
    const stream = createUIMessageStream({
      execute({ writer }) {
        writer.write({ type: 'start' });
        for (const chunk of invoked!.chunks) writer.write(chunk);
        const result = streamText({ model: modelOf(['Which order?']), messages, ...skills.agentSettings() });
        writer.merge(toUIMessageStream({ stream: result.stream, sendStart: false }));
      },
    });
    let shown: UIMessage | undefined;
    for await (const message of readUIMessageStream({ stream })) shown = message;
    const parts = shown!.parts.flatMap((part) => skillPartOf(part) ?? []);
    expect(parts).toEqual([expect.objectContaining({ label: 'Loaded skill: billing', byUser: true, arguments: 'order 7', state: 'done' })]);

    const kept = JSON.parse(JSON.stringify([typed, shown])) as UIMessage[];
    const later = await aiSdkSkills(skillset, { tools: refundTools().tools });
    expect(loadedSkillNames(later.state(kept))).toEqual(['billing']);
    expect(later.state(await convertToModelMessages(kept))).toEqual(later.state(kept));
    expect((await convertToModelMessages(kept)).map(({ role }) => role)).toEqual(['user', 'assistant', 'tool', 'assistant']);
  });

  it('DIS-16: writes to the state that the server keeps, and runs a forked skill', async () => {
    const state = { current: emptySkillState };
    const forked = createSkillset({
      skills: [...definitions, defineSkill({ name: 'audit', description: 'Audits. Use when asked.', body: 'Audit.', context: 'fork' })],
    });
    const skills = await aiSdkSkills(forked, { state, fork: async ({ prompt }) => `did: ${prompt.length > 0}` });
    await skills.invoke('/haiku');
    expect(loadedSkillNames(state.current)).toEqual(['haiku']);
    expect(await skills.invoke('/audit')).toMatchObject({ skill: 'audit', text: expect.stringContaining('did: true') });
    expect(loadedSkillNames(state.current)).toEqual(['haiku']);
  });

  it('CON-1: an abort ends it with its reason', async () => {
    const skills = await aiSdkSkills(skillset);
    const reason = new Error('the user left');
    await expect(skills.invoke('/haiku', [], { signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
  });
});
