import type { SkillProvider } from '@repertoire/skills-core';
import type { SkillLibraryFiles } from '../fixtures/library-files.ts';
import type { SkillProviderAbility, SkillProviderRequirementId } from './requirements.ts';

/** A source that was made for one case. */
export interface SkillProviderUnderTest {
  /** The provider. Where it can be disposed, the suite disposes it after the case. */
  readonly provider: SkillProvider;
  /** Takes away what the source stands on: a folder, a server. Called once, after the provider was disposed. */
  readonly dispose?: (() => Promise<void>) | undefined;
  /** Replaces the whole library by another one. Needed where the provider declares `watch`. */
  readonly change?: ((files: SkillLibraryFiles) => Promise<void>) | undefined;
  /**
   * What was read of the source so far, oldest first, as `<skill-directory>/<path>`. `<skill-directory>/SKILL.md` is a frontmatter; add
   * `#body` where a body was read. Give it where it can be seen: laziness is then checked by it, else only by the shape of the answers.
   */
  readonly reads?: (() => readonly string[]) | undefined;
}

/** A case that is known to fail. */
export interface KnownFailure {
  /** Id of the requirement. */
  readonly id: SkillProviderRequirementId;
  /** Why, for whoever reads it next; not empty. */
  readonly reason: string;
}

/** How the suite gets at the source that it tests. */
export interface SkillProviderTestConfig {
  /** Name of the source, for the titles. */
  readonly name: string;
  /** Makes a fresh source that holds exactly these skills. Called at least once a case; several may be open at once. */
  readonly create: (files: SkillLibraryFiles) => Promise<SkillProviderUnderTest>;
  /**
   * The optional abilities of the provider. The suite checks that they are these, neither more nor less.
   * @default none
   */
  readonly abilities?: readonly SkillProviderAbility[] | undefined;
  /** What `origin.trusted` must be. @default whatever it is, as long as no skill decides it */
  readonly trusted?: boolean | undefined;
  /** Makes a source that cannot answer at all: a missing folder, a server that is down. @default such cases do not run */
  readonly failing?: (() => Promise<SkillProviderUnderTest>) | undefined;
  /** Makes a source whose storage never answers, such as a `fetch` that stays pending. @default such cases do not run */
  readonly stalled?: ((files: SkillLibraryFiles) => Promise<SkillProviderUnderTest>) | undefined;
  /**
   * Cases that must fail for now. They run, and fail the suite once they pass. There is no other way around a case, and none around
   * `contract/abilities` or around the cases of a declared ability: an ability that does not hold is not declared.
   * @default none
   */
  readonly knownFailures?: readonly KnownFailure[] | undefined;
  /** Milliseconds after which a call or notice that does not come counts as missing. Only failing cases wait so long. @default 5000 */
  readonly patience?: number | undefined;
}
