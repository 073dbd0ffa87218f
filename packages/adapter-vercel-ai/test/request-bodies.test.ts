import { createAnthropic } from '@ai-sdk/anthropic';
import { createGoogleGenerativeAI } from '@ai-sdk/google';
import { createOpenAI } from '@ai-sdk/openai';
import { createSkillset, emptySkillState } from '@repertoire/skills-core';
import { generateText, isStepCount, streamText, type LanguageModel, type ModelMessage } from 'ai';
import { describe, expect, it } from 'vitest';
import { aiSdkSkills } from '@repertoire/adapter-vercel-ai';
import type { AiSdkGate } from '../src/ai-sdk-skills-options.ts';
import { refundTools, skills as definitions } from './billing-skills.ts';
import { recordingServer } from './recording-server.ts';

type Json = Readonly<Record<string, unknown>>;
type Call = readonly [toolName: string, input: unknown];

const stopWhen = isStepCount(20);
const script: readonly (Call | null)[] = [
  ['load_skill', { name: 'billing' }],
  ['read_skill_file', { skill: 'billing', path: 'references/policy.md' }],
  ['process_refund', { amount: 40 }],
  null,
];

interface Provider {
  readonly model: LanguageModel;
  readonly bodies: () => readonly Json[];
  readonly betas: () => readonly string[];
}

async function provider(answer: (call: Call | null, step: number) => Json, open: (baseURL: string) => LanguageModel): Promise<Provider> {
  const { url, requests } = await recordingServer((_request, index) => answer(script[index % script.length] ?? null, index + 1));
  return {
    model: open(url),
    bodies: () => requests.map(({ text }) => JSON.parse(text) as Json),
    betas: () => requests.map(({ headers }) => String(headers['anthropic-beta'])),
  };
}

const anthropic = (modelId: string = 'claude-sonnet-5-5') =>
  provider(
    (call, step) => ({
      type: 'message',
      id: `message-${step}`,
      role: 'assistant',
      model: 'a-model',
      content: [
        call === null ? { type: 'text', text: 'Refunded.' } : { type: 'tool_use', id: `call-${step}`, name: call[0], input: call[1] },
      ],
      stop_reason: call === null ? 'end_turn' : 'tool_use',
      stop_sequence: null,
      usage: { input_tokens: 1, output_tokens: 1 },
    }),
    (baseURL) => createAnthropic({ apiKey: 'none', baseURL })(modelId),
  );

const openaiChat = () =>
  provider(
    (call, step) => ({
      id: `response-${step}`,
      object: 'chat.completion',
      created: 0,
      model: 'a-model',
      choices: [
        {
          index: 0,
          message: {
            role: 'assistant',
            content: call === null ? 'Refunded.' : null,
            ...(call !== null && {
              tool_calls: [{ id: `call-${step}`, type: 'function', function: { name: call[0], arguments: JSON.stringify(call[1]) } }],
            }),
          },
          finish_reason: call === null ? 'stop' : 'tool_calls',
        },
      ],
      usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
    }),
    (baseURL) => createOpenAI({ apiKey: 'none', baseURL }).chat('a-model'),
  );

const openaiResponses = () =>
  provider(
    (call, step) => ({
      id: `response-${step}`,
      object: 'response',
      created_at: 0,
      status: 'completed',
      model: 'a-model',
      output: [
        call === null
          ? {
              type: 'message',
              id: `m-${step}`,
              role: 'assistant',
              status: 'completed',
              content: [{ type: 'output_text', text: 'Refunded.', annotations: [] }],
            }
          : {
              type: 'function_call',
              id: `f-${step}`,
              call_id: `call-${step}`,
              name: call[0],
              arguments: JSON.stringify(call[1]),
              status: 'completed',
            },
      ],
      usage: { input_tokens: 1, output_tokens: 1 },
    }),
    (baseURL) => createOpenAI({ apiKey: 'none', baseURL }).responses('a-model'),
  );

/** A model that signs each of its calls, as Gemini 3 does. */
const gemini = () =>
  provider(
    (call, step) => ({
      candidates: [
        {
          content: {
            role: 'model',
            parts: [
              call === null
                ? { text: 'Refunded.' }
                : { functionCall: { id: `call-${step}`, name: call[0], args: call[1] }, thoughtSignature: `signature-${step}` },
            ],
          },
          finishReason: 'STOP',
        },
      ],
      usageMetadata: { promptTokenCount: 1, candidatesTokenCount: 1, totalTokenCount: 2 },
    }),
    (baseURL) => createGoogleGenerativeAI({ apiKey: 'none', baseURL })('gemini-3-pro-preview'),
  );

/** What stands before the messages, and the messages, as text. */
function read(body: Json): { readonly head: string; readonly messages: readonly string[] } {
  const key = ['messages', 'contents'].find((name) => name in body) ?? 'input';
  return { head: JSON.stringify({ ...body, [key]: [] }), messages: (body[key] as unknown[]).map((message) => JSON.stringify(message)) };
}

function expectOnlyGrowing(bodies: readonly Json[]): void {
  for (const [index, body] of bodies.entries()) {
    const before = read(bodies[Math.max(index - 1, 0)]!);
    expect(read(body).head).toBe(before.head);
    expect(read(body).messages.slice(0, before.messages.length)).toEqual(before.messages);
  }
}

async function run({ model }: Provider, gate: AiSdkGate) {
  const { ran, tools } = refundTools();
  const skills = await aiSdkSkills(createSkillset({ skills: definitions }), { tools, gate });
  const prompt: ModelMessage = { role: 'user', content: 'Money!' };
  const settings = skills.agentSettings({ instructions: 'You are kind.' });
  const { text, responseMessages } = await generateText({ model, messages: [prompt], stopWhen, ...settings });
  return { text, ran, skills, history: [prompt, ...responseMessages] };
}

describe.each([
  { name: '@ai-sdk/anthropic', open: () => anthropic() },
  { name: '@ai-sdk/google', open: gemini },
  { name: '@ai-sdk/openai, chat', open: openaiChat },
  { name: '@ai-sdk/openai, responses', open: openaiResponses },
])('what $name sends', ({ open }) => {
  it('ADP-5: gate refuse: tools and instructions stay the same to the byte, and messages only grow, also over requests', async () => {
    const opened = await open();
    const { text, ran, history } = await run(opened, 'refuse');
    expect({ text, ran, requests: opened.bodies().length }).toEqual({ text: 'Refunded.', ran: [40], requests: 4 });
    // Another server, which remembers nothing.
    const again = await aiSdkSkills(createSkillset({ skills: definitions }), { tools: refundTools().tools });
    await generateText({
      model: opened.model,
      messages: [...(JSON.parse(JSON.stringify(history)) as ModelMessage[]), { role: 'user', content: 'Once more.' }],
      stopWhen,
      ...again.agentSettings({ instructions: 'You are kind.' }),
    });
    expect(opened.bodies()).toHaveLength(8);
    expectOnlyGrowing(opened.bodies());
    expect(JSON.stringify(opened.bodies()[0])).toContain('<available_skills>');
  });

  it('ADP-5: gate hide: the list of tools grows at its end and nowhere else', async () => {
    const opened = await open();
    await run(opened, 'hide');
    // Google has one tool that holds all functions.
    const declared = (tools: unknown) => ((tools as Json[])[0]?.['functionDeclarations'] ?? tools) as unknown[];
    const lists = opened.bodies().map(({ tools }) => declared(tools).map((tool) => JSON.stringify(tool)));
    expect(lists.map(({ length }) => length)).toEqual([4, 5, 5, 5]);
    for (const list of lists) expect(list.slice(0, 4)).toEqual(lists[0]);
    expectOnlyGrowing(opened.bodies().map((body) => ({ ...body, tools: [] })));
  });

  it('DIS-3: the model gets the instructions as text, not as JSON of text', async () => {
    const opened = await open();
    await run(opened, 'refuse');
    expect(JSON.stringify(opened.bodies()[1])).toMatch(
      /"<skill_content name=\\"billing\\" source=\\"code\\" revision=\\"[\w-]{22}\\">\\n# Billing\\n/,
    );
  });
});

describe('what @ai-sdk/anthropic sends', () => {
  it('ADP-5: gate defer: the locked tool is deferred, the load refers to it, and nothing before changes by a byte', async () => {
    const opened = await anthropic();
    const { ran } = await run(opened, 'defer');
    expect(ran).toEqual([40]);
    const [first, second] = opened.bodies();
    expect((first!['tools'] as Json[]).map(({ name, defer_loading }) => [name, defer_loading === true])).toEqual([
      ['load_skill', false],
      ['read_skill_file', false],
      ['unload_skill', false],
      ['process_refund', true],
      ['lookup_order', false],
    ]);
    const result = (second!['messages'] as { content: Json[] }[]).at(-1)!.content[0]!;
    expect(result['content']).toEqual([
      { type: 'tool_reference', tool_name: 'process_refund' },
      { type: 'text', text: expect.stringContaining('# Billing') },
    ]);
    expectOnlyGrowing(opened.bodies());
  });

  it('ADP-5: a cache breakpoint behind the catalog stays where it is, and one on the last message moves alone', async () => {
    const opened = await anthropic();
    const skills = await aiSdkSkills(createSkillset({ skills: definitions }), { tools: refundTools().tools });
    const cacheControl = { type: 'ephemeral' as const };
    await generateText({
      model: opened.model,
      prompt: 'Money!',
      stopWhen,
      tools: skills.tools,
      instructions: { role: 'system', content: skills.instructions('You are kind.'), providerOptions: { anthropic: { cacheControl } } },
      prepareStep: skills.composePrepareStep(({ messages }) => ({
        messages: messages.map((message, index) =>
          index === messages.length - 1
            ? { ...message, providerOptions: { anthropic: { cacheControl } } }
            : { ...message, providerOptions: {} },
        ),
      })),
    });
    const bodies = opened.bodies();
    for (const { system } of bodies) {
      expect(system).toEqual([{ type: 'text', text: skills.instructions('You are kind.'), cache_control: cacheControl }]);
    }
    const marks = bodies.map(({ messages }) =>
      (messages as unknown[]).flatMap((message, index) => (JSON.stringify(message).includes('cache_control') ? [index] : [])),
    );
    expect(marks).toEqual(bodies.map(({ messages }) => [(messages as unknown[]).length - 1]));
    expectOnlyGrowing(
      bodies.map((body) => JSON.parse(JSON.stringify(body).replaceAll(',"cache_control":{"type":"ephemeral"}', '')) as Json),
    );
  });

  it('ADP-5: instructions that stand in the system prompt leave what stands before them cached', async () => {
    const opened = await anthropic();
    const skills = await aiSdkSkills(createSkillset({ skills: definitions, surface: { instructions: 'with-catalog' } }), {
      tools: refundTools().tools,
    });
    const cacheControl = { type: 'ephemeral' as const };
    await generateText({
      model: opened.model,
      prompt: 'Money!',
      stopWhen,
      tools: skills.tools,
      prepareStep: skills.prepareStep,
      instructions: [{ role: 'system', content: skills.instructions('You are kind.'), providerOptions: { anthropic: { cacheControl } } }],
    });
    const systems = opened.bodies().map(({ system }) => system as Json[]);
    expect(systems.map(({ length }) => length)).toEqual([1, 2, 2, 2]);
    for (const [first] of systems) expect(first).toEqual(systems[0]![0]);
    expect(systems[1]![1]).toEqual({ type: 'text', text: expect.stringContaining('# Billing') });
  });

  it('ADP-5: what an answer of a stream breaks off in the middle of is not loaded, and the next request goes on', async () => {
    const { url, requests } = await recordingServer((_request, index, response) => {
      if (index > 0) {
        return {
          type: 'message',
          id: 'm',
          role: 'assistant',
          model: 'a-model',
          content: [{ type: 'text', text: 'Again?' }],
          stop_reason: 'end_turn',
          stop_sequence: null,
          usage: { input_tokens: 1, output_tokens: 1 },
        };
      }
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      const events: Json[] = [
        {
          type: 'message_start',
          message: {
            id: 'm',
            type: 'message',
            role: 'assistant',
            model: 'a-model',
            content: [],
            stop_reason: null,
            stop_sequence: null,
            usage: { input_tokens: 1, output_tokens: 1 },
          },
        },
        { type: 'content_block_start', index: 0, content_block: { type: 'tool_use', id: 'call-1', name: 'load_skill', input: {} } },
        { type: 'content_block_delta', index: 0, delta: { type: 'input_json_delta', partial_json: '{"name": "bil' } },
      ];
      for (const event of events) response.write(`event: ${String(event['type'])}\ndata: ${JSON.stringify(event)}\n\n`, () => {});
      response.write('', () => response.destroy());
      return undefined;
    });
    const skills = await aiSdkSkills(createSkillset({ skills: definitions }), { tools: refundTools().tools });
    const model = createAnthropic({ apiKey: 'none', baseURL: url })('claude-sonnet-5-5');
    const broken = streamText({ model, prompt: 'Money!', stopWhen, ...skills.agentSettings(), onError: () => {} });
    const parts: string[] = [];
    const readAll = async () => {
      for await (const part of broken.stream) parts.push(part.type);
    };
    const failed = await readAll().then(
      () => parts.includes('error'),
      () => true,
    );
    expect(failed).toBe(true);
    expect(parts).not.toContain('tool-result');
    const later = await generateText({ model, prompt: 'Still there?', ...skills.agentSettings() });
    expect({ text: later.text, requests: requests.length }).toEqual({ text: 'Again?', requests: 2 });
  });

  it('ADP-5: with manual thinking, a call that the host made never stands in the last turn of the assistant, which must begin with thinking', async () => {
    // Later models think by themselves, and take what comes.
    const opened = await anthropic('claude-sonnet-4-5');
    const skillset = createSkillset({ skills: definitions });
    const state = { current: emptySkillState };
    const { tools } = refundTools();
    const providerOptions = { anthropic: { thinking: { type: 'enabled', budgetTokens: 2_000 } } };
    const skills = await aiSdkSkills(skillset, { tools, state });
    const call = { model: opened.model, stopWhen, providerOptions, ...skills.agentSettings() };
    const typed: ModelMessage = { role: 'user', content: '/billing order 7' };
    const invoked = await skills.invoke('/billing order 7', [typed]);
    // A load that the person typed, and in the next conversation one whose text was cut.
    const { responseMessages } = await generateText({ ...call, messages: [typed, ...invoked!.messages] });
    const afterInvoke = opened.bodies().length;
    await generateText({ ...call, messages: [{ role: 'user', content: 'Go on with it.' }] });
    await generateText({ ...call, messages: [typed, ...invoked!.messages, ...responseMessages, { role: 'user', content: 'And now?' }] });
    const bodies = opened.bodies();
    expect(bodies[0]!['thinking']).toMatchObject({ type: 'enabled' });
    for (const body of bodies) {
      const messages = body['messages'] as { role: string; content: Json[] }[];
      const made = messages.flatMap(({ content }, index) =>
        content.some(({ type, id }) => type === 'tool_use' && String(id).length === 9) ? [index] : [],
      );
      expect(made).not.toEqual([]);
      // The answer to the call, words of the assistant, and words of the user: that turn is over.
      for (const index of made) {
        expect(messages.slice(index + 1, index + 4).map(({ role, content }) => [role, content[0]!['type']])).toEqual([
          ['user', 'tool_result'],
          ['assistant', 'text'],
          ['user', 'text'],
        ]);
      }
    }
    expectOnlyGrowing([...bodies.slice(0, afterInvoke), ...bodies.slice(-1)]);
  });

  it('ADP-5: Gemini gets back its signatures, and each call without one in a turn that is over, right behind words of the user and before its answer', async () => {
    const opened = await gemini();
    const state = { current: emptySkillState };
    const skills = await aiSdkSkills(createSkillset({ skills: definitions }), { tools: refundTools().tools, state });
    const call = { model: opened.model, stopWhen, ...skills.agentSettings() };
    const typed: ModelMessage = { role: 'user', content: '/billing order 7' };
    const invoked = await skills.invoke('/billing order 7', [typed]);
    const { responseMessages } = await generateText({ ...call, messages: [typed, ...invoked!.messages] });
    const afterInvoke = opened.bodies().length;
    // The text of the load was cut, so the host restores it.
    await generateText({ ...call, messages: [{ role: 'user', content: 'Go on with it.' }] });
    await generateText({ ...call, messages: [typed, ...invoked!.messages, ...responseMessages, { role: 'user', content: 'And now?' }] });
    const signatures: unknown[] = [];
    let made = 0;
    for (const body of opened.bodies()) {
      const contents = body['contents'] as { role: string; parts: Json[] }[];
      expect(contents.map(({ role }) => role)).toEqual(contents.map((_, index) => (index % 2 === 0 ? 'user' : 'model')));
      const lastWords = contents.findLastIndex(({ role, parts }) => role === 'user' && parts.some((part) => 'text' in part));
      for (const [index, { parts }] of contents.entries()) {
        const [first] = parts.filter((part) => 'functionCall' in part);
        if (first === undefined) continue;
        expect(contents[index + 1]?.parts.every((part) => 'functionResponse' in part)).toBe(true);
        signatures.push(first['thoughtSignature']);
        if (String(first['thoughtSignature']).startsWith('signature-')) continue;
        made += 1;
        expect(index).toBeLessThan(lastWords);
      }
    }
    expect(made).toBeGreaterThanOrEqual(opened.bodies().length);
    expect(signatures).toContain('signature-1');
    expectOnlyGrowing([...opened.bodies().slice(0, afterInvoke), ...opened.bodies().slice(-1)]);
  });
});
