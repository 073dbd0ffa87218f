import { runCommand, type CommandResult } from './run-command.ts';
import { runAll } from './run-all.ts';

/** One thing that `pnpm check` looks at. */
interface CheckStep {
  readonly name: string;
  /** What it guards, for `--list`. */
  readonly about: string;
  readonly command: readonly string[];
  /** What looks at files that changed since the last commit alone. @default none, all are looked at */
  readonly changed?: readonly string[];
  /**
   * What it waits for, if `build` runs too. `made`: it reads `dist`, so it does not run where the build failed. `ended`: it comes across
   * files of `dist`, and a build takes them away for a moment.
   */
  readonly waitsForBuild?: 'made' | 'ended';
}

/** Options of {@link runCheckSteps}. */
interface RunCheckStepsOptions {
  /** Leaves out what did not change, where a step can. @default false */
  readonly onlyChanged?: boolean;
}

/** What became of a step. */
export interface CheckResult extends CommandResult {
  readonly name: string;
  readonly seconds: number;
}

/** How many steps run side by side. The longest uses more than one thread by itself. */
const lanes = 2;

export const checkSteps: readonly CheckStep[] = [
  { name: 'build', about: 'every package builds', command: ['turbo', 'run', 'build', '--output-logs=errors-only'] },
  { name: 'format', about: 'the layout of .oxfmtrc.json', command: ['oxfmt', '--check'] },
  {
    name: 'patterns',
    about: 'no regular expression of the packages takes more than linear time',
    command: ['node', 'tools/check-patterns.ts'],
  },
  {
    name: 'lint',
    about: 'rules of .oxlintrc.json, the import table among them, and the types of every package, test, example and tool',
    command: ['node', 'tools/check-lint.ts'],
    changed: ['node', 'tools/check-lint.ts', '--changed'],
    waitsForBuild: 'ended',
  },
  { name: 'unused', about: 'no unused file, export or dependency', command: ['knip', '--no-progress', '--no-config-hints'] },
  { name: 'shape', about: 'the packed packages resolve for their users', command: ['node', 'tools/check-shape.ts'], waitsForBuild: 'made' },
  {
    name: 'size',
    about: 'bundles stay small and free of what they must not hold',
    command: ['node', 'tools/check-size.ts'],
    waitsForBuild: 'made',
  },
  {
    name: 'workers',
    about: 'the Workers of examples hold nothing of Node, stay small and start fast',
    command: ['node', 'tools/check-workers.ts'],
  },
  { name: 'api', about: 'the public API is the one that was committed', command: ['node', 'tools/check-api.ts'], waitsForBuild: 'made' },
];

/**
 * Runs the named steps, all of them even where one fails, and tells of each as it ends. A step that needs the build takes what is there
 * where `build` was not asked for, and does not run where it failed.
 */
export async function runCheckSteps(
  names: readonly string[],
  tell: (result: CheckResult) => void,
  { onlyChanged = false }: RunCheckStepsOptions = {},
): Promise<CheckResult[]> {
  let building: Promise<CheckResult> | undefined;
  const resultOf = async (step: CheckStep): Promise<CheckResult> => {
    // The build stands first, so it has begun before any step that needs it.
    if (step.name === 'build') return (building = runStep(step));
    const built = step.waitsForBuild === undefined ? undefined : await building;
    if (built?.ok === false && step.waitsForBuild === 'made')
      return { name: step.name, ok: false, output: 'Not run: it reads what `build` makes, and that failed.', seconds: 0 };
    return runStep(onlyChanged && step.changed !== undefined ? { ...step, command: step.changed } : step);
  };
  const chosen = checkSteps.filter(({ name }) => names.includes(name));
  return runAll(chosen, lanes, async (step) => {
    const result = await resultOf(step);
    tell(result);
    return result;
  });
}

async function runStep({ name, command }: CheckStep): Promise<CheckResult> {
  const start = performance.now();
  const result = await runCommand(command);
  return { name, ...result, seconds: (performance.now() - start) / 1000 };
}
