import { createSkillset, emptySkillState, type SkillState } from '@repertoire/skills-core';
import { loadedSkillNames } from '@repertoire/skills-core/adapter';
import {
  convertToModelMessages,
  generateText,
  isStepCount,
  readUIMessageStream,
  streamText,
  tool,
  toUIMessageStream,
  type ModelMessage,
  type UIMessage,
  type UIMessageChunk,
} from 'ai';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { aiSdkSkills } from '@repertoire/adapter-vercel-ai';
import { scriptedModel } from '@repertoire/skills-testkit/ai-sdk';
import { refundTools, skills as definitions } from './billing-skills.ts';
import { modelOf } from './model-of.ts';

const skillset = createSkillset({ skills: definitions });
const stopWhen = isStepCount(20);
const load = ['load_skill', { name: 'billing' }] as const;
const haiku = ['load_skill', { name: 'haiku' }] as const;
const unload = ['unload_skill', { name: 'billing' }] as const;
const prompt: ModelMessage = { role: 'user', content: 'Money!' };

/** Both ways of knowing the state must tell the same. */
async function statesAfter(
  run: (skills: Awaited<ReturnType<typeof aiSdkSkills>>) => Promise<readonly ModelMessage[]>,
): Promise<readonly string[]> {
  const box: { current: SkillState } = { current: emptySkillState };
  const told = await aiSdkSkills(skillset, { tools: refundTools().tools });
  const kept = await aiSdkSkills(skillset, { tools: refundTools().tools, state: box });
  const messages = await run(told);
  const names = loadedSkillNames(told.state(messages));
  await run(kept);
  expect(loadedSkillNames(box.current)).toEqual(names);
  // Messages do not tell the place and the content.
  expect(box.current).toMatchObject(told.state([prompt, ...messages]));
  return names;
}

describe('a transcript from which the state is right', () => {
  it('ADP-4: after parallel calls and repeated loads in one step', async () => {
    const run = (calls: readonly (readonly [string, unknown])[]) =>
      statesAfter(
        async (skills) =>
          (await generateText({ model: modelOf([calls, 'Done.']), messages: [prompt], stopWhen, ...skills.agentSettings() }))
            .responseMessages,
      );
    expect((await run([load, haiku, load, load])).toSorted()).toEqual(['billing', 'haiku']);
    expect(await run([['load_skill', { name: 'nope' }], haiku])).toEqual(['haiku']);
    expect(await run([unload, haiku])).toEqual(['haiku']);
  });

  it('ADP-4: a skill that is loaded twice in one step is loaded once, and the next load says so', async () => {
    const skills = await aiSdkSkills(skillset);
    const { toolResults } = await generateText({
      model: modelOf([[load, load], [load], 'Done.']),
      prompt: 'Money!',
      stopWhen,
      ...skills.agentSettings(),
    });
    expect(toolResults.map(({ output }) => String(output).includes('already active'))).toEqual([false, false, true]);
  });

  it('ADP-4: wherever a stream breaks off, what has a result by then is loaded and nothing else', async () => {
    const skills = await aiSdkSkills(skillset, { tools: refundTools().tools });
    const turns = [[load, ['lookup_order', { id: '1' }]], [haiku], [unload, ['process_refund', { amount: 1 }]], 'Done.'] as const;
    const result = streamText({ model: modelOf(turns), messages: [prompt], stopWhen, ...skills.agentSettings() });
    const chunks: UIMessageChunk[] = [];
    for await (const chunk of toUIMessageStream({ stream: result.stream })) chunks.push(chunk);
    const seen = new Set<string>();
    for (const cut of chunks.keys()) {
      const before = chunks.slice(0, cut);
      const stream = new ReadableStream<UIMessageChunk>({
        start(controller) {
          for (const chunk of before) controller.enqueue(structuredClone(chunk));
          controller.close();
        },
      });
      let shown: UIMessage = { id: 'a', role: 'assistant', parts: [] };
      for await (const message of readUIMessageStream({ stream })) shown = structuredClone(message);
      const outputs = before.flatMap((chunk) => (chunk.type === 'tool-output-available' ? [String(chunk.output)] : []));
      const expected = ['billing', 'haiku'].filter(
        (name) =>
          outputs.some((output) => output.startsWith(`<skill_content name="${name}"`)) &&
          !outputs.some((output) => output.startsWith(`<skill_unloaded name="${name}"`)),
      );
      expect(loadedSkillNames(skills.state([shown]))).toEqual(expected);
      expect(loadedSkillNames(skills.state(await convertToModelMessages([shown], { ignoreIncompleteToolCalls: true })))).toEqual(expected);
      seen.add(expected.join());
    }
    expect([...seen]).toEqual(['', 'billing', 'billing,haiku', 'haiku']);
  });

  it("ADP-4: after errors inside the host's tools, and in a source of skills that fails", async () => {
    const broken = tool({
      inputSchema: z.object({}),
      execute: async (): Promise<string> => {
        throw new Error('the database is down');
      },
    });
    let failures = 1;
    const flaky = createSkillset({
      provider: {
        ...skillset.provider,
        getSkill: async (name, options) => {
          if (failures-- > 0) throw new Error('the disk is gone');
          return skillset.provider.getSkill(name, options);
        },
      },
    });
    const skills = await aiSdkSkills(flaky, { tools: { broken } });
    const model = modelOf([[load, ['broken', {}]], [load, ['broken', {}]], 'Done.']);
    const result = await generateText({ model, messages: [prompt], stopWhen, ...skills.agentSettings() });
    expect(result.text).toBe('Done.');
    expect(loadedSkillNames(skills.state(result.steps[0]!.response.messages))).toEqual([]);
    expect(loadedSkillNames(skills.state(result.responseMessages))).toEqual(['billing']);
  });

  it('ADP-4: input that no schema accepts is an answer, and loads nothing', async () => {
    const skills = await aiSdkSkills(skillset);
    const model = modelOf([
      [
        ['load_skill', { skill: 7 }],
        ['load_skill', 'billing'],
        ['load_skill', {}],
      ],
      'Done.',
    ]);
    const result = await generateText({ model, messages: [prompt], stopWhen, ...skills.agentSettings() });
    expect(result.text).toBe('Done.');
    expect(skills.state(result.responseMessages)).toEqual(emptySkillState);
  });

  it('ADP-4: after an abort in the middle of a load, in either form of messages; nothing is half loaded', async () => {
    const controller = new AbortController();
    const slow = createSkillset({
      provider: {
        ...skillset.provider,
        getSkill: async (name, options) => {
          if (name === 'billing') return skillset.provider.getSkill(name, options);
          const { promise, reject } = Promise.withResolvers<never>();
          options?.signal?.addEventListener('abort', () => reject(options.signal?.reason));
          controller.abort(new Error('the user left'));
          return promise;
        },
      },
    });
    const box = { current: emptySkillState };
    const skills = await aiSdkSkills(slow, { state: box });
    const told = await aiSdkSkills(slow);
    const result = streamText({
      model: modelOf([[load], [haiku], 'Never.']),
      messages: [prompt],
      stopWhen,
      ...skills.agentSettings(),
      abortSignal: controller.signal,
    });
    let shown: UIMessage | undefined;
    for await (const message of readUIMessageStream({ stream: toUIMessageStream({ stream: result.stream }) }))
      shown = structuredClone(message);
    const kept = JSON.parse(JSON.stringify([{ id: '1', role: 'user', parts: [{ type: 'text', text: 'Money!' }] }, shown])) as UIMessage[];
    expect(loadedSkillNames(box.current)).toEqual(['billing']);
    expect(loadedSkillNames(told.state(kept))).toEqual(['billing']);

    // The next request goes on from it.
    const messages = await convertToModelMessages([...kept, { id: '3', role: 'user', parts: [{ type: 'text', text: 'Go on.' }] }], {
      ignoreIncompleteToolCalls: true,
    });
    const later = await aiSdkSkills(skillset);
    const next = modelOf([[load, haiku], 'Done.']);
    const again = await generateText({ model: next, messages, stopWhen, ...later.agentSettings() });
    expect(again.toolResults.map(({ output }) => String(output).includes('already active'))).toEqual([true, false]);
  });

  it('ADP-4: after a stream that fails between a load and the answer', async () => {
    const skills = await aiSdkSkills(skillset, { tools: refundTools().tools });
    const model = scriptedModel([
      { toolCalls: [{ toolName: 'load_skill', input: { name: 'billing' } }] },
      { text: 'I will', error: new Error('the line is dead') },
    ]);
    const result = streamText({ model, messages: [prompt], stopWhen, ...skills.agentSettings(), onError: () => {} });
    let shown: UIMessage | undefined;
    for await (const message of readUIMessageStream({ stream: toUIMessageStream({ stream: result.stream }), onError: () => {} }))
      shown = structuredClone(message);
    expect(loadedSkillNames(skills.state([shown!]))).toEqual(['billing']);
    expect(loadedSkillNames(skills.state(await convertToModelMessages([shown!])))).toEqual(['billing']);
  });

  it('CON-1: a call that is aborted before it begins ends with the reason', async () => {
    const reason = new Error('the user left');
    const controller = new AbortController();
    controller.abort(reason);
    const skills = await aiSdkSkills(skillset);
    await expect(
      generateText({ model: modelOf(['No.']), prompt: 'x', ...skills.agentSettings(), abortSignal: controller.signal }),
    ).rejects.toBe(reason);
  });

  it('GOV-10: ten conversations at once on one object, each with its own state from its own messages (ATK-102)', async () => {
    const { tools } = refundTools();
    const skills = await aiSdkSkills(skillset, { tools });
    const all = await Promise.all(
      Array.from({ length: 10 }, async (_, index) => {
        const turns =
          index % 2 === 0
            ? [[load], [['process_refund', { amount: index }] as const], 'Done.']
            : [[['process_refund', { amount: index }] as const], 'No.'];
        const { responseMessages, toolResults } = await generateText({
          model: modelOf(turns),
          prompt: `${index}`,
          stopWhen,
          ...skills.agentSettings(),
        });
        return [
          loadedSkillNames(skills.state(responseMessages)).length,
          toolResults.filter(({ toolName }) => toolName === 'process_refund').length,
        ];
      }),
    );
    expect(all).toEqual(Array.from({ length: 10 }, (_, index) => (index % 2 === 0 ? [1, 1] : [0, 0])));
  });
});
