import type { SkillApprovalStore } from '@repertoire/skills-core';
import type { Pool } from 'pg';
import type { Storage } from 'unstorage';

/** In PostgreSQL: `create table approvals (key text primary key, value text not null)`. */
export const postgresApprovalStore = (pool: Pool): SkillApprovalStore => ({
  get: async (key) => (await pool.query<{ value: string }>('select value from approvals where key = $1', [key])).rows[0]?.value,
  set: (key, value) =>
    pool.query('insert into approvals values ($1, $2) on conflict (key) do update set value = excluded.value', [key, value]),
  delete: (key) => pool.query('delete from approvals where key = $1', [key]),
});

/** In any driver of unstorage. */
export const unstorageApprovalStore = (storage: Storage): SkillApprovalStore => ({
  get: (key) => storage.getItem(key),
  set: (key, value) => storage.setItem(key, value),
  delete: (key) => storage.removeItem(key),
});
