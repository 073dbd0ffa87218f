/** What the agent of a soak run counted. */
export interface AgentFigures {
  readonly conversations: number;
  /** Conversations that were refused because no source answered, or the skill's own did not. */
  readonly refused: number;
  readonly listings: number;
  /** Listings that said that they hold everything. */
  readonly completeListings: number;
  /** How often a source told of a change. */
  readonly notices: number;
  /** A skill that was there all the time, and that a complete listing, or an answer by name, did not have. */
  readonly lost: readonly string[];
  /** A skill whose answer was older than one that was given before. */
  readonly wentBack: readonly string[];
  /** Errors that are no outage. */
  readonly unexpected: readonly string[];
  /** Unhandled rejections, and warnings of Node. */
  readonly unhandled: readonly string[];
  /** After everything was quiet again: skills that were not there, or not in their last revision. */
  readonly unsettled: readonly string[];
  /** Bytes in use after each collection, in order. */
  readonly heapBytes: readonly number[];
  /** What still held the process after everything was disposed. */
  readonly openHandles: readonly string[];
}

/** What became of a soak run. */
export interface SoakFigures {
  readonly seed: number;
  readonly minutes: number;
  readonly skills: number;
  /** Changes of skills, by kind of source. */
  readonly changes: Readonly<Record<string, number>>;
  /** Faults, by source and kind. */
  readonly faults: Readonly<Record<string, number>>;
  readonly agent: AgentFigures;
  /** Whether the agent's process ended by itself after it disposed everything. */
  readonly ended: boolean;
  /** Errors of the servers' own process. */
  readonly serverErrors: readonly string[];
}
