import { DatabaseSync } from 'node:sqlite';
import { sqlChatStore, type ChatStore } from './chat-store.ts';

/** Conversations in a file, on one machine. */
export function sqliteStore(path: string): ChatStore & { close(): void } {
  const database = new DatabaseSync(path);
  const store = sqlChatStore((statement, ...values) => database.prepare(statement).all(...values) as Record<string, unknown>[]);
  return { ...store, close: () => database.close() };
}
