import type { SkillState } from '@repertoire/skills-core';
import type { AdapterMessage, AdapterSetup, AdapterTool, SkillAdapterUnderTest } from '@repertoire/skills-testkit/adapter';
import { runLoop, type LoopMessage, type LoopModel, type LoopTool } from './tiny-loop.ts';
import { tinySkills } from './tiny-skills.ts';

/** Connects the suite with `tinySkills`. */
export const tinyAdapter: SkillAdapterUnderTest = {
  name: 'tiny loop',
  converse(setup) {
    const state = setup.state === undefined ? undefined : { current: setup.state };
    let messages = setup.history.map(loopMessage);
    return {
      async ask(text) {
        const skills = await tinySkills(setup.skillset, { ...setup, tools: setup.tools.map(loopTool), state });
        const request = { system: setup.instructions, messages: [...messages, { role: 'user' as const, text }] };
        messages = await runLoop(scriptedModel(setup, skills.state), skills.plugin, request);
      },
      cut(summary, keepTurns) {
        const turns = messages.flatMap(({ role }, index) => (role === 'user' ? [index] : []));
        messages = [{ role: 'user', text: summary }, ...messages.slice(turns.at(-keepTurns))];
      },
    };
  },
};

/** A model of the loop, which tells the suite what it is given and answers as the suite says. */
function scriptedModel({ model }: AdapterSetup, state: () => SkillState): LoopModel {
  return async ({ system, tools, messages }) => {
    const step = await model({
      system,
      tools: tools.map(({ name, description, schema }) => ({ name, description, schema: JSON.stringify(schema) })),
      messages: messages.map(adapterMessage),
      state,
    });
    if (typeof step === 'string') return { text: step };
    return { text: '', calls: step.map(([tool, input], index) => ({ id: `${messages.length}-${index}`, tool, input })) };
  };
}

function loopTool({ name, description, inputSchema, run }: AdapterTool): LoopTool {
  return { name, description, schema: inputSchema, run };
}

/** In a given history, each result stands right behind the message that calls its tool. */
function loopMessage(message: AdapterMessage, index: number, all: readonly AdapterMessage[]): LoopMessage {
  const callsOf = (given: AdapterMessage | undefined, id: string) =>
    given?.from === 'model' ? given.calls.map(({ tool, input }) => ({ id, tool, input: input as Record<string, unknown> })) : [];
  if (message.from === 'user') return { role: 'user', text: message.text };
  if (message.from === 'model') return { role: 'assistant', text: message.text, calls: callsOf(message, `said-${index}`) };
  const [answers] = callsOf(all[index - 1], `said-${index - 1}`);
  return { role: 'tool', text: message.text, ...(answers !== undefined && { answers }) };
}

function adapterMessage({ role, text, calls = [], answers }: LoopMessage): AdapterMessage {
  if (role === 'user') return { from: 'user', text };
  if (role === 'tool') return { from: 'tool', tool: answers?.tool ?? '', text };
  return { from: 'model', text, calls: calls.map(({ tool, input }) => ({ tool, input })) };
}
