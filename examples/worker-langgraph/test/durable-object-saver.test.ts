import { DatabaseSync, type SQLInputValue } from 'node:sqlite';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { DurableObjectSaver } from '../src/durable-object-saver.ts';

/** Where this saver differs from what the suite asks. Neither do LangGraph's savers for memory and SQLite store changed channels alone. */
const differences = new Set([
  'should only store channel_values that have changed (based on newVersions)',
  // From formats before 4, which no object holds.
  'should migrate pending sends',
]);

// LangGraph's own suite for savers takes these from the global scope.
const itOrFails = new Proxy(it, {
  apply: (target, _self, [name, test]: [string, () => Promise<void>]) => (differences.has(name) ? target.fails : target)(name, test),
});
Object.assign(globalThis, { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it: itOrFails });
const { deltaChannelHistoryTests, validate } = await import('@langchain/langgraph-checkpoint-validation');

const initializer = { checkpointerName: 'DurableObjectSaver', createCheckpointer: () => new DurableObjectSaver(sqlStorage()) };
validate(initializer);
deltaChannelHistoryTests(initializer);

/** What a Durable Object has, on SQLite in memory: statements as there, and bytes as it gives them. `e2e/worker-langgraph.test.ts` has the real one. */
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
