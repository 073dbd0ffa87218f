import { boundedDiagnostic } from '../contract/diagnostic-list.ts';
import type { SkillDiagnostic } from '../contract/skill-provider.ts';
import { printDiagnostic } from './print-diagnostic.ts';

/** The most diagnostics that are remembered, so that each is told once. */
const maxRemembered = 1_000;

/**
 * Passes diagnostics on to the host: each one once, and without letting a listener that throws
 * break the agent.
 *
 * @param listener the host's own; nothing is told without one
 */
export function reporter(listener: ((diagnostic: SkillDiagnostic) => void) | undefined): (diagnostic: SkillDiagnostic) => void {
  if (listener === undefined) return () => {};
  const told = new Set<string>();
  return (given) => {
    const diagnostic = boundedDiagnostic(given);
    const key = JSON.stringify([diagnostic.code, diagnostic.skill, diagnostic.path, diagnostic.message]);
    if (told.has(key)) return;
    if (told.size >= maxRemembered) told.clear();
    told.add(key);
    try {
      listener(diagnostic);
    } catch {
      // A listener that breaks must not break the agent.
    }
  };
}

/**
 * The reporter of a skillset. Without a listener, what no other listener gets is printed.
 *
 * @param listener the option `onDiagnostic` of a skillset
 */
export function hostReporter(
  listener: ((diagnostic: SkillDiagnostic) => void) | 'silent' | undefined,
): (diagnostic: SkillDiagnostic, isHeard?: boolean) => void {
  if (listener !== undefined) return reporter(listener === 'silent' ? undefined : listener);
  const print = reporter(printDiagnostic);
  return (diagnostic, isHeard = false) => {
    if (!isHeard) print(diagnostic);
  };
}

/** Where an adapter reports diagnostics. */
export interface AdapterReporter {
  /** The adapter's own listener, since the skillset has its own. `undefined` without one. */
  readonly own: ((diagnostic: SkillDiagnostic) => void) | undefined;
  /** To the listener of the skillset and to the adapter's own, once each. */
  readonly report: (diagnostic: SkillDiagnostic) => void;
}

/**
 * Returns the reporters of an adapter that has an option `onDiagnostic` besides that of its
 * skillset. Errors that a listener throws are ignored.
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
