import { isCommand, type BaseCheckpointSaver, type LangGraphRunnableConfig } from '@langchain/langgraph';
import type { Workflow } from '../workflow.ts';
import { recordedWorkflow as workflowOf } from '../run/workflow-record.ts';

/** The used parts of a compiled graph. Every way to run it ends in `_streamIterator`. */
interface RunnableGraph {
  readonly config?: LangGraphRunnableConfig | undefined;
  readonly checkpointer?: BaseCheckpointSaver | boolean | undefined;
  _streamIterator(input: unknown, options?: LangGraphRunnableConfig): AsyncGenerator;
  withConfig(config: LangGraphRunnableConfig): RunnableGraph;
}

/** LangGraph tells a subgraph by these that it is resumed, and its parent's checkpointer. */
const resumingKey = '__pregel_resuming';
const checkpointerKey = '__pregel_checkpointer';

/**
 * The same graph, in which a run that is resumed goes on with the workflow that it recorded when it
 * started. A graph of another workflow does not have the nodes that are due, and LangGraph would
 * end the run without a word.
 *
 * @param graphOf the graph of a recorded workflow
 */
export function resumeRecorded<Graph>(compiled: Graph, workflow: Workflow, graphOf: (recorded: Workflow) => unknown): Graph {
  const graph = compiled as unknown as RunnableGraph;
  // The SDK's own name for it.
  const { _streamIterator: streamOf } = graph;
  const stream = streamOf.bind(graph);
  const withConfig = graph.withConfig.bind(graph);
  const changed: Pick<RunnableGraph, '_streamIterator' | 'withConfig'> = {
    async *_streamIterator(input, options) {
      const recorded = isResumed(input, options) ? await recordedWorkflow(graph, workflow, options) : undefined;
      if (recorded === undefined || JSON.stringify(recorded) === JSON.stringify(workflow)) return yield* stream(input, options);
      const begun = graphOf(recorded) as RunnableGraph;
      const configured = graph.config === undefined ? begun : begun.withConfig(graph.config);
      const { _streamIterator: begunStream } = configured;
      return yield* begunStream.call(configured, input, options);
    },
    withConfig: (config) => resumeRecorded(withConfig(config), workflow, graphOf),
  };
  return Object.assign(compiled as object, changed) as Graph;
}

function isResumed(input: unknown, options: LangGraphRunnableConfig | undefined): boolean {
  return input === null || isCommand(input) || options?.configurable?.[resumingKey] === true;
}

/**
 * @throws {SkillError} `workflow-changed` for a run that recorded a workflow that cannot run
 */
async function recordedWorkflow(
  { config, checkpointer }: RunnableGraph,
  { name }: Workflow,
  options: LangGraphRunnableConfig | undefined,
): Promise<Workflow | undefined> {
  const configurable = { ...config?.configurable, ...options?.configurable };
  const saver = (configurable[checkpointerKey] ?? checkpointer) as BaseCheckpointSaver | boolean | undefined;
  if (typeof saver !== 'object' || configurable['thread_id'] === undefined) return undefined;
  const values = (await saver.getTuple({ configurable }))?.checkpoint.channel_values;
  if (values?.['workflow'] !== undefined) return workflowOf(values['workflow'], name);
  // Nothing has begun yet.
  return undefined;
}
