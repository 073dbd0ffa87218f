import { deepFreeze } from '@repertoire/skills-core/internal';
import type { SkillProposalRecord, SkillProposalStore } from './skill-proposal-store.ts';

/**
 * Proposals in memory, for tests and for programs that review them at once.
 *
 * @example
 * ```ts
 * import { memoryProposalStore, skillProposals } from '@repertoire/skill-proposals';
 *
 * export const store = memoryProposalStore();
 * export const proposals = skillProposals({ store });
 * ```
 */
export function memoryProposalStore(): SkillProposalStore {
  const records = new Map<string, SkillProposalRecord>();
  return {
    list: async () => [...records.keys()],
    read: async (id) => records.get(id) ?? null,
    async add(proposal) {
      if (records.has(proposal.id)) return false;
      records.set(proposal.id, deepFreeze({ proposal: structuredClone(proposal), decisions: [] }));
      return true;
    },
    async decide(id, decision, after) {
      const record = records.get(id);
      if (record === undefined || record.decisions.length !== after) return false;
      records.set(id, deepFreeze({ ...record, decisions: [...record.decisions, structuredClone(decision)] }));
      return true;
    },
  };
}
