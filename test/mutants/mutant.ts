/** One small change of the meaning of a source file, which some test must notice. */
export interface Mutant {
  /** Names the fault: `area-what`. */
  readonly name: string;
  /** The source file, from the root of the repository. */
  readonly file: string;
  /** The text to replace, which stands in the file exactly once, and what comes in its place. */
  readonly from: string;
  readonly to: string;
  /** Test files or folders that must notice it, from the root of the repository. */
  readonly tests: readonly string[];
  /** Why no test can notice it. Such a mutant is expected to survive. @default it has to be noticed */
  readonly equivalent?: string;
}
