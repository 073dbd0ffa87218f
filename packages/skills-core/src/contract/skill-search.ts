import type { SkillDiagnostic, SkillMetadata, SkillOrigin } from './skill-provider.ts';

/**
 * Who searches. `model` does not see skills with `disable-model-invocation`, `person` none with
 * `user-invocable: false`; `host` sees all.
 */
export type SkillSearchAudience = 'model' | 'person' | 'host';

/** Which skills are looked at. All that is given must hold. */
export interface SkillSearchFilter {
  /** Labels of sources (`origin.label`). @default all */
  readonly sources?: readonly string[] | undefined;
  /**
   * Tags, of which a skill must have one; upper and lower case are alike. A skill's tags are in
   * `tags`, `keywords`, `category` and the like. @default all
   */
  readonly tags?: readonly string[] | undefined;
  /** `true`: only skills that the host trusts; `false`: only others. @default both */
  readonly trusted?: boolean | undefined;
  /** A rule of your own, by level 1. Where it throws, the skill is not shown. @default none */
  readonly where?: ((skill: SkillMetadata) => boolean) | undefined;
}

/** Options of {@link SkillSearch.search}. */
export interface SkillSearchRequest {
  /** How many candidates at most, from 1 to 100. @default 5 */
  readonly limit?: number | undefined;
  /** @default all skills */
  readonly filter?: SkillSearchFilter | undefined;
  /** @default 'model' */
  readonly audience?: SkillSearchAudience | undefined;
  /**
   * What is known besides the request, in words: the repository, the plugin, the folder. It only
   * orders the skills that the request finds. @default none
   */
  readonly context?: string | undefined;
  /**
   * Gives the search up. It rejects with `signal.reason`; what is being indexed goes on. @default
   * never aborted
   */
  readonly signal?: AbortSignal | undefined;
}

/** A part of a skill that is searched. */
export type SkillSearchField = 'name' | 'description' | 'headings' | 'body';

/** One word or pair of words of a request that was found in a skill. */
export interface SkillSearchMatch {
  /**
   * As written in the request, in lower case. The skill may have another form of it: `prices` for
   * `pricing`.
   */
  readonly text: string;
  /** Where it was found; the part that counted most comes first. */
  readonly fields: readonly SkillSearchField[];
}

/** A skill that may fit. Nothing was loaded: that is the next step, and its own decision. */
export interface SkillCandidate {
  readonly name: string;
  /** The newest version; `null` for none. */
  readonly version: string | null;
  /** As the source gives it: text of its author, of any length. */
  readonly description: string;
  /** The higher the better. Only comparable within one answer. */
  readonly score: number;
  /** What found it: its words, the likeness of its meaning (with an embedder), or both. */
  readonly by: 'words' | 'meaning' | 'both';
  /**
   * Up to eight words and pairs of the request that it was found by; what counted most comes first.
   * Empty where only its meaning is alike.
   */
  readonly matches: readonly SkillSearchMatch[];
  /**
   * Where it came from, by the host's configuration. Where a provider does not say, it is not
   * trusted.
   */
  readonly origin: SkillOrigin | undefined;
}

/** The answer to a request. */
export interface SkillSearchAnswer {
  /** Best first; equal ones by name. Empty where no word of the request is in the library. */
  readonly candidates: readonly SkillCandidate[];
  /** `words`: by words alone. `hybrid`: fused with the likeness of meanings. */
  readonly mode: 'words' | 'hybrid';
  /**
   * Whether the instructions of some skills were not searched, because they were not read in time
   * or could not be read. Those skills are found by name and description only. @default false
   */
  readonly partial?: boolean | undefined;
  /** What the answer lacks, and why; told to the host, not to the model. */
  readonly diagnostics: readonly SkillDiagnostic[];
}

/**
 * Anything that finds skills, such as `createSkillSearch` of `@repertoire/skill-search`. It gives
 * candidates with the reason, and never loads a skill.
 */
export interface SkillSearch {
  /**
   * Finds the skills that fit a request in plain words: what a person asks for, or what a model is
   * about to do.
   */
  search(query: string, request?: SkillSearchRequest): Promise<SkillSearchAnswer>;
}
