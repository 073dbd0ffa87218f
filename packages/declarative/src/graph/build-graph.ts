import {
  END,
  START,
  StateGraph,
  type BaseChannel,
  type CompiledStateGraph,
  type StateDefinition,
  type StateGraphNodeSpec,
} from '@langchain/langgraph';
import type { LoadedSkills, LoadedTools, SkillsGraphState, SkillsState } from '@repertoire/adapter-langchain/langgraph';
import { AIMessage, type BaseMessage, type BaseMessageLike } from '@langchain/core/messages';
import type { RunnableConfig } from '@langchain/core/runnables';
import { endName, startName } from '../plan/plan-edges.ts';
import type { AgentPlan, EdgePlan, NodePlan } from '../plan/agent-plan.ts';
import type { NodeUpdate, RunNode } from './call-llm.ts';
import type { OpenScope } from './scope.ts';
import { stateSchema } from './state-channels.ts';

/** The state of an agent: messages, loaded skills, and the channels of the file. */
export interface AgentState extends SkillsGraphState {
  readonly messages: BaseMessage[];
  readonly [channel: string]: unknown;
}

/** The input of an agent. */
export interface AgentInput {
  readonly messages?: BaseMessageLike | readonly BaseMessageLike[] | undefined;
  readonly [channel: string]: unknown;
}

/** The output of an agent, for the types of LangGraph. */
export type AgentOutput = {
  messages: BaseChannel<BaseMessage[]>;
  loaded_skills: BaseChannel<LoadedSkills>;
  loaded_tools: BaseChannel<LoadedTools>;
} & { [channel: string]: BaseChannel };

/** A normal LangGraph graph, with checkpointers, streams, interrupts and drawing. */
export type AgentGraph = CompiledStateGraph<AgentState, AgentInput, string, StateDefinition, AgentOutput>;

/** Options for compiling a graph: those of LangGraph's own `compile`. */
export type AgentGraphOptions = Omit<NonNullable<Parameters<StateGraph<object>['compile']>[0]>, 'name'>;

/** What the nodes of a graph do. */
export interface GraphParts {
  readonly runnerOf: (node: NodePlan) => RunNode;
  readonly openScope: OpenScope;
}

interface DynamicGraph {
  addNode(
    name: string,
    run: (state: SkillsState, config: RunnableConfig) => Promise<NodeUpdate>,
    options: Partial<StateGraphNodeSpec<object, object>>,
  ): void;
  addEdge(from: string, to: string): void;
  addConditionalEdges(
    from: string,
    route: (state: SkillsState, config: RunnableConfig) => Promise<string | string[]>,
    targets: Record<string, string>,
  ): void;
  compile(options: AgentGraphOptions & { name?: string }): AgentGraph;
}

const toolCalls = 'tool calls';

/** Builds the graph of a plan. */
export function buildGraph(plan: AgentPlan, { runnerOf, openScope }: GraphParts, options: AgentGraphOptions = {}): AgentGraph {
  const graph = new StateGraph(stateSchema(plan.channels)) as unknown as DynamicGraph;
  for (const node of plan.nodes) graph.addNode(node.name, runnerOf(node), { metadata: { node: node.type } });
  for (const edge of plan.edges) addEdges(graph, edge, openScope);
  return graph.compile({ ...options, ...(plan.name !== undefined && { name: plan.name }) });
}

function addEdges(graph: DynamicGraph, edge: EdgePlan, openScope: OpenScope): void {
  const source = nodeOf(edge.source);
  const { branches, callsTo, targets } = edge;
  if (branches.length === 0 && callsTo === null) {
    for (const target of targets) graph.addEdge(source, nodeOf(target));
    return;
  }
  // The keys are the labels of a drawing. A label that equals its target is not drawn.
  const paths: Record<string, string> = {};
  const add = (label: string | undefined, target: string): string => {
    let key = label ?? nodeOf(target);
    for (let number = 2; Object.hasOwn(paths, key) && paths[key] !== nodeOf(target); number += 1) key = `${label ?? target} ${number}`;
    paths[key] = nodeOf(target);
    return key;
  };
  const calls = callsTo === null ? null : add(toolCalls, callsTo);
  const choices = branches.map(({ condition, target, label }) => ({ condition, key: add(label, target) }));
  const others = targets.map((target) => add(undefined, target));
  const conditions = branches.map(({ condition }) => condition);

  graph.addConditionalEdges(
    source,
    async (state, config) => {
      if (calls !== null && callsTools(state)) return calls;
      const { variables } = await openScope(state, config, conditions);
      return choices.find(({ condition }) => condition.evaluate(variables) === true)?.key ?? others;
    },
    paths,
  );
}

function nodeOf(name: string): string {
  if (name === startName) return START;
  return name === endName ? END : name;
}

function callsTools({ messages }: SkillsState): boolean {
  const last = messages.at(-1);
  return last !== undefined && AIMessage.isInstance(last) && (last.tool_calls?.length ?? 0) > 0;
}
