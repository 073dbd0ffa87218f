import { assertKnownOptions, type OptionRules } from '../../contract/known-options.ts';
import { isTrusted } from '../../contract/is-trusted.ts';
import type { Skill, SkillMetadata } from '../../contract/skill-provider.ts';
import { SkillError } from '../../errors/skill-error.ts';
import { matchWildcard } from '../../policy/allowed-tools/wildcard.ts';
import { allGrants, type SkillGrant } from '../../policy/approvals/skill-grants.ts';
import { approvalsInMemory, type SkillApprovalStore } from './approval-store.ts';
import { openApprovals } from './open-approvals.ts';
import type { SkillApprovals } from './session-approvals.ts';

/** Options of {@link skillApprovals}. */
export interface SkillApprovalsOptions<Context = undefined> {
  /** Where answers are kept. @default in memory, until the process ends */
  readonly store?: SkillApprovalStore | undefined;
  /**
   * Which grants of a skill need a person. What it leaves out is not asked about: a trusted skill
   * has it, an untrusted one has it only if it is `load` or `code-tools`. What it throws counts as
   * all.
   * @default none of a trusted skill, all of an untrusted one
   */
  readonly needs?: ((skill: SkillMetadata, context: Context) => readonly SkillGrant[]) | undefined;
  /**
   * Tools of the host that execute code or write: names, with `*` for any characters. While a skill
   * without the grant `code-tools` stands in the context, each call needs a person, whatever
   * another skill pre-approves.
   * @default none
   */
  readonly codeTools?: readonly string[] | undefined;
  /**
   * For whom an answer counts: a tenant, a user. It is not stored in clear in keys. @default for
   * all contexts
   */
  readonly scope?: ((context: Context) => string) | undefined;
  /** Who signed a content, for the question. @default not told */
  readonly signerOf?: ((skill: Skill) => string | undefined | Promise<string | undefined>) | undefined;
  /** The time of answers. @default the clock */
  readonly now?: (() => Date) | undefined;
}

const knownOptions: OptionRules<SkillApprovalsOptions> = {
  store: '{}',
  needs: '()',
  codeTools: 'string[]',
  scope: '()',
  signerOf: '()',
  now: '()',
};

/**
 * Asks a person before an untrusted skill is shown to a model and has an effect, for the option
 * `approvals` of `createSkillset`. An answer is for one content: any change of a listed file asks
 * again, and says what changed. A grant that nobody gave has no effect.
 *
 * @throws {SkillError} `invalid-options` for an option that does not exist, or that is none
 * @example
 * ```ts
 * import { createSkillset, skillApprovals, type SkillProvider } from '@repertoire/skills-core';
 *
 * export const skillsetOf = (provider: SkillProvider) =>
 *   createSkillset({ provider, approvals: skillApprovals({ codeTools: ['bash', 'write_*'] }) });
 * ```
 */
export function skillApprovals<Context = undefined>(options: SkillApprovalsOptions<Context> = {}): SkillApprovals<Context> {
  assertKnownOptions('skillApprovals', options, knownOptions);
  const { store = approvalsInMemory(), codeTools = [], needs, scope } = options;
  const isStore = (['get', 'set', 'delete'] as const).every((method) => typeof store[method] === 'function');
  if (!isStore || !Array.isArray(codeTools) || !codeTools.every((name) => typeof name === 'string')) {
    throw new SkillError('invalid-options', 'skillApprovals takes a `store` with get, set and delete, and `codeTools` as a list of names.');
  }
  const isCodeTool = (tool: string): boolean => codeTools.some((pattern) => matchWildcard(pattern, tool));
  return {
    isCodeTool,
    assertFits({ activation }) {
      if (activation !== 'single' || codeTools.length === 0) return;
      throw new SkillError(
        'invalid-options',
        "createSkillset cannot ask about `codeTools` under activation: 'single': a skill that another one ended still stands in the context. Use 'cumulative'.",
      );
    },
    open(context, host) {
      const given: unknown = scope === undefined ? '' : scope(context);
      if (typeof given !== 'string') throw new SkillError('invalid-options', '`scope` of skillApprovals must return a text.');
      return openApprovals({
        host,
        store,
        isCodeTool,
        hasCodeTools: codeTools.length > 0,
        scope: given,
        needed: (skill) => neededOf(skill, context, needs),
        signerOf: options.signerOf,
        now: options.now ?? (() => new Date()),
      });
    },
  };
}

function neededOf<Context>(skill: SkillMetadata, context: Context, needs: SkillApprovalsOptions<Context>['needs']): readonly SkillGrant[] {
  if (needs === undefined) return isTrusted(skill) ? [] : allGrants;
  try {
    const asked: unknown = needs(skill, context);
    return Array.isArray(asked) && asked.every((grant) => allGrants.includes(grant as SkillGrant)) ? (asked as SkillGrant[]) : allGrants;
  } catch {
    return allGrants;
  }
}
