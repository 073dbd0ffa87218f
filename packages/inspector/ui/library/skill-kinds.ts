import type { SkillRow } from '../../src/library/views.ts';

/** A kind of skill that a list can be narrowed to. */
export interface SkillKind {
  readonly name: string;
  /** As it stands behind a number: `3 not listed`. */
  readonly title: string;
  /** What it means, in a sentence. */
  readonly meaning: string;
  readonly isBad: boolean;
  has(row: SkillRow): boolean;
}

/** What skills can have in common that somebody wants to see, the worst first. */
export const skillKinds: readonly SkillKind[] = [
  kind('errors', 'with errors', 'They have errors.', ({ errors }) => errors > 0, true),
  kind('warnings', 'with warnings', 'They have warnings.', ({ warnings }) => warnings > 0, true),
  kind('risks', 'to be read', 'Their texts have something that a person should have read.', ({ risks }) => risks > 0, true),
  kind('refused', 'with a refused signature', 'Their signature is refused.', ({ signature }) => signature.kind === 'refused', true),
  kind('dropped', 'not listed', 'The budget left them out of the catalog. A model can load them all the same.', has('dropped'), true),
  kind('name-only', 'listed by name alone', 'The budget left only their names in the catalog.', has('name-only')),
  kind('shortened', 'shortened', 'The budget shortened their descriptions.', has('shortened')),
  kind('hidden', 'hidden', 'A model does not see them: only a person may start them.', has('hidden')),
  kind('untrusted', 'untrusted', 'Nothing in them has an effect: their tools, models and scripts are inert.', ({ trusted }) => !trusted),
  kind('signed', 'signed', 'They have a signature.', ({ signature }) => signature.kind !== 'not-signed'),
];

function kind(name: string, title: string, meaning: string, test: (row: SkillRow) => boolean, isBad = false): SkillKind {
  return { name, title, meaning, isBad, has: test };
}

function has(shown: SkillRow['shown']): (row: SkillRow) => boolean {
  return (row) => row.shown === shown;
}
