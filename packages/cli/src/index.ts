// Anything added here is public API.
export type { ExitCode, TextOutput } from './commands/command.ts';
export type { RepertoireConfig } from './config/repertoire-config.ts';
export type { LintBudgets } from './lint/lint-rule.ts';
export { run, type RunOptions } from './run.ts';
