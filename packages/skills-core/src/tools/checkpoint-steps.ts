import { SkillError } from '../errors/skill-error.ts';
import { hashText } from '../providers/digest/hash-text.ts';
import { keyOf } from './call-key.ts';
import type { SkillEngine } from './skill-tool.ts';

/** The used part of LangGraph. */
export interface LangGraphLike {
  task(options: never, work: () => Promise<void>): () => Promise<unknown>;
  isGraphBubbleUp(error: unknown): boolean;
}

/** The used part of the configuration or runtime that a node, an entrypoint or a tool gets. */
export interface LangGraphConfigLike {
  readonly configurable?: Readonly<Record<string, unknown>> | undefined;
  readonly signal?: AbortSignal | undefined;
  readonly durability?: unknown;
}

interface Place {
  readonly configurable: { readonly thread_id: unknown; readonly checkpoint_ns: string; readonly checkpoint_id: unknown };
}

interface SaverLike {
  getTuple(place: Place): Promise<{ readonly pendingWrites?: readonly (readonly [string, string, unknown])[] | undefined } | undefined>;
  putWrites(place: Place, writes: readonly [string, unknown][], taskId: string): Promise<void>;
}

const channel = 'skill_step';
const mostWaitMs = 2000;

/**
 * Returns the id of the task that a node, entrypoint or tool runs in: the same when the graph is
 * resumed.
 */
export function taskIdOf({ configurable }: LangGraphConfigLike): string | undefined {
  const namespace = configurable?.['checkpoint_ns'];
  return typeof namespace === 'string' && namespace.includes(':') ? namespace.slice(namespace.lastIndexOf(':') + 1) : undefined;
}

/**
 * Makes LangGraph a durable engine: each step is a task of its functional API, so that it can be
 * interrupted by itself. LangGraph does not wait until a result is recorded, so each result is
 * also a pending write of the checkpoint, under the id of the step, before the next step starts.
 *
 * @returns `undefined` where nothing is recorded: without a checkpointer, with `durability: 'exit'`
 */
export function checkpointSteps(
  { task, isGraphBubbleUp }: LangGraphLike,
  config: LangGraphConfigLike,
  retry?: unknown,
): SkillEngine | undefined {
  const { configurable = {}, signal, durability } = config;
  const taskId = taskIdOf(config);
  const namespace = String(configurable['checkpoint_ns']);
  const saver = configurable['__pregel_checkpointer'] as SaverLike | boolean | undefined;
  if (taskId === undefined || typeof saver !== 'object' || durability === 'exit') return undefined;
  const parent = namespace.slice(0, Math.max(0, namespace.lastIndexOf('|')));
  const checkpoints = configurable['checkpoint_map'] as Readonly<Record<string, unknown>> | undefined;
  const { thread_id } = configurable;
  const place: Place = { configurable: { thread_id, checkpoint_ns: parent, checkpoint_id: checkpoints?.[parent] } };
  let reading: Promise<Map<string, unknown>> | undefined;

  return {
    workflowId: `${keyOf([String(thread_id)])}:${taskId}`,
    isInterrupt: isGraphBubbleUp,
    async runStep<Value>(id: string, work: (signal?: AbortSignal) => Promise<Value>) {
      const entry = `step-${hashText(JSON.stringify([taskId, id]))}`;
      // LangGraph gives `:` and `|` in a name a meaning of their own.
      const options = { name: id.replaceAll(/[:|]/g, '-'), ...(retry !== undefined && { retry }) };
      const step = task(options as never, async () => {
        const recorded = await (reading ??= stepsAt(saver, place));
        if (recorded.has(entry)) return;
        const json = JSON.stringify((await work(signal)) ?? null);
        await saver.putWrites(place, [[channel, json]], entry);
        recorded.set(entry, json);
      });
      await step();
      const recorded = await (reading ??= stepsAt(saver, place));
      return JSON.parse(String(recorded.get(entry))) as Value;
    },
  };
}

/**
 * The steps that are recorded at a checkpoint.
 *
 * @throws {SkillError} `invalid-options` if LangGraph does not record the checkpoint
 */
async function stepsAt(saver: SaverLike, place: Place): Promise<Map<string, unknown>> {
  for (let waitMs = 1; waitMs <= mostWaitMs; waitMs *= 2) {
    const found = await saver.getTuple(place);
    if (found !== undefined)
      return new Map(found.pendingWrites?.flatMap(([id, name, json]) => (name === channel ? [[id, json] as const] : [])));
    // With `durability: 'async'`, a node may run while its checkpoint is being written.
    await new Promise<void>((resolve) => void setTimeout(resolve, waitMs));
  }
  throw new SkillError(
    'invalid-options',
    "LangGraph does not record the steps of this run while it runs. Give the graph a checkpointer, and invoke it with durability 'sync' or 'async', not with 'exit'.",
  );
}
