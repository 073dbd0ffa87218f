import { HumanMessage, RemoveMessage, ToolMessage } from '@langchain/core/messages';
import { tool } from '@langchain/core/tools';
import { MemorySaver, MessagesValue, REMOVE_ALL_MESSAGES, StateGraph, StateSchema } from '@langchain/langgraph';
import { skillsMiddleware } from '@repertoire/adapter-langchain';
import { langGraphSkills, skillsState } from '@repertoire/adapter-langchain/langgraph';
import type { Skillset } from '@repertoire/skills-core';
import { scriptedModel, type ScriptedChatModel } from '@repertoire/skills-testkit/langchain';
import { createAgent } from 'langchain';
import { z } from 'zod';
import type { PinnedAgent, PinnedRequest } from '../agent-conversation.ts';

const State = new StateSchema({ messages: MessagesValue, ...skillsState });
const config = { configurable: { thread_id: 'one' }, recursionLimit: 30 };

/**
 * `createAgent`, or a graph of one's own, with a checkpointer. Every request compiles it anew, so
 * each one is a resume.
 */
export function langChainAgent(kind: 'agent' | 'graph'): PinnedAgent {
  const checkpointer = new MemorySaver();
  let asked = 0;
  const graphOf = (skillset: Skillset, model: ScriptedChatModel, tools: PinnedRequest['tools']) => {
    const options = {
      tools: Object.entries(tools).map(([name, execute]) => tool(async () => execute(), { name, description: name, schema: z.object({}) })),
    };
    return kind === 'agent'
      ? createAgent({ model, checkpointer, middleware: [skillsMiddleware(skillset, options)] }).graph
      : langGraphSkills(skillset, options).addTo(new StateGraph(State), { model }).compile({ checkpointer });
  };
  let last: Pick<PinnedRequest, 'skillset' | 'tools'> | undefined;
  return {
    async ask({ skillset, call, tools }) {
      last = { skillset, tools };
      // LangGraph's tool node does not run a call whose id was answered before.
      const toolCallId = `call-${(asked += 1)}`;
      const calls = call === undefined ? [] : [{ toolCalls: [{ toolName: call[0], input: call[1], toolCallId }] }];
      const model = scriptedModel([...calls, { text: 'Done.' }]);
      await graphOf(skillset, model, tools).invoke({ messages: [new HumanMessage('Go on.')] }, config);
      const result = model.calls
        .at(-1)
        ?.messages.findLast((message) => ToolMessage.isInstance(message) && message.tool_call_id === toolCallId);
      return { result: result?.text ?? '', shown: JSON.stringify(model.calls.map(({ messages }) => messages)) };
    },
    async cut() {
      if (last === undefined) return;
      const graph = graphOf(last.skillset, scriptedModel([]), last.tools);
      await graph.updateState(
        config,
        { messages: [new RemoveMessage({ id: REMOVE_ALL_MESSAGES })] },
        kind === 'agent' ? 'model_request' : undefined,
      );
    },
    async resume() {},
  };
}
