import { isJsonObject, type JsonObject } from '../../contract/json-object.ts';

/**
 * Where answers of people are kept: JSON texts by short keys of letters, digits, `-` and `_`. Only
 * the host may write to it. An answer that is missing or damaged counts as none, so that a person
 * is asked again.
 */
export interface SkillApprovalStore {
  /** The text, or what it parses to. */
  get(key: string): unknown;
  set(key: string, value: string): unknown;
  delete(key: string): unknown;
}

const maxInMemory = 10_000;

/** Keeps answers until the process ends. */
export function approvalsInMemory(): SkillApprovalStore {
  const texts = new Map<string, string>();
  return {
    get: (key) => texts.get(key),
    set(key, value) {
      texts.delete(key);
      texts.set(key, value);
      // Whoever was asked longest ago is asked again.
      const [oldest] = texts.keys();
      if (texts.size > maxInMemory && oldest !== undefined) texts.delete(oldest);
    },
    delete: (key) => texts.delete(key),
  };
}

/** A store whose reads never reject. */
export interface ApprovalRecords {
  get(key: string): Promise<JsonObject | undefined>;
  set(key: string, value: object): Promise<void>;
  delete(key: string): Promise<void>;
}

/** @param failed told of failed reads; writes reject, since the answer would be lost */
export function approvalRecords(store: SkillApprovalStore, failed: (thrown: unknown) => void): ApprovalRecords {
  return {
    async get(key) {
      try {
        const value = await store.get(key);
        const parsed: unknown = typeof value === 'string' ? JSON.parse(value) : value;
        return isJsonObject(parsed) ? parsed : undefined;
      } catch (thrown) {
        failed(thrown);
        return undefined;
      }
    },
    set: async (key, value) => void (await store.set(key, JSON.stringify(value))),
    delete: async (key) => void (await store.delete(key)),
  };
}
