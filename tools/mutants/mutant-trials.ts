import type { CopiedRepository, SourceChange } from './copied-repository.ts';

/** One change to try, whatever it comes from. */
export interface Trial {
  readonly name: string;
  readonly file: string;
  readonly change: SourceChange;
  /** Run one after another, up to the first failure. */
  readonly tests: readonly (readonly string[])[];
  readonly equivalent?: string | undefined;
}

/** What became of a change. */
export interface TrialResult {
  readonly outcome: 'killed' | 'survived' | 'misplaced';
  /** The test file that noticed it, or what else did. */
  readonly by?: string | undefined;
}

/** Tries changes. A test that fails also where nothing is changed would notice all of them, so it is left out. */
export class MutantTrials {
  readonly #copy: CopiedRepository;
  /** Test files that pass while nothing is changed. */
  readonly #passing: Set<string> = new Set();
  /** Test files that do not, with the end of what they said. */
  readonly leftOut: Map<string, string> = new Map();

  constructor(copy: CopiedRepository) {
    this.#copy = copy;
  }

  async try({ file, change, tests }: Trial): Promise<TrialResult> {
    for (const group of tests) {
      let left = group.filter((test) => !this.leftOut.has(test));
      while (left.length > 0) {
        const result = await this.#copy.runChanged(file, change, left);
        if (result === null) return { outcome: 'misplaced' };
        if (result.ok) break;
        const { failedFile } = result;
        await this.#runUnchanged(failedFile === undefined ? left : [failedFile]);
        const fails = left.filter((test) => this.leftOut.has(test));
        if (fails.length === 0) return { outcome: 'killed', by: failedFile ?? 'a crash, or the limit of CPU' };
        left = left.filter((test) => !fails.includes(test));
      }
    }
    return { outcome: 'survived' };
  }

  async #runUnchanged(tests: readonly string[]): Promise<void> {
    const unknown = tests.filter((test) => !this.#passing.has(test));
    if (unknown.length === 0) return;
    const { ok, output, failedFile } = await this.#copy.run(unknown);
    if (ok) for (const test of unknown) this.#passing.add(test);
    else for (const test of failedFile === undefined ? unknown : [failedFile]) this.leftOut.set(test, output.slice(-2_000));
  }
}
