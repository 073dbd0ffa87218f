// Anything added here is public API.
export { defaultInterpreters } from './process/interpreters.ts';
export { processRunner } from './process/process-runner.ts';
export type { ProcessRunnerOptions } from './process/process-runner-options.ts';
