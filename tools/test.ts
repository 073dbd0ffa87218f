/**
 * `pnpm test [vitest's arguments]`: every step of `pnpm check` and every test, also where a step failed. The tests begin when the packages are built, and the other
 * steps go on beside them: both wait a good deal. The last line is `N passed, N failed`, in which a failed step counts as a failure and a passed one as nothing.
 *
 * `pnpm test --fast`: the layout, the lint and types of files that changed since the last commit, and the tests of packages without those of `test/slow-tests.ts`.
 */
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { checkSteps, runCheckSteps, type CheckResult } from './check-steps.ts';
import { resultLine, type TestTotals } from './result-line.ts';
import { runCommand } from './run-command.ts';
import { tellCheckResult } from './tell-check-result.ts';

const isFast = process.argv.includes('--fast');
const parameters = process.argv.slice(2).filter((parameter) => parameter !== '--fast');
const built = Promise.withResolvers<void>();
const tell = (result: CheckResult): void => {
  tellCheckResult(result);
  // Tests build as well, and two builds at once would write the same files.
  if (result.name === 'build') built.resolve();
};
const checking = isFast
  ? runCheckSteps(['lint', 'format'], tell, { onlyChanged: true })
  : runCheckSteps(
      checkSteps.map(({ name }) => name),
      tell,
    );
if (!isFast) await built.promise;

const directory = await mkdtemp(join(tmpdir(), 'repertoire-test-'));
const file = join(directory, 'totals.json');
const environment = { REPERTOIRE_TOTALS: file, ...(isFast && { REPERTOIRE_TESTS: 'fast' }) };
const { ok } = await runCommand(['vitest', 'run', ...parameters], { inherit: true, environment });
const totals = await readTotals();
await rm(directory, { recursive: true, force: true });
const failedChecks = (await checking).filter((check) => !check.ok).map(({ name }) => name);

if (failedChecks.length > 0) console.log(`Failed checks: ${failedChecks.join(', ')}`);
// A run that ends badly although no test failed (a coverage threshold, a crash) is one failure.
const failed = totals.failed + failedChecks.length + (!ok && totals.failed === 0 ? 1 : 0);
console.log(resultLine({ ...totals, failed }));
process.exitCode = failed === 0 ? 0 : 1;

async function readTotals(): Promise<TestTotals> {
  const text = await readFile(file, 'utf8').catch(() => undefined);
  return text === undefined ? { passed: 0, failed: 0, skipped: [] } : (JSON.parse(text) as TestTotals);
}
