import type { SkillDiagnostic, SkillMetadata, SkillOrigin } from './skill-provider.ts';

/** Who searches: `model` and `person` do not see skills that are closed to them. */
export type SkillSearchAudience = 'model' | 'person' | 'host';

/** Which skills are looked at. All that is given must hold. */
export interface SkillSearchFilter {
  /** Labels of sources (`origin.label`). @default all */
  readonly sources?: readonly string[] | undefined;
  /** Tags, of which a skill must have one; case is ignored. @default all */
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
  /** What is known besides the request, in words. Only orders what is found. @default none */
  readonly context?: string | undefined;
  /** Rejects the search with `signal.reason`; indexing goes on. @default never aborted */
  readonly signal?: AbortSignal | undefined;
}

/** A part of a skill that is searched. */
export type SkillSearchField = 'name' | 'description' | 'headings' | 'body' | 'references';

/** One word or pair of words of a request that was found in a skill. */
export interface SkillSearchMatch {
  /** As in the request, in lower case. The skill may have another form. */
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
  /** Up to eight words and pairs that matched, strongest first. Empty if only meaning is alike. */
  readonly matches: readonly SkillSearchMatch[];
  /** Where it came from, by the host's configuration. Untrusted if unknown. */
  readonly origin: SkillOrigin | undefined;
}

/** The answer to a request. */
export interface SkillSearchAnswer {
  /** Best first; equal ones by name. Empty where no word of the request is in the library. */
  readonly candidates: readonly SkillCandidate[];
  /** `words`: by words alone. `hybrid`: fused with the likeness of meanings. */
  readonly mode: 'words' | 'hybrid';
  /** Whether the instructions of some skills could not be searched. @default false */
  readonly partial?: boolean | undefined;
  /** What the answer lacks, and why; told to the host, not to the model. */
  readonly diagnostics: readonly SkillDiagnostic[];
}

/** Finds skills, such as `createSkillSearch` of `@repertoire/skill-search`. Loads none. */
export interface SkillSearch {
  /** Finds skills for a request in plain words. */
  search(query: string, request?: SkillSearchRequest): Promise<SkillSearchAnswer>;
}
