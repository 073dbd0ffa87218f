import { assertKnownOptions, type OptionRules } from '../../contract/known-options.ts';
import { isTrusted } from '../../contract/is-trusted.ts';
import type { Skill, SkillMetadata } from '../../contract/skill-provider.ts';
import { SkillError } from '../../errors/skill-error.ts';
import { matchWildcard } from '../../policy/allowed-tools/wildcard.ts';
import { allGrants, type SkillGrant } from '../../policy/approvals/skill-grants.ts';
import type { SkillAnswer, SkillQuestion } from '../../policy/approvals/skill-question.ts';
import type { SkillActivityListener } from '../../events/skill-activity.ts';
import type { AllowedToolCall } from '../../policy/allowed-tools/matches-allowed-tool.ts';
import type { SkillCallVerdict } from '../../policy/skill-call-verdict.ts';
import { approvalTexts } from '../../prompt/approval-texts.ts';
import type { SkillActivation, SkillState } from '../../state/skill-state.ts';
import {
  approvalsInMemory,
  identityApprovalKey,
  RecordedQuestions,
  type SkillApprovalRecord,
  type SkillApprovalStore,
  type WaitingQuestion,
} from './approval-records.ts';
import { OpenedApprovals, type ApprovalHost, type SessionApprovals } from './session-approvals.ts';

/**
 * The approvals of a skillset: `skillApprovals({ … })` of `@repertoire/skills-core` makes it. A
 * host without approvals carries none of it.
 */
export interface SkillApprovals<Context = undefined> {
  /** Whether calls of a tool of the host are asked about while a skill stands in the context. */
  isCodeTool(tool: string): boolean;
  /** @throws {SkillError} `invalid-options` for options of the skillset that it cannot work with */
  assertFits(options: { readonly activation?: SkillActivation | undefined }): void;
  /** The approvals of one session. */
  open(context: Context, host: ApprovalHost): OpenedApprovals;
  /**
   * What staff answers, for a page or a tool of the host's own people.
   *
   * @param context gives the `scope`. @default that of the undefined context
   * @param onEvent told of answers, as `onEvent` of the skillset
   */
  inbox(context: Context, onEvent?: SkillActivityListener): ApprovalInbox;
}

/** Questions for staff, and what is remembered. */
export interface ApprovalInbox {
  /** The questions that wait, oldest first; at most 1,000. */
  questions(): Promise<readonly WaitingQuestion[]>;
  /** A question as it was asked, whole; `undefined` if it does not wait. */
  question(id: string): Promise<SkillQuestion | undefined>;
  /**
   * Answers a question, once. The next call of the same in its conversation goes through.
   *
   * @param by who answered, as the host names people; at most 200 characters
   * @returns whether it was a yes to a question that waits
   */
  answer(id: string, answer: SkillAnswer, by?: string): Promise<boolean>;
  /** Ends what is remembered of a skill: a yes for its content, or a never. */
  revoke(skill: Pick<SkillApprovalRecord, 'source' | 'place' | 'version'>): Promise<void>;
}

/** Options of {@link skillApprovals}. */
export interface SkillApprovalsOptions<Context = undefined> {
  /**
   * Where questions and answers are kept. @default in memory, until the process ends
   */
  readonly store?: SkillApprovalStore | undefined;
  /**
   * Which grants of a skill need a person. What it leaves out is not asked about: a trusted skill
   * has it, an untrusted one has it only if it is `load` or `code-tools`. What it throws counts as
   * all.
   * @default none of a trusted skill, all of an untrusted one
   */
  readonly needs?: ((skill: SkillMetadata, context: Context) => readonly SkillGrant[]) | undefined;
  /**
   * Who answers: the person who chats, or staff with {@link SkillApprovals.inbox}, for all
   * questions or by the question. A call that waits for staff answers with a sentence, so that the
   * turn ends. What it throws counts as staff.
   * @default 'person'
   */
  readonly askWhom?:
    | SkillQuestion['whom']
    | ((question: Omit<SkillQuestion, 'id' | 'whom'>, context: Context) => SkillQuestion['whom'])
    | undefined;
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
  askWhom: { person: true, staff: true, '()': true },
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
  const { store = approvalsInMemory(), codeTools = [], askWhom = 'person', needs, scope, signerOf, now = () => new Date() } = options;
  assertStore(store, askWhom !== 'person');
  const isCodeTool = (tool: string): boolean => codeTools.some((pattern) => matchWildcard(pattern, tool));
  const scopeOf = (context: Context): string => {
    const given: unknown = scope === undefined ? '' : scope(context);
    if (typeof given !== 'string') throw new SkillError('invalid-options', '`scope` of skillApprovals must return a text.');
    return given;
  };
  return {
    isCodeTool,
    assertFits({ activation }) {
      if (activation !== 'single' || codeTools.length === 0) return;
      throw new SkillError(
        'invalid-options',
        "createSkillset cannot ask about `codeTools` under activation: 'single': a skill that another one ended still stands in the context. Use 'cumulative'.",
      );
    },
    open: (context, host) =>
      new OpenedApprovals(
        {
          store,
          scope: scopeOf(context),
          codeTools,
          isCodeTool,
          needed: (skill) => neededOf(skill, context, needs),
          askWhom: (question) => whomOf(question, context, askWhom),
          signerOf,
          now,
        },
        host,
      ),
    inbox(context, onEvent) {
      const failed = (thrown: unknown): never => {
        throw thrown;
      };
      const own = scopeOf(context);
      const emit: SkillActivityListener = (activity) => onEvent?.(activity);
      const questions = new RecordedQuestions({ store, scope: own, conversation: null, now, failed, emit });
      return {
        questions: () => questions.waiting(),
        question: (id) => questions.find('staff', id),
        answer: (id, given, by) => questions.answer('staff', id, given, by),
        revoke: (skill) => questions.delete(identityApprovalKey(own, skill)),
      };
    },
  };
}

function assertStore(store: SkillApprovalStore, asksStaff: boolean): void {
  const missing = (['get', 'set', 'delete', 'take', ...(asksStaff ? (['keys'] as const) : [])] as const).filter(
    (method) => typeof store[method] !== 'function',
  );
  if (missing.length === 0) return;
  throw new SkillError(
    'invalid-options',
    `\`store\` of skillApprovals has no ${missing.join(', no ')}. It needs get, set, delete and take, which reads and deletes in one step${asksStaff ? '; and keys(prefix), because staff is asked' : ''}.`,
  );
}

function whomOf<Context>(
  question: Omit<SkillQuestion, 'id' | 'whom'>,
  context: Context,
  askWhom: NonNullable<SkillApprovalsOptions<Context>['askWhom']>,
): SkillQuestion['whom'] {
  if (typeof askWhom !== 'function') return askWhom;
  try {
    return askWhom(question, context) === 'person' ? 'person' : 'staff';
  } catch {
    return 'staff';
  }
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

/** Returns the error for a yes for which there is no question. */
export function unknownQuestion(): SkillError {
  return new SkillError('needs-approval', approvalTexts.unknown);
}

/** A call that is about to be made, as a framework has it. */
export interface CallToSettle {
  readonly state: SkillState;
  readonly call: AllowedToolCall;
  /** Whether it is a skill tool: that takes its answer itself. */
  readonly isSkillTool: boolean;
  /** Whether the framework asked a person by itself and brings a yes. */
  readonly isYes: boolean;
}

/**
 * Carries a verdict out right before the call: takes the answer, or asks staff. Nobody who chats is
 * asked here, where it is too late for a framework to ask.
 *
 * @returns why the call is refused; `null` if it may be made
 */
export async function settleCall(
  approvals: SessionApprovals | undefined,
  { question, error }: Extract<SkillCallVerdict, { readonly decision: 'needs-approval' }>,
  { state, call, isSkillTool, isYes }: CallToSettle,
): Promise<SkillError | null> {
  if (approvals === undefined) return error;
  if (question.whom === 'staff') {
    if (isSkillTool || (await approvals.take(question.id))) return null;
    await approvals.ask(state, call);
    return error;
  }
  if (isYes) return (await approvals.confirm(question.id)) ? null : unknownQuestion();
  return !isSkillTool && (await approvals.take(question.id)) ? null : error;
}
