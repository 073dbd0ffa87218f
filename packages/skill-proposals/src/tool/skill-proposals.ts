import { SkillError, type SkillProposals } from '@repertoire/skills-core';
import { assertKnownOptions, numberOption, type OptionRules } from '@repertoire/skills-core/internal';
import type { SkillProposalStore } from '../store/skill-proposal-store.ts';
import { describeProposalTool } from '../prompt/proposal-texts.ts';
import { proposeSkillTool } from './propose-skill-tool.ts';

/** Who proposes, as the host knows it. A model says none of it. */
export interface SkillProposer {
  /** Id of the conversation. Conversations without one share the bound of one conversation. */
  readonly conversation?: string | undefined;
  readonly model?: string | undefined;
  /** For whom the agent works: a tenant, a user. */
  readonly author?: string | undefined;
}

/** Options of {@link skillProposals}. */
export interface SkillProposalsOptions<Context = undefined> {
  /** Where proposals wait for a person. No source of the agent may read from it. */
  readonly store: SkillProposalStore;
  /** Who proposes, from the context. @default unknown: all conversations share one bound */
  readonly from?: ((context: Context) => SkillProposer) | undefined;
  /** How many proposals a conversation may make. @default 3 */
  readonly mostPerConversation?: number | undefined;
  /** The clock; for tests. @default the system's */
  readonly now?: (() => Date) | undefined;
}

const knownOptions: OptionRules<SkillProposalsOptions> = { store: '{}', from: '()', mostPerConversation: true, now: '()' };

/**
 * Lets a model propose skills: for the option `proposals` of `createSkillset`. It gives sessions
 * the tool `propose_skill`. What is proposed waits in the store; no session of any tenant sees
 * anything of it before a person accepts it, and then as the source has it.
 *
 * @throws {SkillError} `invalid-options`
 * @example
 * ```ts
 * import { createSkillset, type SkillProvider } from '@repertoire/skills-core';
 * import { skillProposals, type SkillProposalStore } from '@repertoire/skill-proposals';
 *
 * export function learning(provider: SkillProvider, store: SkillProposalStore) {
 *   return createSkillset<{ thread: string; tenant: string }>({
 *     provider,
 *     proposals: skillProposals({ store, from: ({ thread, tenant }) => ({ conversation: thread, author: tenant }) }),
 *   });
 * }
 * ```
 */
export function skillProposals<Context = undefined>(options: SkillProposalsOptions<Context>): SkillProposals<Context> {
  assertKnownOptions('skillProposals', options, knownOptions);
  const { store, from, now = () => new Date() } = options;
  if (typeof store?.add !== 'function' || typeof store.list !== 'function') {
    throw new SkillError('invalid-options', 'skillProposals needs a store, such as memoryProposalStore() or folderProposalStore(folder).');
  }
  const most = numberOption('mostPerConversation', options.mostPerConversation, {
    of: 'skillProposals',
    fallback: 3,
    least: 0,
    most: 100,
    whole: true,
  });
  // One after the other, so that calls of one step cannot pass the bound together.
  let last: Promise<unknown> = Promise.resolve();
  const inTurn = <Value>(work: () => Promise<Value>): Promise<Value> => {
    const next = last.then(work, work);
    last = next.catch(() => undefined);
    return next;
  };
  return {
    describeTool: describeProposalTool,
    tool: (session, context) => proposeSkillTool(session, { store, most, now, inTurn, from: () => from?.(context) ?? {} }),
  };
}
