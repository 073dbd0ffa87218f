import { run, setTracingDisabled, tool, type AgentInputItem } from '@openai/agents-core';
import { assistantMessage, functionCall, modelResponder, ScriptedModel } from '@openai/agents-core/testing';
import { openAiAgentsSkills } from '@repertoire/adapter-openai-agents';
import { emptySkillState } from '@repertoire/skills-core';
import { z } from 'zod';
import { renamedIn, type PinnedAgent } from '../agent-conversation.ts';

setTracingDisabled(true);

/** The OpenAI Agents SDK. Loads stand in the items, or in a state that the server keeps. */
export function openAiAgentsAgent(isKept: boolean): PinnedAgent {
  let items: AgentInputItem[] = [];
  let box = { current: emptySkillState };
  let asked = 0;
  return {
    isMessagesOnly: !isKept,
    async ask({ skillset, calls, tools, fork }) {
      const skills = openAiAgentsSkills<object>(skillset, { fork, ...(isKept && { state: () => box }) });
      const { callModelInputFilter } = skills;
      asked += 1;
      const toolCalls = calls.map(([name, input], index) => ({ name, input: { ...input }, callId: `call-${asked}-${index}` }));
      const done = [assistantMessage('Done.')];
      const model = new ScriptedModel([
        modelResponder(({ request }) => {
          // A call of a tool that is not shown ends a run of the SDK.
          const shownCalls = toolCalls.filter(({ name }) => request.tools.some((given) => 'name' in given && given.name === name));
          return shownCalls.length > 0 ? shownCalls.map(({ name, input, callId }) => functionCall(name, input, { callId })) : done;
        }),
        done,
      ]);
      const hostTools = Object.entries(tools).map(([name, execute]) =>
        tool({ name, description: name, parameters: z.object({}), execute: async () => execute() }),
      );
      const agent = skills.agent({ name: 'clerk', model, tools: hostTools });
      items.push({ role: 'user', content: 'Go on.' });
      const { history } = await run(agent, items, { context: {}, callModelInputFilter, maxTurns: 3 });
      items = history;
      const shown = model.calls.map(({ request }) => request.input);
      return {
        results: toolCalls.map(({ callId }) => resultOf(shown.at(-1), callId)),
        shown: JSON.stringify([shown, model.calls.map(({ request }) => request.systemInstructions)]),
      };
    },
    async cut() {
      items = [];
    },
    async claim(from, to) {
      items = renamedIn(items, from, to);
      box = renamedIn(box, from, to);
    },
    async resume() {
      items = JSON.parse(JSON.stringify(items)) as AgentInputItem[];
      box = JSON.parse(JSON.stringify(box)) as typeof box;
    },
  };
}

function resultOf(input: string | readonly AgentInputItem[] = [], callId: string): string {
  const found =
    typeof input === 'string' ? undefined : input.find((item) => item.type === 'function_call_result' && item.callId === callId);
  if (found?.type !== 'function_call_result') return '';
  return typeof found.output === 'string' ? found.output : 'text' in found.output ? found.output.text : '';
}
