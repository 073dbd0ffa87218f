import { type BaseMessage, HumanMessage, RemoveMessage, ToolMessage } from '@langchain/core/messages';
import { tool } from '@langchain/core/tools';
import { MemorySaver, MessagesValue, REMOVE_ALL_MESSAGES, StateGraph, StateSchema } from '@langchain/langgraph';
import { skillsMiddleware } from '@repertoire/adapter-langchain';
import { langGraphSkills, skillsState } from '@repertoire/adapter-langchain/langgraph';
import { scriptedModel, type ScriptedChatModel } from '@repertoire/skills-testkit/langchain';
import { createAgent } from 'langchain';
import { z } from 'zod';
import { claimedText, renamedIn, type PinnedAgent, type PinnedRequest } from '../agent-conversation.ts';

const State = new StateSchema({ messages: MessagesValue, ...skillsState });
/** What an agent is made of. */
type Made = Omit<PinnedRequest, 'calls'>;
const config = { configurable: { thread_id: 'one' }, recursionLimit: 30 };

/**
 * `createAgent`, or a graph of one's own, with a checkpointer. Every request compiles it anew, so
 * each one is a resume.
 */
export function langChainAgent(kind: 'agent' | 'graph'): PinnedAgent {
  const checkpointer = new MemorySaver();
  let asked = 0;
  const graphOf = ({ skillset, tools, fork }: Made, model: ScriptedChatModel) => {
    const options = {
      fork,
      tools: Object.entries(tools).map(([name, execute]) => tool(async () => execute(), { name, description: name, schema: z.object({}) })),
    };
    return kind === 'agent'
      ? createAgent({ model, checkpointer, middleware: [skillsMiddleware(skillset, options)] }).graph
      : langGraphSkills(skillset, options).addTo(new StateGraph(State), { model }).compile({ checkpointer });
  };
  let last: Made | undefined;
  const write = async (values: Record<string, unknown>): Promise<void> => {
    if (last === undefined) return;
    await graphOf(last, scriptedModel([])).updateState(config, values, kind === 'agent' ? 'model_request' : undefined);
  };
  return {
    async ask({ calls, ...made }) {
      last = made;
      asked += 1;
      // LangGraph's tool node does not run a call whose id was answered before.
      const toolCalls = calls.map(([toolName, input], index) => ({ toolName, input, toolCallId: `call-${asked}-${index}` }));
      const model = scriptedModel([...(calls.length > 0 ? [{ toolCalls }] : []), { text: 'Done.' }]);
      await graphOf(made, model).invoke({ messages: [new HumanMessage('Go on.')] }, config);
      const results = toolCalls.map(({ toolCallId }) => {
        const messages = model.calls.at(-1)?.messages ?? [];
        return messages.findLast((message) => ToolMessage.isInstance(message) && message.tool_call_id === toolCallId)?.text ?? '';
      });
      return { results, shown: JSON.stringify(model.calls.map(({ messages }) => messages)) };
    },
    async cut() {
      await write({ messages: [new RemoveMessage({ id: REMOVE_ALL_MESSAGES })] });
    },
    async claim(from, to) {
      if (last === undefined) return;
      const { values } = await graphOf(last, scriptedModel([])).getState(config);
      const { loaded_skills: loaded, messages } = values as { loaded_skills: Record<string, unknown>; messages: BaseMessage[] };
      const own = renamedIn({ [from]: loaded[from] }, from, to);
      const texts = messages.flatMap((message) => {
        if (!ToolMessage.isInstance(message) || message.name !== 'load_skill') return [];
        const { id = '', tool_call_id, name, text } = message;
        return [new ToolMessage({ id, tool_call_id, name, content: claimedText(text, from, to) })];
      });
      await write({ loaded_skills: { ...own, [from]: null }, messages: texts });
    },
    async resume() {},
  };
}
