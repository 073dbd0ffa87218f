/** What an answer is expected to do. */
export interface EvalAssertion {
  /** The sentence that the author wrote. */
  readonly text: string;
  /** Checked by a text that the answer contains, or by a model. */
  readonly check: { readonly kind: 'contains' | 'not-contains'; readonly value: string } | { readonly kind: 'judged' };
}

/** One request that somebody might make, and what should come of it. */
export interface EvalItem {
  /** As the author numbered it, else its place in the file from 1. */
  readonly id: string;
  readonly prompt: string;
  /** Name of the skill that it is about. */
  readonly skill: string;
  /** `false`: the skill should not be chosen for it. */
  readonly shouldTrigger: boolean;
  readonly expectedOutput: string | undefined;
  /** Paths of files that belong to the request, inside the skill. */
  readonly files: readonly string[];
  readonly assertions: readonly EvalAssertion[];
  /** The file that it stands in, inside the skill. */
  readonly file: string;
}
