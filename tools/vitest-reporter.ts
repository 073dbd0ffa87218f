import { writeFileSync } from 'node:fs';
import type { Reporter, TestModule } from 'vitest/node';
import { resultLine, type TestTotals } from './result-line.ts';

/**
 * Ends a run with the line `N passed, N failed`, and above it every skipped test with its reason. Where `REPERTOIRE_TOTALS` names a
 * file, the totals go there instead, for `tools/test.ts` to add to.
 */
export class ResultLineReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], errors: readonly unknown[]): void {
    const tests = modules.flatMap((module) => [...module.children.allTests()]);
    const inState = (state: string) => tests.filter((test) => test.result().state === state);
    // A file that cannot be loaded has no tests to fail.
    const broken = modules.filter((module) => module.state() === 'failed' && module.errors().length > 0);
    const totals: TestTotals = {
      passed: inState('passed').length,
      failed: inState('failed').length + inState('pending').length + broken.length + errors.length,
      skipped: inState('skipped').map((test) => {
        const result = test.result();
        return `${test.fullName}: ${('note' in result && result.note) || 'no reason given'}`;
      }),
    };
    const file = process.env['REPERTOIRE_TOTALS'];
    if (file === undefined || file === '') console.log(resultLine(totals));
    else writeFileSync(file, JSON.stringify(totals));
  }
}
