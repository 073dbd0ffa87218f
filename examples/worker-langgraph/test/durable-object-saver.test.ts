import { DatabaseSync, type SQLInputValue } from 'node:sqlite';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { DurableObjectSaver } from '../src/durable-object-saver.ts';

/**
 * Differences between this saver and the suite. LangGraph's own savers for memory and SQLite do not
 * store changed channels alone either.
 */
const differences = new Set([
  'should only store channel_values that have changed (based on newVersions)',
  // Formats before version 4, which no object contains.
  'should migrate pending sends',
]);

// LangGraph's suite for savers takes these from the global scope.
const itOrFails = new Proxy(it, {
  apply: (target, _self, [name, test]: [string, () => Promise<void>]) => (differences.has(name) ? target.fails : target)(name, test),
});
Object.assign(globalThis, { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it: itOrFails });
const { deltaChannelHistoryTests, validate } = await import('@langchain/langgraph-checkpoint-validation');

const initializer = { checkpointerName: 'DurableObjectSaver', createCheckpointer: () => new DurableObjectSaver(sqlStorage()) };
validate(initializer);
deltaChannelHistoryTests(initializer);

/**
 * The SQL storage of a Durable Object, on SQLite in memory, with the same statements and byte
 * types. `e2e/worker-langgraph.test.ts` uses the real one.
 */
function sqlStorage(): SqlStorage {
  const database = new DatabaseSync(':memory:');
  const exec = (query: string, ...values: SQLInputValue[]) => {
    if (values.length === 0) {
      database.exec(query);
      return;
    }
    const rows = database.prepare(query).all(...values.map((value) => (value instanceof ArrayBuffer ? new Uint8Array(value) : value)));
    return { toArray: () => rows.map((row) => Object.fromEntries(Object.entries(row).map(([key, value]) => [key, bufferOf(value)]))) };
  };
  return { exec } as unknown as SqlStorage;
}

function bufferOf(value: unknown): unknown {
  return value instanceof Uint8Array ? value.slice().buffer : value;
}
