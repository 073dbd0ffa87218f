import type { SkillDiagnostic, SkillProvider } from '../../contract/skill-provider.ts';
import { SkillError } from '../../errors/skill-error.ts';

/** A source of a composition that did not answer, and why. */
export interface SourceFailure {
  readonly label: string;
  readonly error: SkillError;
}

/** How a source that was left out is reported. */
export function outageDiagnostic({ label, error }: SourceFailure): SkillDiagnostic {
  return {
    code: error.code === 'timeout' ? 'source-timeout' : 'source-failed',
    severity: 'error',
    message: `Source "${label}" is left out: ${error.message}`,
    fix: 'Fix the source, or take it out of the composition.',
  };
}

/**
 * What is reported for a source of which skills are left out, because a source that has not
 * answered yet may own their names.
 *
 * @param onlyUntrusted whether only skills without trust are left out
 */
export function withheld(label: string, before: string, onlyUntrusted: boolean): SkillDiagnostic {
  return {
    code: 'skill-withheld',
    severity: 'error',
    message: `The skills of "${label}"${onlyUntrusted ? ', which the host does not trust,' : ''} are left out until "${before}" has answered once: until then nobody knows which names are its own.`,
    fix: onlyUntrusted
      ? 'Fix the source. Until then they can be reached by their qualified names.'
      : 'Fix the source, or compose with beforeFirstAnswer: "serve".',
  };
}

/** What is reported for a source that had to give names up. */
export function namesReleased(label: string, count: number): SkillDiagnostic {
  return {
    code: 'names-released',
    severity: 'warning',
    message: `"${label}" does not list all of its skills, and lacks more names than are kept for it. ${count} names that it had before may now be served by another source.`,
    fix: 'Let the source list everything, or take it out of the composition.',
  };
}

/** The error of a composition of which no source answers. */
export function noSourceAnswers(label: string, failures: readonly SourceFailure[]): SkillError {
  const reasons = failures.map((failure) => `- ${failure.label}: ${failure.error.message}`).join('\n');
  return new SkillError('source-unavailable', `No source of "${label}" answers:\n${reasons}`, {
    source: label,
    cause: new AggregateError(failures.map(({ error }) => error)),
  });
}

/** The error for a name of which nobody can say whether it exists. */
export function unknownWhileFailing(name: string, { label, error }: SourceFailure): SkillError {
  return new SkillError(
    error.code,
    `The sources that answer have no skill ${JSON.stringify(name)}, and "${label}" does not answer: ${error.message}`,
    {
      skill: name,
      source: label,
      cause: error,
    },
  );
}

/** The error for an earlier name that an incomplete listing lacks. */
export function listedInPart(name: string, label: string): SkillError {
  return new SkillError(
    'source-unavailable',
    `"${label}" had a skill ${JSON.stringify(name)} and could not list all that it has now, so nobody knows whether it still has it. List again, or look at the source.`,
    { skill: name, source: label },
  );
}

/** Disposes all, also where one of them fails. */
export async function disposeSources(label: string, providers: readonly SkillProvider[]): Promise<void> {
  const outcomes = await Promise.allSettled(providers.map(async (provider) => await provider[Symbol.asyncDispose]?.()));
  const reasons = outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason as unknown] : []));
  if (reasons.length === 0) return;
  throw new SkillError(
    'source-unavailable',
    `${reasons.length} of the sources of "${label}" could not be closed: ${reasons.map(String).join('; ')}`,
    {
      source: label,
      cause: new AggregateError(reasons),
    },
  );
}
