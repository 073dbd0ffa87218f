import { assertKnownOptions, isInterrupt, type OptionRules, messageOf } from '@repertoire/skills-core/internal';
import {
  Annotation,
  END,
  START,
  StateGraph,
  type BaseCheckpointSaver,
  type CompiledStateGraph,
  type LangGraphRunnableConfig,
  isCommand,
} from '@langchain/langgraph';
import { SkillError } from '@repertoire/skills-core';
import { forEachBounded } from '@repertoire/skills-core/provider';
import { callRunner, refuseMissingInput } from '../run/call-runner.ts';
import { callsOfStep, callsToRun, goesThroughList, outputOfStep, type WorkflowCall } from '../run/workflow-calls.ts';
import { WorkflowError } from '../run/workflow-error.ts';
import { notify, type StepEvent, type StepPlace } from '../run/workflow-progress.ts';
import type { Workflow, WorkflowStep } from '../workflow.ts';
import { executionRules } from '../run/execute-workflow.ts';
import type { DurableWorkflowOptions } from '../engines/durable-workflow.ts';
import { recordedWorkflow as workflowOf } from '../run/workflow-record.ts';

/** The state of a workflow's graph. */
export interface WorkflowGraphState {
  /** What `$.input` leads to. The only field that a caller gives. */
  readonly input: Readonly<Record<string, unknown>>;
  /** The workflow of this run, recorded when it starts: a run that is resumed goes on with it. */
  readonly workflow: Workflow;
  /** Id of this run, made when it starts. */
  readonly workflowId: string;
  /** Outputs of the calls so far, by the id of the call. */
  readonly outputs: Readonly<Record<string, unknown>>;
  /** Output of the last step, once the run has ended. */
  readonly output: unknown;
}

/** A workflow as a compiled graph. */
export type WorkflowGraph = WorkflowGraphInvocation & CompiledStateGraph<WorkflowGraphState, Partial<WorkflowGraphState>, string>;

/** Run with an input, or with `null` to resume. The types of dynamic graphs do not say it. */
export interface WorkflowGraphInvocation {
  invoke(
    input: Pick<WorkflowGraphState, 'input'> | null,
    config?: Partial<LangGraphRunnableConfig> & { durability?: 'sync' | 'async' | 'exit' },
  ): Promise<WorkflowGraphState>;
}

/** Options of {@link workflowGraph}. */
export interface WorkflowGraphOptions extends Omit<DurableWorkflowOptions, 'concurrency'> {
  /** Where checkpoints are kept. Leave it out for a subgraph: it uses the one of its parent. */
  readonly checkpointer?: BaseCheckpointSaver | undefined;
}

/** Nodes have a blank in their names, which neither steps nor channels can have. */
const beginNode = 'begin workflow';
const endNode = 'end workflow';
const maxElementsAtOnce = 8;
/** LangGraph refuses `:` and `|`, which the names of tools can have. */
const nodeOf = ({ id }: WorkflowCall): string => `run ${id.replaceAll(/[:|%]/g, encodeURIComponent)}`;

const knownOptions: OptionRules<WorkflowGraphOptions> = {
  ...executionRules,
  checkpointer: '{}',
};

/**
 * Makes a LangGraph graph of a workflow: one node for each call, branches in parallel. It can be
 * run by itself or in a node of another graph.
 *
 * With a checkpointer and `durability: 'sync'`, a run that was killed goes on with
 * `graph.invoke(null, config)`. **Nodes run at least once**: LangGraph records a node after it
 * ended, so a node that was running when the process died runs again, with the same idempotency
 * key. The run goes on with the workflow that it started with, also if the skill has other steps by
 * then.
 *
 * @throws {SkillError} `invalid-options` for a tool or a model that is missing
 * @example
 * ```ts
 * import type { BaseCheckpointSaver } from '@langchain/langgraph';
 * import { parseWorkflow, type WorkflowTools } from '@repertoire/skill-workflow';
 * import { workflowGraph } from '@repertoire/skill-workflow/langgraph';
 * import type { Skill } from '@repertoire/skills-core';
 *
 * export async function run(skill: Skill, tools: WorkflowTools, checkpointer: BaseCheckpointSaver): Promise<unknown> {
 *   const graph = workflowGraph(parseWorkflow(skill), { tools, checkpointer });
 *   const { output } = await graph.invoke({ input: { a: 1 } }, { configurable: { thread_id: 'order-7' }, durability: 'sync' });
 *   return output;
 * }
 * ```
 */
export function workflowGraph(workflow: Workflow, all: WorkflowGraphOptions): WorkflowGraph {
  assertKnownOptions('workflowGraph', all, knownOptions);
  const { checkpointer, ...options } = all;
  // Missing tools are found here, not in the middle of a run.
  callRunner(workflow, options);
  const given = { input: Annotation<WorkflowGraphState['input']>({ reducer: (_old, next) => next, default: () => ({}) }) };
  const State = Annotation.Root({
    ...given,
    workflow: Annotation<Workflow>,
    workflowId: Annotation<string>,
    outputs: Annotation<WorkflowGraphState['outputs'], WorkflowGraphState['outputs'] | null>({
      // A second run in the same thread starts with nothing.
      reducer: (old, added) => (added === null ? {} : { ...old, ...added }),
      default: () => ({}),
    }),
    output: Annotation<unknown>,
  });

  // Node names are only known at run time. Callers give the input, never the workflow.
  const graph = new StateGraph({ state: State, input: Annotation.Root(given) }) as unknown as GraphBuilder;
  graph.addNode(beginNode, ({ input }, config) => begin(workflow, input, config));
  graph.addEdge(START, beginNode);
  let before = [beginNode];
  for (const step of workflow.steps) {
    const calls = callsOfStep(step);
    for (const call of calls) {
      graph.addNode(nodeOf(call), callNode(workflow, step, call, options));
      // Plain edges: a join forgets finished siblings when the run is resumed.
      for (const node of before) graph.addEdge(node, nodeOf(call));
    }
    before = calls.map(nodeOf);
  }
  graph.addNode(endNode, ({ outputs }) => {
    const last = workflow.steps.at(-1);
    return { output: last === undefined ? null : outputsOfSteps(workflow, [last], outputs)[last.name]?.output };
  });
  for (const node of before) graph.addEdge(node, endNode);
  graph.addEdge(endNode, END);
  const compiled = graph.compile({ name: workflow.name, ...(checkpointer !== undefined && { checkpointer }) });
  return resumeRecorded(compiled, workflow, (recorded) => workflowGraph(recorded, all));
}

interface GraphBuilder {
  addNode(name: string, run: (state: WorkflowGraphState, config: LangGraphRunnableConfig) => unknown): unknown;
  addEdge(from: string, to: string): unknown;
  compile(options: { name: string; checkpointer?: BaseCheckpointSaver }): WorkflowGraph;
}

function begin(workflow: Workflow, input: WorkflowGraphState['input'], { maxConcurrency }: LangGraphRunnableConfig) {
  // LangGraph (1.4.18 and earlier) drops the other nodes of a superstep, without an error.
  if (maxConcurrency === 1 && workflow.steps.some((step) => step.type === 'tools' && step.branches.length > 1)) {
    throw new SkillError(
      'invalid-options',
      `The workflow "${workflow.name}" has parallel branches, and with maxConcurrency 1 LangGraph would run only one of them. Set it to 2 or more.`,
      { skill: workflow.name },
    );
  }
  refuseMissingInput(workflow, input);
  return { workflow, workflowId: crypto.randomUUID(), outputs: null, output: null };
}

/** Returns the node of one call. */
function callNode(workflow: Workflow, step: WorkflowStep, call: WorkflowCall, options: Omit<WorkflowGraphOptions, 'checkpointer'>) {
  const { name, steps: all } = workflow;
  const index = all.indexOf(step);
  return async ({ workflowId, input, outputs }: WorkflowGraphState, { signal }: LangGraphRunnableConfig) => {
    const place: StepPlace = { workflow: name, workflowId, step: step.name, index: index + 1, of: all.length };
    const report = (event: StepEvent): void => notify(options.onProgress, { ...event, ...place });
    const steps = outputsOfSteps(workflow, all.slice(0, index), outputs);
    const runCall = callRunner(workflow, { ...options, workflowId, signal });
    try {
      const data = { input, steps };
      const calls = callsToRun(step, data);
      if (calls === undefined) {
        report({ type: 'step_skipped' });
        return { outputs: { [call.id]: step.type === 'tools' ? null : outputOfStep(step, undefined) } };
      }
      const run = async (one: WorkflowCall): Promise<unknown> => {
        const { output } = await runCall(one, step.name, data, (attempt, error) =>
          report({ type: 'call_retried', call: one.id, attempt, error: messageOf(error) }),
        );
        return output;
      };
      const elements: unknown[] = [];
      const isList = goesThroughList(step);
      // How many there are is known only now, so they share a node, and run again with it.
      if (isList) await forEachBounded(calls, maxElementsAtOnce, async (one, at) => void (elements[at] = await run(one)), signal);
      const output = isList ? elements : await run(call);
      const { branch } = call;
      report({ ...(branch === undefined ? { type: 'step_finished' } : { type: 'branch_finished', branch }), replayed: false });
      return { outputs: { [call.id]: output } };
    } catch (cause) {
      signal?.throwIfAborted();
      // `approve` may pause the graph, as LangGraph does that: by a throw.
      if (isInterrupt(cause)) throw cause;
      const branch = call.branch === undefined ? '' : `${call.branch}: `;
      const message = `Step "${step.name}" of the workflow "${name}" failed. ${branch}${messageOf(cause)}`;
      report({ type: 'step_failed', error: message });
      throw new WorkflowError(message, { workflow: name, step: step.name, steps, cause });
    }
  };
}

/** @throws {WorkflowError} `step-failed` for a step that has not run */
function outputsOfSteps(
  { name: workflow }: Workflow,
  steps: readonly WorkflowStep[],
  outputs: Readonly<Record<string, unknown>>,
): Record<string, { readonly output: unknown }> {
  const missing = steps.find((step) => !callsOfStep(step).every(({ id }) => Object.hasOwn(outputs, id)));
  if (missing !== undefined) {
    const { name: step } = missing;
    throw new WorkflowError(`Step "${step}" of the workflow "${workflow}" has not run.`, { workflow, step, steps: {} });
  }
  const outputOf = (step: WorkflowStep): unknown =>
    step.type === 'tools'
      ? outputOfStep(
          step,
          callsOfStep(step).map(({ id }) => outputs[id]),
        )
      : outputs[step.name];
  return Object.fromEntries(steps.map((step) => [step.name, { output: outputOf(step) }]));
}

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
function resumeRecorded<Graph>(compiled: Graph, workflow: Workflow, graphOf: (recorded: Workflow) => unknown): Graph {
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
