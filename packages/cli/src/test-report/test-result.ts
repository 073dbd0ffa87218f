import type { SkillDiagnostic } from '@repertoire/skills-core';
import type { SkillActivation } from '../activation/measure-activation.ts';
import type { SkillEffect } from '../activation/measure-effect.ts';
import type { ModelUsage } from '../activation/usage.ts';
import type { RoutingRegressions } from '../routing/baseline.ts';
import type { LibraryRouting } from '../routing/route-library.ts';

/** Something that fails the build, with the skill that it is about. */
export interface TestFailure {
  readonly kind: 'lint' | 'taken' | 'collision' | 'share' | 'activation' | 'false-activation' | 'harm';
  readonly skill: string;
  /** The file that it is about, as people name it. */
  readonly path?: string | undefined;
  /** From 1. */
  readonly line?: number | undefined;
  readonly message: string;
}

/** Where a skill has its description, as people name the file. */
export interface SkillPlace {
  readonly path: string;
  /** From 1. */
  readonly line: number;
}

/** Everything that a test of a library found out. */
export interface TestResult {
  /** Errors of lint; `null` where it did not run. */
  readonly lint: readonly SkillDiagnostic[] | null;
  /** Where each skill has its description, by its name. Lint knows it. */
  readonly places: Readonly<Record<string, SkillPlace>>;
  readonly routing: LibraryRouting;
  /** What became worse; `null` without a baseline. */
  readonly regressions: RoutingRegressions | null;
  /** What a model did; `null` without one. */
  readonly measured: {
    readonly model: string;
    readonly runs: number;
    readonly activation: readonly SkillActivation[];
    readonly effect: readonly SkillEffect[] | null;
    readonly usage: ModelUsage;
  } | null;
  readonly failures: readonly TestFailure[];
}
