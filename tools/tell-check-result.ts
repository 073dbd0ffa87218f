import colors from 'picocolors';
import type { CheckResult } from './check-steps.ts';

/** Writes one line for a step that ended, and all that it said where it failed. */
export function tellCheckResult({ name, ok, output, seconds }: CheckResult): void {
  const mark = ok ? colors.green('ok  ') : colors.red('FAIL');
  console.log(`${mark} ${name.padEnd(10)}${colors.dim(`${seconds.toFixed(1)} s`)}`);
  if (!ok) console.log(`${output.trim().replaceAll(/^/gm, '     ')}\n`);
}
