import type { SkillDiagnostic } from '../contract/skill-provider.ts';
import { reporter } from './reporter.ts';

/** Where an adapter reports diagnostics. */
export interface AdapterReporter {
  /** The adapter's own listener, since the skillset has its own. `undefined` without one. */
  readonly own: ((diagnostic: SkillDiagnostic) => void) | undefined;
  /** To the listener of the skillset and to the adapter's own, once each. */
  readonly report: (diagnostic: SkillDiagnostic) => void;
}

/**
 * The reporters of an adapter that has an option `onDiagnostic` besides that of its skillset.
 * Errors that a listener throws are ignored.
 *
 * @param listener the option. @default nothing is reported to it
 */
export function adapterReporter(
  skillset: { readonly report: (diagnostic: SkillDiagnostic, isHeard?: boolean) => void },
  listener: ((diagnostic: SkillDiagnostic) => void) | undefined,
): AdapterReporter {
  const own = listener && reporter(listener);
  return {
    own,
    report(diagnostic) {
      skillset.report(diagnostic, own !== undefined);
      own?.(diagnostic);
    },
  };
}
