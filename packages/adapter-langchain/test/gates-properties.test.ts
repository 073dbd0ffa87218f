import { AIMessage, HumanMessage, ToolMessage, type BaseMessage } from '@langchain/core/messages';
import { tool } from '@langchain/core/tools';
import { MessagesValue, StateGraph, StateSchema } from '@langchain/langgraph';
import { skillsMiddleware } from '@repertoire/adapter-langchain';
import { langGraphSkills, skillsState } from '@repertoire/adapter-langchain/langgraph';
import { SkillError, type SkillState } from '@repertoire/skills-core';
import { scriptedModel } from '@repertoire/skills-testkit/langchain';
import { createAgent } from 'langchain';
import { z } from 'zod';
import { testGateProperties, type PlayGates, type SaidLoad } from '../../skills-core/test/helpers/gate-properties.ts';
import { tools } from '../../skills-core/test/helpers/gate-worlds.ts';

const State = new StateSchema({ messages: MessagesValue, ...skillsState });
const empty = z.object({});
let played = 0;

const messagesOf = ({ name, version, text }: SaidLoad, index: number): BaseMessage[] => [
  new AIMessage({ content: '', tool_calls: [{ id: `said-${index}`, name: 'load_skill', args: { name, version } }] }),
  new ToolMessage({ tool_call_id: `said-${index}`, name: 'load_skill', content: text }),
];

/** By `createAgent`, or as a graph of one's own. What the server keeps is what it sealed: an unsealed state is worth what a claim is. */
const playAs =
  (kind: 'agent' | 'graph'): PlayGates =>
  async ({ skillset, past, steps, gate, rubbish, onStep }) => {
    const ran: string[] = [];
    const isSealed = past.server !== undefined && past.server !== past.claims;
    const hostTools = tools.map((name) => tool(async () => (ran.push(name), `${name} ran`), { name, description: name, schema: empty }));
    const options = { tools: hostTools, gate, ...(isSealed && { stateSecret: 'a secret of thirty-two characters' }) };
    const run = (played += 1);
    const model = scriptedModel((_call, index) => {
      onStep?.(index);
      const calls = steps[index];
      if (calls === undefined) return { text: 'Done.' };
      // LangGraph's tool node does not run a call whose id was answered before.
      const idOf = (number: number) => `call-${run}-${index}-${number}`;
      return { toolCalls: calls.map(([toolName, input], number) => ({ toolName, input, toolCallId: idOf(number) })) };
    });
    const input = {
      messages: [new HumanMessage('Go.'), ...past.said.flatMap(messagesOf), new HumanMessage('Go on.')],
      loaded_skills: { ...past.claims.loaded, ...past.server?.loaded },
      ...(rubbish !== undefined && { _skill_session: rubbish, _skill_run: rubbish, _skill_catalog: rubbish }),
    } as never;
    const graph =
      kind === 'agent'
        ? createAgent({ model, middleware: [skillsMiddleware(skillset, options)] }).graph
        : langGraphSkills(skillset, options).addTo(new StateGraph(State), { model }).compile();
    const config = { configurable: { thread_id: 'one' }, recursionLimit: 50 };
    let after: { readonly messages: readonly BaseMessage[]; readonly loaded_skills?: SkillState['loaded'] } = { messages: [] };
    try {
      after = (await graph.invoke(input, config)) as unknown as typeof after;
    } catch (error) {
      if (!isOrderly(error)) throw error;
    }
    const inputs = new Map(
      after.messages.flatMap((message) =>
        AIMessage.isInstance(message) ? (message.tool_calls ?? []).map(({ id, args }) => [id, args as SaidLoad] as const) : [],
      ),
    );
    const results = after.messages.flatMap((message) =>
      ToolMessage.isInstance(message) && !message.tool_call_id.startsWith('said-')
        ? [{ tool: message.name ?? '', text: message.text, input: inputs.get(message.tool_call_id) }]
        : [],
    );
    const state: SkillState = { loaded: after.loaded_skills ?? {} };
    return {
      ran,
      results: results.map(({ tool: name, text }) => ({ tool: name, text })),
      shown: JSON.stringify([model.calls, results]),
      past: {
        said: results.flatMap(({ tool: name, text, input: of }) => (name === 'load_skill' && of !== undefined ? [{ ...of, text }] : [])),
        claims: state,
        server: isSealed ? { ...state } : undefined,
      },
    };
  };

/** Skills that cannot be read end the run, and LangGraph itself may refuse an input by the schema of a channel. */
const isOrderly = (error: unknown): boolean =>
  SkillError.isInstance(error) ||
  SkillError.isInstance((error as Error).cause) ||
  ['ZodError', 'StateGraphInputError', 'InvalidUpdateError'].includes((error as Error).name);

testGateProperties('LangChain', playAs('agent'), 30);
testGateProperties('LangGraph', playAs('graph'), 30);
