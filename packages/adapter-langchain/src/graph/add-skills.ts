import type { BaseMessage } from '@langchain/core/messages';
import type { RunnableConfig } from '@langchain/core/runnables';
import { END, START } from '@langchain/langgraph';
import { toolsCondition } from '@langchain/langgraph/prebuilt';
import type { AddSkillsOptions, SkillsNodeName } from './add-skills-options.ts';
import type { LangGraphSkills } from './langgraph-parts.ts';
import type { SkillsState } from './skills-graph-state.ts';

/** The part of a graph that adds nodes and edges, whatever its types are. */
interface AnyGraph {
  addNode(name: string, node: (state: never, config: RunnableConfig) => Promise<object>): unknown;
  addEdge(from: string, to: string): unknown;
  addConditionalEdges(from: string, path: (state: { messages: BaseMessage[] }) => string, to: string[]): unknown;
}

/** Adds the nodes and edges of an agent with skills. */
export function addSkills<State extends SkillsState, Node extends string>(
  skills: Pick<LangGraphSkills, 'catalogNode' | 'commandNode' | 'loadSkillsNode' | 'modelNode' | 'toolNode' | 'close'>,
  graph: AnyGraph,
  { model, select, commands = false, from, to, ...options }: AddSkillsOptions<State, Node>,
  { begins, closes }: { readonly begins: boolean; readonly closes: boolean },
): void {
  let last: string = from ?? START;
  const append = (name: SkillsNodeName, node: Parameters<AnyGraph['addNode']>[1]): void => {
    graph.addNode(name, node);
    graph.addEdge(last, name);
    last = name;
  };
  if (begins) append('begin_run', skills.catalogNode);
  if (commands) append('run_command', skills.commandNode);
  if (select !== undefined) append('load_skills', skills.loadSkillsNode(select));
  append('model', skills.modelNode<State>(model, options));
  graph.addNode('tools', skills.toolNode(options.tools));
  graph.addEdge('tools', 'model');
  const end = closes ? 'close_skills' : (to ?? END);
  graph.addConditionalEdges('model', (state) => (toolsCondition(state) === END ? end : 'tools'), ['tools', end]);
  if (!closes) return;
  graph.addNode('close_skills', async (state: SkillsState, config) => {
    await skills.close(state, config);
    return {};
  });
  graph.addEdge('close_skills', to ?? END);
}
