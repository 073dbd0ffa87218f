import { SkillError } from './skill-error.ts';

/**
 * What a model is told of a failed source. An error without a code may hold paths and other things of the host, so only that it happened is
 * told; the error itself is the `cause`.
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
