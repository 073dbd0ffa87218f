/**
 * Something that an author or an operator should know. It is data: nothing is logged and nothing is
 * thrown.
 */
export interface SkillDiagnostic {
  /** What it is, for programs. Each producer documents its codes. */
  readonly code: string;
  /**
   * `error`: the skill (or source) is not usable. `warning`: usable, but not as written. `info`:
   * worth knowing.
   */
  readonly severity: 'error' | 'warning' | 'info';
  /** What is wrong, in one or two sentences, with the offending value. */
  readonly message: string;
  /** Name of the skill, or of its folder where the name is not known. */
  readonly skill?: string | undefined;
  /** Path or URL of the file. */
  readonly path?: string | undefined;
  /** Line in the file, from 1. */
  readonly line?: number | undefined;
  /** Column in the line, from 1. */
  readonly column?: number | undefined;
  /** What to change. */
  readonly fix?: string | undefined;
}
