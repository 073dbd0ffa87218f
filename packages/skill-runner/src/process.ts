// Anything added here is public API.
export type { ProcessConfinementKind } from './process/confinements.ts';
export { defaultInterpreters, type ScriptInterpreter } from './process/interpreters.ts';
export { processRunner } from './process/process-runner.ts';
export type { ProcessRunnerOptions } from './process/process-runner-options.ts';
