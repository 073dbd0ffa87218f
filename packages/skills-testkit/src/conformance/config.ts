import type { SkillProvider } from '@repertoire/skills-core';
import type { SkillLibraryFiles } from '../fixtures/library-files.ts';
import type { SkillProviderAbility, SkillProviderRequirementId } from './requirements.ts';

/** A source for one case. */
export interface SkillProviderUnderTest {
  /** The provider. If it can be disposed, the suite disposes it after the case. */
  readonly provider: SkillProvider;
  /** Removes the folder or server of the source. Called once, after the provider was disposed. */
  readonly dispose?: (() => Promise<void>) | undefined;
  /** Replaces the whole library. Required if the provider declares `watch`. */
  readonly change?: ((files: SkillLibraryFiles) => Promise<void>) | undefined;
  /**
   * What was read from the source so far, oldest first, as `<skill-directory>/<path>`.
   * `<skill-directory>/SKILL.md` is a frontmatter; add `#body` if a body was read. Provide it if
   * reads are observable: laziness is then checked by it, otherwise only by the shape of the
   * answers.
   */
  readonly reads?: (() => readonly string[]) | undefined;
}

/** A case that is known to fail. */
export interface KnownFailure {
  /** Id of the requirement. */
  readonly id: SkillProviderRequirementId;
  /** The reason, for the next reader. Must not be empty. */
  readonly reason: string;
}

/** How the suite creates the source to test. */
export interface SkillProviderTestConfig {
  /** Name of the source, for titles. */
  readonly name: string;
  /** Creates a source with exactly these skills. Called for each case; several may be open. */
  readonly create: (files: SkillLibraryFiles) => Promise<SkillProviderUnderTest>;
  /** The optional abilities of the provider, which the suite checks. @default none */
  readonly abilities?: readonly SkillProviderAbility[] | undefined;
  /** The expected `origin.trusted`. @default any value, but no skill may influence it */
  readonly trusted?: boolean | undefined;
  /**
   * Creates a source that cannot answer, such as a missing folder. @default such cases do not run
   */
  readonly failing?: (() => Promise<SkillProviderUnderTest>) | undefined;
  /** Creates a source whose storage never answers. @default such cases do not run */
  readonly stalled?: ((files: SkillLibraryFiles) => Promise<SkillProviderUnderTest>) | undefined;
  /**
   * Cases that must fail for now. They run, and the suite fails once they pass. This is the only
   * way to skip a case. It is not possible for `contract/abilities` and for the cases of a declared
   * ability: do not declare an ability that does not work.
   * @default none
   */
  readonly knownFailures?: readonly KnownFailure[] | undefined;
  /**
   * Milliseconds after which a missing call or notification fails. Only failing cases wait that
   * long.
   * @default 5000
   */
  readonly patience?: number | undefined;
}
