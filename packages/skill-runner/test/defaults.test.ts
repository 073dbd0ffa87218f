import { testDefaults } from '../../../test/support/options-laws.ts';
import { processSettings } from '../src/process/process-runner-options.ts';
import { runnerSettings } from '../src/request/runner-options.ts';

testDefaults('SRC-10: processRunner', 'skill-runner', 'ProcessRunnerOptions', (options) =>
  processSettings({ onDiagnostic: noDiagnostic, ...options }),
);
testDefaults('SRC-10: a runner', 'skill-runner', 'RunnerOptions', (options) =>
  runnerSettings('wasmRunner', options, { label: 'process', maxCopyBytes: 33_554_432 }),
);

function noDiagnostic(): void {}
