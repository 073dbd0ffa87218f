import { parseSkillProposal } from '../proposal/parse-skill-proposal.ts';
import { parseDecision } from './parse-decision.ts';
import type { SkillProposalDecision, SkillProposalStore } from './skill-proposal-store.ts';

/** The part of a `Storage` of unstorage that {@link unstorageProposalStore} calls. */
export interface ProposalStorageLike {
  getItem(key: string): Promise<unknown>;
  setItem(key: string, value: string): Promise<void>;
  getKeys(base: string): Promise<string[]>;
}

/**
 * Proposals in any driver of unstorage: Redis, a database, a blob store. Its drivers have no
 * conditional writes, so of two people who decide on the same proposal at the same moment, the last
 * one is recorded. What is written to the source of skills is decided there, and only once.
 *
 * @param base where the keys begin
 * @example
 * ```ts
 * import { skillProposals, unstorageProposalStore, type ProposalStorageLike } from '@repertoire/skill-proposals';
 *
 * export const proposalsIn = (storage: ProposalStorageLike) => skillProposals({ store: unstorageProposalStore(storage) });
 * ```
 */
export function unstorageProposalStore(storage: ProposalStorageLike, base: string = 'proposals'): SkillProposalStore {
  // The last part of a key tells its kind, and an id has no colon.
  const proposalKey = (id: string): string => `${base}:${id}:proposal.json`;
  const decisionKey = (id: string, index: number): string => `${base}:${id}:decision-${index}.json`;
  const readJson = async (key: string): Promise<unknown> => {
    const value = await storage.getItem(key);
    // Some drivers parse what looks like JSON.
    return typeof value === 'string' ? JSON.parse(value) : value;
  };
  const store: SkillProposalStore = {
    async list() {
      const keys = await storage.getKeys(base);
      return keys.flatMap((key) => {
        const [kind, id] = key.split(':').toReversed();
        return kind === 'proposal.json' && id !== undefined ? [id] : [];
      });
    },
    async read(id) {
      const proposal = await readJson(proposalKey(id));
      if (proposal === null || proposal === undefined) return null;
      const decisions: SkillProposalDecision[] = [];
      for (let json = await readJson(decisionKey(id, 0)); json !== null && json !== undefined;) {
        decisions.push(parseDecision(json, id));
        json = await readJson(decisionKey(id, decisions.length));
      }
      return { proposal: await parseSkillProposal(proposal, id), decisions };
    },
    async add(proposal) {
      if (((await readJson(proposalKey(proposal.id))) ?? null) !== null) return false;
      await storage.setItem(proposalKey(proposal.id), JSON.stringify(proposal));
      return true;
    },
    async decide(id, decision, after) {
      const record = await store.read(id);
      if (record === null || record.decisions.length !== after) return false;
      await storage.setItem(decisionKey(id, after), JSON.stringify(decision));
      return true;
    },
  };
  return store;
}
