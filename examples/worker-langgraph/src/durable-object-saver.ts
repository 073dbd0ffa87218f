import type { RunnableConfig } from '@langchain/core/runnables';
import {
  BaseCheckpointSaver,
  copyCheckpoint,
  getCheckpointId,
  WRITES_IDX_MAP,
  type Checkpoint,
  type CheckpointListOptions,
  type CheckpointMetadata,
  type CheckpointPendingWrite,
  type CheckpointTuple,
  type PendingWrite,
  type SerializerProtocol,
} from '@langchain/langgraph-checkpoint';

/**
 * A value as LangGraph serializes it: the name of the format and the bytes. A database returns the
 * bytes as an `ArrayBuffer`.
 */
type Stored = readonly [type: string, bytes: ArrayBuffer];

type CheckpointRow = Record<'parent' | 'type' | 'metadata_type', string> & Record<'checkpoint' | 'metadata', ArrayBuffer>;
type WriteRow = Record<'task' | 'channel' | 'type', string> & { value: ArrayBuffer };

const tables = `
  CREATE TABLE IF NOT EXISTS checkpoints (
    thread TEXT, namespace TEXT, id TEXT, parent TEXT, type TEXT, checkpoint BLOB, metadata_type TEXT, metadata BLOB,
    PRIMARY KEY (thread, namespace, id)
  );
  CREATE TABLE IF NOT EXISTS writes (
    thread TEXT, namespace TEXT, checkpoint TEXT, path TEXT, task TEXT, place INTEGER, channel TEXT, type TEXT, value BLOB,
    PRIMARY KEY (thread, namespace, checkpoint, task, place)
  );`;

/**
 * Stores the checkpoints of LangGraph in the SQLite of a Durable Object. Statements without an
 * `await` between them are one transaction, so no checkpoint and no list of writes is stored
 * partially. Nothing leaves the object before the writes are durable.
 *
 * A row of a Durable Object holds at most 2 MB, and so does one state of a conversation.
 */
export class DurableObjectSaver extends BaseCheckpointSaver {
  readonly #sql: SqlStorage;

  constructor(sql: SqlStorage, serde?: SerializerProtocol) {
    super(serde);
    this.#sql = sql;
    sql.exec(tables);
  }

  override async getTuple(config: RunnableConfig): Promise<CheckpointTuple | undefined> {
    const { thread_id: thread, checkpoint_ns: namespace = '' } = config.configurable ?? {};
    const id = getCheckpointId(config) || this.#newestId(thread, namespace);
    const [row] = this.#sql
      .exec<CheckpointRow>('SELECT * FROM checkpoints WHERE thread = ? AND namespace = ? AND id = ?', thread ?? null, namespace, id)
      .toArray();
    if (row === undefined) return undefined;
    const writes = this.#sql
      .exec<WriteRow>(
        // The order in which a run applies them. SQLite compares text by code point, as LangGraph
        // requires.
        'SELECT * FROM writes WHERE thread = ? AND namespace = ? AND checkpoint = ? ORDER BY path, task, place',
        thread,
        namespace,
        id,
      )
      .toArray();
    const place = (checkpoint_id: string) => ({ configurable: { thread_id: thread, checkpoint_ns: namespace, checkpoint_id } });
    return {
      config: place(id),
      checkpoint: await this.#load<Checkpoint>([row.type, row.checkpoint]),
      metadata: await this.#load<CheckpointMetadata>([row.metadata_type, row.metadata]),
      ...(row.parent !== null && { parentConfig: place(row.parent) }),
      pendingWrites: await Promise.all(
        writes.map(async ({ task, channel, type, value }): Promise<CheckpointPendingWrite> => [
          task,
          channel,
          await this.#load([type, value]),
        ]),
      ),
    };
  }

  override async *list(config: RunnableConfig, options: CheckpointListOptions = {}): AsyncGenerator<CheckpointTuple> {
    const { limit = Infinity, before, filter = {} } = options;
    const { thread_id, checkpoint_ns, checkpoint_id } = config.configurable ?? {};
    const found = this.#sql
      .exec<Record<'thread_id' | 'checkpoint_ns' | 'checkpoint_id', string>>(
        `SELECT thread AS thread_id, namespace AS checkpoint_ns, id AS checkpoint_id FROM checkpoints
         WHERE thread = ifnull(?, thread) AND namespace = ifnull(?, namespace) AND id = ifnull(?, id) AND id < ifnull(?, '~') ORDER BY id DESC`,
        thread_id ?? null,
        checkpoint_ns ?? null,
        checkpoint_id ?? null,
        before?.configurable?.['checkpoint_id'] ?? null,
      )
      .toArray();
    let left = limit;
    for (const configurable of found) {
      if (left <= 0) return;
      const tuple = await this.getTuple({ configurable });
      const metadata: Record<string, unknown> = { ...tuple?.metadata };
      if (tuple === undefined || !Object.entries(filter).every(([key, value]) => metadata[key] === value)) continue;
      left -= 1;
      yield tuple;
    }
  }

  override async put(config: RunnableConfig, checkpoint: Checkpoint, metadata: CheckpointMetadata): Promise<RunnableConfig> {
    const { thread, namespace, parent } = placeOf(config);
    const [kept, about] = await Promise.all([this.#dump(copyCheckpoint(checkpoint)), this.#dump(metadata)]);
    const row = [thread, namespace, checkpoint.id, parent, ...kept, ...about];
    this.#sql.exec('INSERT OR REPLACE INTO checkpoints VALUES (?, ?, ?, ?, ?, ?, ?, ?)', ...row);
    return { configurable: { thread_id: thread, checkpoint_ns: namespace, checkpoint_id: checkpoint.id } };
  }

  override async putWrites(config: RunnableConfig, writes: PendingWrite[], task: string, path = ''): Promise<void> {
    const { thread, namespace, parent } = placeOf(config);
    if (parent === null) throw new Error('DurableObjectSaver.putWrites needs a `checkpoint_id` in `configurable`.');
    const rows = await Promise.all(
      writes.map(async ([channel, value], index) => {
        // Errors, interrupts and their answers have fixed negative indexes and are replaced; other
        // writes of a task are written once.
        const place = WRITES_IDX_MAP[channel] ?? index;
        return [thread, namespace, parent, path, task, place, channel, ...(await this.#dump(value))];
      }),
    );
    for (const row of rows) {
      this.#sql.exec(
        `INSERT INTO writes VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
         ON CONFLICT DO UPDATE SET channel = excluded.channel, type = excluded.type, value = excluded.value WHERE place < 0`,
        ...row,
      );
    }
  }

  override async deleteThread(thread: string): Promise<void> {
    this.#sql.exec('DELETE FROM checkpoints WHERE thread = ?', thread);
    this.#sql.exec('DELETE FROM writes WHERE thread = ?', thread);
  }

  #newestId(thread: unknown, namespace: string): string {
    const [row] = this.#sql
      .exec<{ id: string }>(
        'SELECT id FROM checkpoints WHERE thread = ? AND namespace = ? ORDER BY id DESC LIMIT 1',
        thread ?? null,
        namespace,
      )
      .toArray();
    return row?.id ?? '';
  }

  async #dump(value: unknown): Promise<Stored> {
    const [type, bytes] = await this.serde.dumpsTyped(value);
    return [type, bytes.slice().buffer];
  }

  async #load<Value>([type, bytes]: Stored): Promise<Value> {
    return (await this.serde.loadsTyped(type, new Uint8Array(bytes))) as Value;
  }
}

/** Location of a checkpoint. `checkpoint_id` is that of the previous one. */
function placeOf({ configurable = {} }: RunnableConfig): { thread: string; namespace: string; parent: string | null } {
  const { thread_id: thread, checkpoint_ns: namespace = '', checkpoint_id: parent = null } = configurable;
  if (typeof thread !== 'string')
    throw new Error('DurableObjectSaver needs a `thread_id` in `configurable`: the name of the conversation.');
  return { thread, namespace, parent };
}
