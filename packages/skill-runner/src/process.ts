// Anything added here is public API.
export { defaultInterpreters, type ScriptInterpreter } from './process/interpreters.ts';
export { processRunner, type ProcessConfinementKind, type ProcessRunnerOptions } from './process/process-runner.ts';
