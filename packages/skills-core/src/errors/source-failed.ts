import { SkillError } from './skill-error.ts';

/** What a model reads about a failed source, without details of the host. */
export function sourceFailed(thrown: unknown): SkillError {
  if (SkillError.isInstance(thrown)) return thrown;
  return new SkillError(
    'source-unavailable',
    'The source of the skill failed. Try once more; if it fails again, go on without it and say so.',
    {
      cause: thrown,
    },
  );
}
