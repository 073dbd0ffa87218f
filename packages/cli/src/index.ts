// Anything added here is public API.
export type { ExitCode, TextOutput } from './commands/command.ts';
export type { RepertoireConfig } from './config/repertoire-config.ts';
export { run, type RunOptions } from './run.ts';
