import type { DatabaseSync } from 'node:sqlite';
import { SkillError, type SkillApprovalStore } from '@repertoire/skills-core';
import type { Storage } from 'unstorage';

/** Any client of PostgreSQL that takes a text and its values: `pg`, PGlite, and others. */
export interface PostgresClient {
  query(text: string, values: unknown[]): Promise<{ rows: unknown[] }>;
}

/** In PostgreSQL: `create table approvals (key text primary key, value text not null)`. */
export function postgresApprovalStore(client: PostgresClient): SkillApprovalStore {
  const texts = async (text: string, ...values: unknown[]) => (await client.query(text, values)).rows as { key: string; value: string }[];
  return {
    get: async (key) => (await texts('select value from approvals where key = $1', key))[0]?.value,
    set: (key, value) => texts('insert into approvals values ($1, $2) on conflict (key) do update set value = excluded.value', key, value),
    delete: (key) => texts('delete from approvals where key = $1', key),
    // One statement: of several that run at once, one gets the row.
    take: async (key) => (await texts('delete from approvals where key = $1 returning value', key))[0]?.value,
    keys: async (prefix) => (await texts('select key from approvals where starts_with(key, $1)', prefix)).map(({ key }) => key),
  };
}

/** In SQLite of Node. The table is made if there is none. */
export function sqliteApprovalStore(database: DatabaseSync): SkillApprovalStore {
  database.exec('pragma busy_timeout = 5000; create table if not exists approvals (key text primary key, value text not null) strict');
  const read = database.prepare('select value from approvals where key = ?');
  const write = database.prepare('insert into approvals values (?, ?) on conflict (key) do update set value = excluded.value');
  const remove = database.prepare('delete from approvals where key = ?');
  const take = database.prepare('delete from approvals where key = ? returning value');
  const list = database.prepare('select key from approvals where substr(key, 1, length(?1)) = ?1');
  return {
    get: (key) => read.get(key)?.['value'],
    set: (key, value) => write.run(key, value),
    delete: (key) => remove.run(key),
    take: (key) => take.get(key)?.['value'],
    keys: (prefix) => list.all(prefix).map(({ key }) => String(key)),
  };
}

/** How a client of a driver reads and deletes in one step. */
type TakeOf = (instance: unknown) => ((key: string) => unknown) | undefined;
const takes: Readonly<Record<string, TakeOf>> = {
  // Nothing else runs between the two in this process, which alone has the data.
  memory: (instance) => (instance instanceof Map ? takeOfMap(instance) : undefined),
  redis: (instance) => takeOfRedis(instance),
  upstash: (instance) => takeOfRedis(instance),
};

/**
 * In unstorage, whose storage has no such step itself: with the driver `memory`, and with `redis`
 * and `upstash` by GETDEL. With any other, two takers at once could both get an answer, so it is
 * refused.
 *
 * @throws {SkillError} `unsupported` for another driver
 */
export function unstorageApprovalStore(storage: Storage): SkillApprovalStore {
  const { name = 'unknown', getInstance, options } = storage.getMount('').driver;
  const { base } = (options ?? {}) as { readonly base?: string };
  const take = takes[name]?.(getInstance?.());
  if (take === undefined)
    throw new SkillError('unsupported', `The unstorage driver "${name}" cannot read and delete in one step. Use memory, redis or upstash.`);
  return {
    get: (key) => storage.getItem(key),
    set: (key, value) => storage.setItem(key, value),
    delete: (key) => storage.removeItem(key),
    take: (key) => take(base === undefined || base === '' ? key : `${base.replace(/:$/, '')}:${key}`),
    keys: async (begin) => (await storage.getKeys()).filter((key) => key.startsWith(begin)),
  };
}

function takeOfMap(texts: Map<unknown, unknown>): (key: string) => unknown {
  return (key) => {
    const text = texts.get(key);
    texts.delete(key);
    return text;
  };
}

function takeOfRedis(client: unknown): ((key: string) => unknown) | undefined {
  const { getdel } = (client ?? {}) as { getdel?: (key: string) => Promise<unknown> };
  return typeof getdel === 'function' ? async (key) => await getdel.call(client, key) : undefined;
}
