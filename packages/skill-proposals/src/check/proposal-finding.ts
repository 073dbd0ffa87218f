/** Something about a proposal that a person should know before accepting it. */
export interface ProposalFinding {
  /** What kind of thing it is, such as `injection`. */
  readonly code: string;
  /**
   * `error`: acceptance has to name the code. `warning`: worth a look. `note`: the text tells of
   * it, and does not ask for it.
   */
  readonly severity: 'error' | 'warning' | 'note';
  readonly message: string;
  /** Path inside the skill. */
  readonly path?: string | undefined;
  /** Line in the file, from 1. */
  readonly line?: number | undefined;
}

/** What an accepted proposal would allow that the skill does not ask for now. */
export interface NewlyAllowed {
  readonly kind: 'allowed-tools' | 'tool' | 'field' | 'host' | 'command' | 'script';
  readonly what: string;
}
