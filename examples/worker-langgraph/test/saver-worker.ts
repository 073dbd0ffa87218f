import { AsyncLocalStorage } from 'node:async_hooks';
import { DurableObject } from 'cloudflare:workers';
import type { RunnableConfig } from '@langchain/core/runnables';
import { AsyncLocalStorageProviderSingleton } from '@langchain/core/singletons';
import { Annotation, Command, END, interrupt, MemorySaver, Send, START, StateGraph } from '@langchain/langgraph';
import type { BaseCheckpointSaver, Checkpoint, CheckpointMetadata, PendingWrite } from '@langchain/langgraph-checkpoint';
import { DurableObjectSaver } from '../src/durable-object-saver.ts';

AsyncLocalStorageProviderSingleton.initializeGlobalInstance(new AsyncLocalStorage());

/** Stores everything twice: in memory, and in the SQLite of a Durable Object. */
class TwofoldSaver extends MemorySaver {
  readonly other: DurableObjectSaver;

  constructor(other: DurableObjectSaver) {
    super();
    this.other = other;
  }

  override async put(config: RunnableConfig, checkpoint: Checkpoint, metadata: CheckpointMetadata): Promise<RunnableConfig> {
    await this.other.put(config, checkpoint, metadata);
    return super.put(config, checkpoint, metadata);
  }

  override async putWrites(config: RunnableConfig, writes: PendingWrite[], task: string): Promise<void> {
    await this.other.putWrites(config, writes, task);
    await super.putWrites(config, writes, task);
  }
}

/**
 * Runs a graph with parallel tasks, questions and a subgraph in two threads, and returns what each
 * saver says about them.
 */
export class SaverObject extends DurableObject {
  override async fetch(): Promise<Response> {
    const other = new DurableObjectSaver(this.ctx.storage.sql);
    const saver = new TwofoldSaver(other);
    for (const thread_id of ['a', 'b']) await run(saver, { configurable: { thread_id } });
    const stored = await Array.fromAsync(saver.list({}), ({ config }) => config);
    const answers = async () => ({ memory: await answersOf(saver, stored), sqlite: await answersOf(other, stored) });
    const before = await answers();
    for (const each of [saver, other]) await each.deleteThread('a');
    return Response.json({ before, after: await answers() });
  }
}

async function run(checkpointer: BaseCheckpointSaver, config: RunnableConfig): Promise<void> {
  const State = Annotation.Root({ words: Annotation<string[]>({ reducer: (left, right) => [...left, ...right], default: () => [] }) });
  const inner = new StateGraph(State)
    .addNode('say', () => ({ words: ['inner'] }))
    .addEdge(START, 'say')
    .addEdge('say', END)
    .compile();
  const graph = new StateGraph(State)
    .addNode('ask', ({ words }) => ({
      words: words.includes('ask') ? [interrupt<string, string>('Which?'), interrupt<string, string>('Sure?')] : ['silent'],
    }))
    .addNode('inner', inner)
    .addConditionalEdges(START, () => [new Send('ask', { words: ['ask'] }), new Send('ask', { words: [] })])
    .addEdge('ask', 'inner')
    .addEdge('inner', END)
    .compile({ checkpointer });
  await graph.invoke({ words: ['first'] }, config);
  for (const resume of ['this one', 'yes']) await graph.invoke(new Command({ resume }), config);
}

async function answersOf(saver: BaseCheckpointSaver, stored: readonly RunnableConfig[]): Promise<unknown[]> {
  const newest = ['a', 'b'].map((thread_id) => ({ configurable: { thread_id } }));
  const root = { configurable: { thread_id: 'b', checkpoint_ns: '' } };
  const before = stored.filter(({ configurable }) => configurable?.['thread_id'] === 'b').at(2);
  const lists = [
    saver.list(root),
    saver.list(root, { limit: 2 }),
    saver.list(root, { filter: { source: 'input' } }),
    saver.list(root, before === undefined ? {} : { before }),
  ];
  const tuples = await Promise.all([...stored, ...newest].map((config) => saver.getTuple(config)));
  return [...tuples.map((tuple) => tuple ?? 'none'), ...(await Promise.all(lists.map((list) => Array.fromAsync(list))))];
}

const worker: ExportedHandler<{ readonly CONVERSATIONS: DurableObjectNamespace<SaverObject> }> = {
  fetch: (request, { CONVERSATIONS }) => CONVERSATIONS.get(CONVERSATIONS.newUniqueId()).fetch(request),
};
export default worker;
