import { SkillError, type SkillApprovalStore, type SkillEvent } from '@repertoire/skills-core';
import { nodeBuiltin } from '@repertoire/skills-core/internal';
import type { UIMessage } from 'ai';
import type { CallOutcome, ChatChange, ChatKey, ChatSnapshot, ChatStore, StartedCall } from './chat-store.ts';

/** A row of a result. */
type Row = Readonly<Record<string, unknown>>;

/** A value of a statement. */
type Value = string | number | null;

/** `DatabaseSync` of `node:sqlite`. */
export interface SqliteFile {
  exec(sql: string): void;
  prepare(sql: string): { all(...values: Value[]): unknown[] };
}

/** The storage of a Durable Object with SQLite: `ctx.storage`. */
export interface DurableObjectSqlite {
  readonly sql: { exec(statement: string, ...values: Value[]): { toArray(): Row[] } };
  transactionSync<T>(run: () => T): T;
}

/** A binding of Cloudflare D1. */
export interface D1 {
  prepare(sql: string): D1Statement;
  batch(statements: D1Statement[]): Promise<{ readonly results: unknown[] }[]>;
}

/** A statement of D1. */
export interface D1Statement {
  bind(...values: Value[]): D1Statement;
}

/** A client or pool of PostgreSQL: `pg`, `@neondatabase/serverless`, PGlite. */
export interface PostgresClient {
  query(text: string, values: unknown[]): PromiseLike<{ readonly rows: unknown[] }>;
}

/** What {@link sqlChatStore} takes. */
export type ChatDatabase = string | SqliteFile | DurableObjectSqlite | D1 | PostgresClient;

/** A statement with its values. */
type Statement = readonly [sql: string, ...values: Value[]];

/** Runs statements in one transaction, and returns the rows of each. */
type Batch = (statements: readonly Statement[]) => Promise<readonly (readonly Row[])[]>;

/**
 * Keeps conversations in an SQL database: the path of a file (`node:sqlite`, which comes with
 * Node.js), a `DatabaseSync`, the storage of a Durable Object, a binding of D1, or a client of
 * PostgreSQL with `query(text, values)`. The first use makes two tables, `skill_chats` and
 * `skill_chat_entries`.
 *
 * @throws {SkillError} `invalid-options` for another value; `unsupported` for a path where there is
 *   no `node:sqlite`
 * @example
 * ```ts
 * import { sqlChatStore, type ChatStore } from '@repertoire/adapter-vercel-ai/chat';
 *
 * export const store: ChatStore = sqlChatStore('chat.sqlite');
 * ```
 */
export function sqlChatStore(database: ChatDatabase): ChatStore {
  return new SqlStore(new Sql('sqlChatStore', database));
}

/**
 * Keeps answers of people in a database as {@link sqlChatStore} takes it, for the option `store` of
 * `skillApprovals`: questions survive a restart, and staff may answer on another machine. The first
 * use makes a table, `skill_approvals`.
 *
 * @throws {SkillError} as `sqlChatStore`
 * @example
 * ```ts
 * import { sqlApprovalStore } from '@repertoire/adapter-vercel-ai/chat';
 * import { skillApprovals, type SkillApprovals } from '@repertoire/skills-core';
 *
 * export const approvals: SkillApprovals<undefined> = skillApprovals({ store: sqlApprovalStore('chat.sqlite') });
 * ```
 */
export function sqlApprovalStore(database: ChatDatabase): SkillApprovalStore {
  const sql = new Sql('sqlApprovalStore', database);
  const made = ['CREATE TABLE IF NOT EXISTS skill_approvals (key TEXT PRIMARY KEY, value TEXT NOT NULL)'];
  const run = async (statement: string, ...values: Value[]): Promise<readonly Row[]> =>
    (await sql.run(made, 'skill_approvals', [[statement, ...values]]))[0] ?? [];
  return {
    get: async (key) => (await run('SELECT value FROM skill_approvals WHERE key = $1', key))[0]?.['value'],
    set: (key, value) =>
      run('INSERT INTO skill_approvals (key, value) VALUES ($1, $2) ON CONFLICT (key) DO UPDATE SET value = excluded.value', key, value),
    delete: (key) => run('DELETE FROM skill_approvals WHERE key = $1', key),
    // One statement: of several that run at once, one gets the row.
    take: async (key) => (await run('DELETE FROM skill_approvals WHERE key = $1 RETURNING value', key))[0]?.['value'],
    keys: async (begin) =>
      (await run('SELECT key FROM skill_approvals WHERE substr(key, 1, length($1)) = $1', begin)).map(({ key }) => String(key)),
  };
}

// The clock of the database, which all machines share.
const sqliteNow = `CAST(unixepoch('subsec') * 1000 AS INTEGER)`;
const postgresNow = 'CAST(extract(epoch FROM clock_timestamp()) * 1000 AS bigint)';

const tables: readonly string[] = [
  `CREATE TABLE IF NOT EXISTS skill_chats (
    person TEXT NOT NULL, chat TEXT NOT NULL, title TEXT NOT NULL, revision BIGINT NOT NULL, updated_at BIGINT NOT NULL,
    writer TEXT, held_until BIGINT NOT NULL, written_by TEXT NOT NULL, stopping TEXT, PRIMARY KEY (person, chat))`,
  'CREATE INDEX IF NOT EXISTS skill_chats_newest ON skill_chats (person, updated_at)',
  `CREATE TABLE IF NOT EXISTS skill_chat_entries (
    person TEXT NOT NULL, chat TEXT NOT NULL, kind TEXT NOT NULL, id TEXT NOT NULL, place BIGINT NOT NULL, value TEXT NOT NULL,
    PRIMARY KEY (person, chat, kind, id))`,
];

/** What `$1` and `$2` are in every statement. */
const of = 'person = $1 AND chat = $2';

/** An entry as it is sent: kind, id, place, value. */
type Entry = readonly [kind: string, id: string, place: number, value: string];

/**
 * Conversations in both dialects: SQLite runs several statements in a transaction, PostgreSQL one
 * that does all.
 */
class SqlStore implements ChatStore {
  readonly #sql: Sql;
  readonly #now: string;

  constructor(sql: Sql) {
    this.#sql = sql;
    this.#now = sql.isPostgres ? postgresNow : sqliteNow;
  }

  async take(key: ChatKey, writer: string, forMs: number): Promise<ChatSnapshot | 'busy'> {
    const until = `${this.#now} + CAST($4 AS BIGINT)`;
    await this.#run([
      `INSERT INTO skill_chats (person, chat, title, revision, updated_at, writer, held_until, written_by)
       VALUES ($1, $2, '', 1, ${this.#now}, $3, ${until}, $3)
       ON CONFLICT (person, chat) DO UPDATE SET writer = excluded.writer, held_until = excluded.held_until, written_by = excluded.written_by,
         revision = skill_chats.revision + 1, stopping = NULL
       WHERE skill_chats.writer IS NULL OR skill_chats.held_until < ${this.#now}`,
      key.person,
      key.chat,
      writer,
      forMs,
    ]);
    const found = await this.read(key);
    if (found?.writer !== writer) return 'busy';
    return found;
  }

  async read({ person, chat }: ChatKey): Promise<ChatSnapshot | undefined> {
    // One statement, so that what it reads is of one moment.
    const [rows = []] = await this.#run([
      `SELECT c.title, c.revision, CASE WHEN c.held_until >= ${this.#now} THEN c.writer END AS writer, e.kind, e.id, e.value
       FROM skill_chats c LEFT JOIN skill_chat_entries e ON e.person = c.person AND e.chat = c.chat AND e.kind <> 'chunk'
       WHERE c.person = $1 AND c.chat = $2 ORDER BY e.place`,
      person,
      chat,
    ]);
    const [head] = rows;
    if (head === undefined) return undefined;
    const kept = <T>(kind: string): T[] => rows.filter((row) => row['kind'] === kind).map(({ value }) => JSON.parse(String(value)) as T);
    return {
      revision: Number(head['revision']),
      title: String(head['title']),
      writer: typeof head['writer'] === 'string' ? head['writer'] : undefined,
      messages: kept<UIMessage>('message'),
      events: kept<SkillEvent>('event'),
      calls: kept<StartedCall>('call'),
      outcomes: new Map(
        rows.filter(({ kind }) => kind === 'outcome').map(({ id, value }) => [String(id), JSON.parse(String(value)) as CallOutcome]),
      ),
    };
  }

  async write({ person, chat }: ChatKey, writer: string, revision: number, change: ChatChange): Promise<boolean> {
    const { title = null, removed = [], release = false } = change;
    const head = `UPDATE skill_chats SET revision = revision + 1, written_by = $3, updated_at = ${this.#now}, title = coalesce(CAST($5 AS TEXT), title)
      ${release ? ', writer = NULL, held_until = 0, stopping = NULL' : ''} WHERE ${of} AND writer = $3 AND revision = $4`;
    const values = [person, chat, writer, revision] as const;
    const entries = entriesOf(change);
    // Readers on other machines may still read the chunks of this turn, and nobody those of an
    // earlier one.
    const gone = `kind = 'chunk' AND ${release ? 'substr(id, 1, length($3)) <> $3' : 'FALSE'} OR kind = 'message' AND id IN`;
    const [rows = []] = !this.#sql.isPostgres
      ? (
          await this.#run(
            [head, ...values, title],
            ...(entries.length === 0 ? [] : [insertWhere(`EXISTS (${writtenHead})`, [...values, JSON.stringify(entries)])]),
            ...(removed.length === 0 && !release
              ? []
              : [
                  [
                    `DELETE FROM skill_chat_entries WHERE ${of} AND EXISTS (${writtenHead}) AND (${gone} (SELECT value FROM json_each($5)))`,
                    ...values,
                    JSON.stringify(removed),
                  ] as const,
                ]),
            [writtenHead, ...values],
          )
        ).slice(-1)
      : await this.#run([
          `WITH head AS (${head} RETURNING 1),
              gone AS (DELETE FROM skill_chat_entries WHERE ${of} AND EXISTS (SELECT 1 FROM head) AND (${gone} (SELECT jsonb_array_elements_text(CAST($7 AS jsonb))))),
              put AS (INSERT INTO skill_chat_entries (person, chat, kind, id, place, value)
                SELECT $1, $2, e ->> 0, e ->> 1, CAST(e ->> 2 AS BIGINT), e ->> 3 FROM jsonb_array_elements(CAST($6 AS jsonb)) AS list(e) WHERE EXISTS (SELECT 1 FROM head)
                ON CONFLICT (person, chat, kind, id) DO UPDATE SET value = excluded.value)
              SELECT 1 FROM head UNION ALL (${writtenHead})`,
          ...values,
          title,
          JSON.stringify(entries),
          JSON.stringify(removed),
        ]);
    return rows.length > 0;
  }

  async beat(
    { person, chat }: ChatKey,
    writer: string,
    forMs: number,
    { from, texts }: { readonly from: number; readonly texts: readonly string[] },
  ): Promise<'held' | 'stopping' | 'lost'> {
    const update = `UPDATE skill_chats SET held_until = ${this.#now} + CAST($4 AS BIGINT) WHERE ${of} AND writer = $3`;
    const entries = JSON.stringify(texts.map((text, index): Entry => ['chunk', `${writer} ${from + index}`, from + index, text]));
    const held = `SELECT stopping FROM skill_chats WHERE ${of} AND writer = $3`;
    const values = [person, chat, writer] as const;
    const rows = !this.#sql.isPostgres
      ? (
          await this.#run(
            [update, ...values, forMs],
            ...(texts.length === 0 ? [] : [insertWhere(`EXISTS (${held})`, [...values, 0, entries])]),
            [held, ...values],
          )
        ).at(-1)
      : (
          await this.#run([
            `WITH head AS (${update} RETURNING stopping),
                put AS (INSERT INTO skill_chat_entries (person, chat, kind, id, place, value)
                  SELECT $1, $2, e ->> 0, e ->> 1, CAST(e ->> 2 AS BIGINT), e ->> 3 FROM jsonb_array_elements(CAST($5 AS jsonb)) AS list(e) WHERE EXISTS (SELECT 1 FROM head)
                  ON CONFLICT (person, chat, kind, id) DO NOTHING)
                SELECT stopping FROM head`,
            ...values,
            forMs,
            entries,
          ])
        )[0];
    const [row] = rows ?? [];
    if (row === undefined) return 'lost';
    return row['stopping'] === writer ? 'stopping' : 'held';
  }

  async chunks(
    { person, chat }: ChatKey,
    writer: string,
    from: number,
  ): Promise<{ readonly texts: readonly string[]; readonly running: boolean }> {
    const [rows = []] = await this.#run([
      `SELECT e.value, CASE WHEN c.writer = $3 AND c.held_until >= ${this.#now} THEN 1 ELSE 0 END AS running FROM skill_chats c LEFT JOIN skill_chat_entries e ON e.person = c.person AND e.chat = c.chat AND e.kind = 'chunk'
         AND substr(e.id, 1, length($3)) = $3 AND e.place >= CAST($4 AS BIGINT)
       WHERE c.person = $1 AND c.chat = $2 ORDER BY e.place`,
      person,
      chat,
      writer,
      from,
    ]);
    return {
      running: Number(rows[0]?.['running'] ?? 0) === 1,
      texts: rows.flatMap(({ value }) => (typeof value === 'string' ? [value] : [])),
    };
  }

  async stop({ person, chat }: ChatKey): Promise<void> {
    await this.#run([`UPDATE skill_chats SET stopping = writer WHERE ${of}`, person, chat]);
  }

  async end({ person, chat }: ChatKey, call: string, outcome: CallOutcome): Promise<void> {
    await this.#run([
      `INSERT INTO skill_chat_entries (person, chat, kind, id, place, value)
       SELECT person, chat, 'outcome', id, place, CAST($4 AS TEXT) FROM skill_chat_entries WHERE ${of} AND kind = 'call' AND id = $3
       ON CONFLICT (person, chat, kind, id) DO NOTHING`,
      person,
      chat,
      call,
      JSON.stringify(outcome),
    ]);
  }

  async list(person: string, limit: number): Promise<readonly { id: string; title: string; updatedAt: number }[]> {
    const [rows = []] = await this.#run([
      `SELECT chat, title, updated_at FROM skill_chats WHERE person = $1 AND title <> '' ORDER BY updated_at DESC, chat LIMIT $2`,
      person,
      limit,
    ]);
    return rows.map((row) => ({ id: String(row['chat']), title: String(row['title']), updatedAt: Number(row['updated_at']) }));
  }

  async remove({ person, chat }: ChatKey, writer: string): Promise<void> {
    const values = [person, chat, writer] as const;
    const entries = `DELETE FROM skill_chat_entries WHERE ${of} AND EXISTS (SELECT 1 FROM skill_chats WHERE ${of} AND writer = $3)`;
    const head = `DELETE FROM skill_chats WHERE ${of} AND writer = $3`;
    if (!this.#sql.isPostgres) await this.#run([entries, ...values], [head, ...values]);
    else await this.#run([`WITH gone AS (${entries}) ${head}`, ...values]);
  }

  async #run(...statements: readonly Statement[]): Promise<readonly (readonly Row[])[]> {
    return await this.#sql.run(tables, 'skill_chats, skill_chat_entries', statements);
  }
}

/** The head that a writer has just written. It is free by now, if the writer released it. */
const writtenHead = `SELECT 1 FROM skill_chats WHERE ${of} AND written_by = $3 AND revision = $4 + 1`;

/** SQLite: puts entries if the condition holds. `$5` are the entries. */
function insertWhere(condition: string, values: readonly Value[]): Statement {
  return [
    `INSERT INTO skill_chat_entries (person, chat, kind, id, place, value)
     SELECT $1, $2, value ->> 0, value ->> 1, value ->> 2, value ->> 3 FROM json_each($5) WHERE ${condition}
     ON CONFLICT (person, chat, kind, id) DO UPDATE SET value = excluded.value`,
    ...values,
  ];
}

function entriesOf({ messages = [], events = [], started }: ChatChange): Entry[] {
  return [
    ...messages.map(({ position, message }): Entry => ['message', message.id, position, JSON.stringify(message)]),
    ...events.map(({ position, event }): Entry => ['event', String(position), position, JSON.stringify(event)]),
    ...(started === undefined ? [] : [['call', started.call.id, started.position, JSON.stringify(started.call)] as const]),
  ];
}

/** The statements are written for PostgreSQL; SQLite numbers its values by `?1`. */
const forSqlite = (sql: string): string => sql.replaceAll('$', '?');

/** A database that has its tables. */
class Sql {
  readonly isPostgres: boolean;
  readonly #batch: Batch;
  #tables: Promise<unknown> | undefined;

  /** @param caller whose argument it is */
  constructor(caller: string, database: ChatDatabase) {
    const given: unknown = typeof database === 'string' ? openFile(caller, database) : database;
    const has = (name: string): boolean => typeof given === 'object' && given !== null && name in given;
    // D1 has a `query` as well.
    this.isPostgres = !has('batch') && !has('prepare') && has('query');
    if (has('transactionSync')) this.#batch = objectBatch(given as DurableObjectSqlite);
    else if (has('batch')) this.#batch = d1Batch(given as D1);
    else if (has('prepare') && has('exec')) this.#batch = sqliteBatch(given as SqliteFile);
    else if (this.isPostgres) this.#batch = postgresBatch(given as PostgresClient);
    else
      throw new SkillError(
        'invalid-options',
        `${caller} takes the path of a file, a DatabaseSync, the storage of a Durable Object, a binding of D1, or a client of PostgreSQL with query(text, values).`,
      );
  }

  async run(made: readonly string[], names: string, statements: readonly Statement[]): Promise<readonly (readonly Row[])[]> {
    this.#tables ??= this.#make(made, names, 3).catch((error: unknown) => {
      this.#tables = undefined;
      throw error;
    });
    await this.#tables;
    return await this.#batch(statements);
  }

  /**
   * PostgreSQL refuses who makes a table at the same moment as somebody else, and who may make
   * none, even if it is there.
   */
  async #make(made: readonly string[], names: string, tries: number): Promise<void> {
    try {
      await this.#batch(made.map((sql) => [sql] as const));
    } catch (error) {
      const isThere = await this.#batch([[`SELECT 1 FROM ${names} LIMIT 1`]]).then(
        () => true,
        () => false,
      );
      if (isThere) return;
      if (tries === 1) throw error;
      await this.#make(made, names, tries - 1);
    }
  }
}

function openFile(caller: string, path: string): SqliteFile {
  const { DatabaseSync } = nodeBuiltin('node:sqlite');
  if (DatabaseSync === undefined)
    throw new SkillError('unsupported', `There is no node:sqlite here to open ${JSON.stringify(path)}. Give ${caller} a database.`);
  return new DatabaseSync(path) as SqliteFile;
}

function postgresBatch(client: PostgresClient): Batch {
  return async (statements) => {
    const rows: (readonly Row[])[] = [];
    for (const [sql, ...values] of statements) rows.push((await client.query(sql, values)).rows as Row[]);
    return rows;
  };
}

function sqliteBatch(database: SqliteFile): Batch {
  // Processes that share a file wait for each other, and readers for nobody.
  database.exec('PRAGMA busy_timeout = 10000; PRAGMA journal_mode = WAL');
  const prepared = new Map<string, ReturnType<SqliteFile['prepare']>>();
  return async (statements) => {
    database.exec('BEGIN IMMEDIATE');
    try {
      const rows = statements.map(([sql, ...values]) => {
        const statement = prepared.get(sql) ?? database.prepare(forSqlite(sql));
        prepared.set(sql, statement);
        return statement.all(...values) as Row[];
      });
      database.exec('COMMIT');
      return rows;
    } catch (error) {
      database.exec('ROLLBACK');
      throw error;
    }
  };
}

function objectBatch(storage: DurableObjectSqlite): Batch {
  return async (statements) =>
    storage.transactionSync(() => statements.map(([sql, ...values]) => storage.sql.exec(forSqlite(sql), ...values).toArray()));
}

function d1Batch(database: D1): Batch {
  return async (statements) => {
    const results = await database.batch(statements.map(([sql, ...values]) => database.prepare(forSqlite(sql)).bind(...values)));
    return results.map(({ results: rows }) => rows as Row[]);
  };
}
