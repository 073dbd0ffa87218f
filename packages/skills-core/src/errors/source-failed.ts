import { SkillError } from './skill-error.ts';

/**
 * What a model reads about a failed source. An error without a code may contain paths and other
 * details of the host, so the text only says that it happened; the error itself is the `cause`.
 */
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
