import { aiSdkSkills } from '@repertoire/adapter-vercel-ai';
import { emptySkillState } from '@repertoire/skills-core';
import { scriptedModel } from '@repertoire/skills-testkit/ai-sdk';
import { generateText, isStepCount, tool, type ModelMessage } from 'ai';
import { z } from 'zod';
import { renamedIn, type PinnedAgent } from '../agent-conversation.ts';

const inputSchema = z.object({});

/**
 * `generateText` of the AI SDK. Loads stand in the messages, or in a state that the server keeps.
 */
export function aiSdkAgent(isKept: boolean): PinnedAgent {
  let messages: ModelMessage[] = [];
  let state = { current: emptySkillState };
  let asked = 0;
  return {
    isMessagesOnly: !isKept,
    async ask({ skillset, calls, tools, fork }) {
      const hostTools = Object.entries(tools).map(([name, execute]) => [name, tool({ inputSchema, execute: async () => execute() })]);
      const skills = await aiSdkSkills(skillset, { tools: Object.fromEntries(hostTools), fork, ...(isKept && { state }) });
      asked += 1;
      const toolCalls = calls.map(([toolName, input], index) => ({ toolName, input, toolCallId: `call-${asked}-${index}` }));
      const model = scriptedModel([...(calls.length > 0 ? [{ toolCalls }] : []), { text: 'Done.' }]);
      messages.push({ role: 'user', content: 'Go on.' });
      const { responseMessages } = await generateText({ model, messages, stopWhen: isStepCount(3), ...skills.agentSettings() });
      messages.push(...responseMessages);
      const last = model.calls.at(-1)?.prompt.at(-1);
      const parts = last?.role === 'tool' ? last.content : [];
      return {
        results: toolCalls.map(({ toolCallId }) => {
          const part = parts.find((candidate) => candidate.type === 'tool-result' && candidate.toolCallId === toolCallId);
          return part?.type === 'tool-result' && 'value' in part.output ? String(part.output.value) : '';
        }),
        shown: JSON.stringify(model.calls.map(({ prompt }) => prompt)),
      };
    },
    async cut() {
      messages = [];
    },
    async claim(from, to) {
      messages = renamedIn(messages, from, to);
      state = renamedIn(state, from, to);
    },
    async resume() {
      messages = JSON.parse(JSON.stringify(messages)) as ModelMessage[];
      state = JSON.parse(JSON.stringify(state)) as typeof state;
    },
  };
}
