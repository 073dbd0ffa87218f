import { emptySkillState, SkillError } from '@repertoire/skills-core';
import { scriptedModel } from '@repertoire/skills-testkit/ai-sdk';
import { generateText, isStepCount, tool, type ModelMessage } from 'ai';
import { z } from 'zod';
import { aiSdkSkills } from '@repertoire/adapter-vercel-ai';
import { testGateProperties, type PlayGates } from '../../skills-core/test/helpers/gate-properties.ts';
import { tools } from '../../skills-core/test/helpers/gate-worlds.ts';

const play: PlayGates = async ({ skillset, past, steps, gate, rubbish, onStep }) => {
  const ran: string[] = [];
  const state = past.server === undefined ? undefined : { current: past.server };
  const hostTool = (name: string) =>
    tool({ description: name, inputSchema: z.object({}), execute: async () => (ran.push(name), `${name} ran`) });
  const model = scriptedModel((_call, index) => {
    onStep?.(index);
    const calls = steps[index];
    return calls === undefined ? { text: 'Done.' } : { toolCalls: calls.map(([toolName, input]) => ({ toolName, input })) };
  });
  const messages: ModelMessage[] = [
    { role: 'user', content: 'Go.' },
    ...past.said.flatMap(({ name, version, text }, index): ModelMessage[] => [
      {
        role: 'assistant',
        content: [{ type: 'tool-call', toolCallId: `said-${index}`, toolName: 'load_skill', input: { name, version } }],
      },
      {
        role: 'tool',
        content: [{ type: 'tool-result', toolCallId: `said-${index}`, toolName: 'load_skill', output: { type: 'text', value: text } }],
      },
    ]),
    { role: 'user', content: 'Go on.' },
  ];
  const results: { tool: string; text: string; input: unknown }[] = [];
  try {
    const skills = await aiSdkSkills(skillset, {
      tools: Object.fromEntries(tools.map((name) => [name, hostTool(name)])),
      state,
      gate,
      kept: rubbish as never,
    });
    const { responseMessages } = await generateText({
      model,
      messages,
      stopWhen: isStepCount(steps.length + 1),
      ...skills.agentSettings(),
    });
    const inputs = new Map<string, unknown>();
    for (const { content } of responseMessages) {
      for (const part of typeof content === 'string' ? [] : content) {
        if (part.type === 'tool-call') inputs.set(part.toolCallId, part.input);
        if (part.type !== 'tool-result') continue;
        const text = 'value' in part.output ? String(part.output.value) : '';
        results.push({ tool: part.toolName, text, input: inputs.get(part.toolCallId) });
      }
    }
  } catch (error) {
    if (!SkillError.isInstance(error)) throw error;
  }
  const said = results.flatMap(({ tool: name, text, input }) =>
    name === 'load_skill' ? [{ ...(input as { name: string; version: string | undefined }), text }] : [],
  );
  return {
    ran,
    results: results.map(({ tool: name, text }) => ({ tool: name, text })),
    shown: JSON.stringify([model.calls, results]),
    past: { said, claims: emptySkillState, server: state?.current },
  };
};

testGateProperties('AI SDK', play, 60);
