import { createAnthropic } from '@ai-sdk/anthropic';
import { createOpenAI } from '@ai-sdk/openai';
import { createSkillset } from '@repertoire/skills-core';
import { generateText, isStepCount, type LanguageModel } from 'ai';
import { describe, expect, it } from 'vitest';
import { aiSdkSkills } from '@repertoire/adapter-vercel-ai';
import { refundTools, skills as definitions } from './billing-skills.ts';

type Body = Readonly<Record<string, unknown>>;
type Call = readonly [toolName: string, input: unknown];

const script: readonly (Call | null)[] = [
  ['load_skill', { name: 'billing' }],
  ['read_skill_file', { skill: 'billing', path: 'references/policy.md' }],
  ['process_refund', { amount: 40 }],
  null,
];

/** Plays the script in the provider's own format, and keeps what was sent. */
function recorded(answer: (call: Call | null, step: number) => Body): { readonly bodies: Body[]; readonly fetch: typeof fetch } {
  const bodies: Body[] = [];
  return {
    bodies,
    fetch: async (_url, init) => {
      bodies.push(JSON.parse(String(init?.body)) as Body);
      return Response.json(answer(script[bodies.length - 1] ?? null, bodies.length));
    },
  };
}

function anthropic(): { readonly bodies: readonly Body[]; readonly model: LanguageModel } {
  const { bodies, fetch } = recorded((call, step) => ({
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
  }));
  return { bodies, model: createAnthropic({ apiKey: 'none', fetch })('claude-sonnet-5-5') };
}

function openai(): { readonly bodies: readonly Body[]; readonly model: LanguageModel } {
  const { bodies, fetch } = recorded((call, step) => ({
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
  }));
  return { bodies, model: createOpenAI({ apiKey: 'none', fetch }).chat('a-model') };
}

describe.each([
  { provider: '@ai-sdk/anthropic', open: anthropic },
  { provider: '@ai-sdk/openai', open: openai },
])('what $provider sends', ({ open }) => {
  it('ADP-5: tools and instructions stay the same to the byte, and messages only grow', async () => {
    const { bodies, model } = open();
    const { ran, tools } = refundTools();
    const skills = await aiSdkSkills(createSkillset({ skills: definitions }), { tools });
    const { text } = await generateText({
      model,
      prompt: 'Money!',
      stopWhen: isStepCount(20),
      ...skills.agentSettings({ instructions: 'You are kind.' }),
    });
    expect({ text, ran, requests: bodies.length }).toEqual({ text: 'Refunded.', ran: [40], requests: 4 });

    const messages = bodies.map((body) => (body['messages'] as unknown[]).map((message) => JSON.stringify(message)));
    for (const [index, body] of bodies.entries()) {
      const [first, previous] = [bodies[0], messages[Math.max(index - 1, 0)] ?? []];
      expect(JSON.stringify({ ...body, messages: [] })).toBe(JSON.stringify({ ...first, messages: [] }));
      expect(messages[index]?.slice(0, previous.length)).toEqual(previous);
    }
    expect(JSON.stringify(bodies[0])).toContain('<available_skills>');
  });

  it('DIS-3: the model gets the instructions as text, not as JSON of text', async () => {
    const { bodies, model } = open();
    const skills = await aiSdkSkills(createSkillset({ skills: definitions }), { tools: refundTools().tools });
    await generateText({ model, prompt: 'Money!', stopWhen: isStepCount(2), tools: skills.tools });
    expect(JSON.stringify(bodies[1])).toContain('"<skill_content name=\\"billing\\" source=\\"code\\">\\n# Billing\\n');
  });
});
