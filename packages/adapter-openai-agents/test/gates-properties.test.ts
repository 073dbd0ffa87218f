import { run, setTracingDisabled, tool, type AgentInputItem } from '@openai/agents-core';
import { assistantMessage, functionCall, modelResponder, ScriptedModel } from '@openai/agents-core/testing';
import { openAiAgentsSkills } from '@repertoire/adapter-openai-agents';
import { emptySkillState, SkillError } from '@repertoire/skills-core';
import { z } from 'zod';
import { testGateProperties, type PlayGates, type SaidLoad } from '../../skills-core/test/helpers/gate-properties.ts';
import { tools } from '../../skills-core/test/helpers/gate-worlds.ts';

setTracingDisabled(true);

const itemsOf = ({ name, version, text }: SaidLoad, index: number): AgentInputItem[] => [
  { type: 'function_call', callId: `said-${index}`, name: 'load_skill', arguments: JSON.stringify({ name, version }), status: 'completed' },
  { type: 'function_call_result', callId: `said-${index}`, name: 'load_skill', status: 'completed', output: { type: 'text', text } },
];

const play: PlayGates = async ({ skillset, past, steps, gate, onStep }) => {
  const ran: string[] = [];
  const box = past.server === undefined ? undefined : { current: past.server };
  const skills = openAiAgentsSkills<object>(skillset, { gate, state: box === undefined ? undefined : () => box });
  const { callModelInputFilter } = skills;
  const model = new ScriptedModel(
    [...steps, undefined].map((calls, index) =>
      modelResponder(({ request }) => {
        onStep?.(index);
        // A tool that is not shown ends a run of the SDK, so a model that calls one gets no further.
        const shown = request.tools.map((given) => ('name' in given ? given.name : ''));
        const made = calls?.filter(([name]) => shown.includes(name)) ?? [];
        if (made.length === 0)
          return calls === undefined ? [assistantMessage('Done.')] : [functionCall('ping', {}, { callId: `ping-${index}` })];
        return made.map(([name, input], number) => functionCall(name, { ...input }, { callId: `call-${index}-${number}` }));
      }),
    ),
  );
  const ping = tool({ name: 'ping', description: 'Does nothing.', parameters: z.object({}), execute: () => 'pong' });
  const hostTool = (name: string) =>
    tool({ name, description: name, parameters: z.object({}), execute: () => (ran.push(name), `${name} ran`) });
  const agent = skills.agent({ name: 'clerk', model, tools: [ping, ...tools.map(hostTool)] });
  const input: AgentInputItem[] = [{ role: 'user', content: 'Go.' }, ...past.said.flatMap(itemsOf), { role: 'user', content: 'Go on.' }];
  const results: { tool: string; text: string; input: unknown }[] = [];
  try {
    const { newItems } = await run(agent, input, { context: {}, callModelInputFilter, maxTurns: steps.length + 2 });
    const inputs = new Map<string, unknown>();
    for (const { rawItem } of newItems) {
      if (rawItem?.type === 'function_call') inputs.set(rawItem.callId, JSON.parse(rawItem.arguments));
      if (rawItem?.type !== 'function_call_result') continue;
      const { output } = rawItem;
      const text = typeof output === 'string' ? output : 'text' in output ? output.text : '';
      results.push({ tool: rawItem.name, text, input: inputs.get(rawItem.callId) });
    }
  } catch (error) {
    if (!SkillError.isInstance(error)) throw error;
  }
  return {
    ran,
    results: results.map(({ tool: name, text }) => ({ tool: name, text })),
    shown: JSON.stringify([model.calls.map(({ request }) => [request.input, request.systemInstructions, request.tools]), results]),
    past: {
      said: results.flatMap(({ tool: name, text, input: of }) => (name === 'load_skill' ? [{ ...(of as SaidLoad), text }] : [])),
      claims: emptySkillState,
      server: box?.current,
    },
  };
};

testGateProperties('OpenAI Agents SDK', play, 40);
