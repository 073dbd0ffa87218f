import { SkillError } from '../errors/skill-error.ts';
import type { SkillQuestion } from './approvals/skill-question.ts';

/** What is to be done with a call of a tool of the host. */
export type SkillCallVerdict =
  | {
      /** `allowed`: the host's other rules decide. `pre-approved`: no person is asked. */
      readonly decision: 'allowed' | 'pre-approved';
      /** Why, in one sentence. */
      readonly because: string;
    }
  | {
      /** The call must not be made. */
      readonly decision: 'denied';
      readonly because: string;
      /** `not-loaded` or `skill-changed` for a gate, `permission-denied` for `allowed-tools`. */
      readonly error: SkillError;
      /**
       * Skills that a model could load to open the tool; empty for none and for `allowed-tools`.
       */
      readonly openedBy: readonly string[];
    }
  | {
      /**
       * A person must be asked first: by `approvals.ask`, after which `question` can be answered.
       * Without a yes, the call answers with `error`.
       */
      readonly decision: 'needs-approval';
      readonly because: string;
      readonly question: SkillQuestion;
      readonly error: SkillError;
    };

/**
 * A refusal.
 *
 * @param error @default one that is about `allowed-tools`, or about a tool that the host hides
 */
export function denied(
  because: string,
  error: SkillError = new SkillError('permission-denied', because),
  openedBy: readonly string[] = [],
): SkillCallVerdict {
  return { decision: 'denied', because, openedBy, error };
}
