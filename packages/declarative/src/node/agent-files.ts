import { checkAgent, type AgentCheck, type CheckAgentOptions } from '../api/check-agent.ts';
import { runAgent, type AgentRun, type RunAgentOptions } from '../api/run-agent.ts';
import { problemText } from '../document/agent-problem.ts';
import { withAgentFile, type ReadAgentFileOptions } from './load-agent-file.ts';

/** The result of checking a file. */
export interface AgentFileCheck extends AgentCheck {
  /** One line for each problem, with the fix: `support.agent.yaml:14:36 …`. */
  readonly lines: readonly string[];
}

/** Options of {@link checkAgentFile}. */
export interface CheckAgentFileOptions extends Omit<CheckAgentOptions, 'basePath' | 'within' | 'sources'>, ReadAgentFileOptions {}

/** Options of {@link runAgentFile}. */
export interface RunAgentFileOptions extends Omit<RunAgentOptions, 'basePath' | 'within' | 'sources'>, ReadAgentFileOptions {}

/**
 * Checks the file of an agent with the skills that it names. Calls `checkAgent` with the text of
 * the file, and its folder as `basePath`.
 *
 * @throws {SkillError} what `readAgentFile` throws; `source-unavailable` or `timeout` of a given
 *   source
 * @example
 * ```ts
 * import { checkAgentFile } from '@repertoire/declarative/node';
 *
 * const { ok, lines } = await checkAgentFile('agents/support.agent.yaml');
 * if (!ok) throw new Error(lines.join('\n'));
 * ```
 */
export async function checkAgentFile(path: string | URL, options: CheckAgentFileOptions = {}): Promise<AgentFileCheck> {
  const file = await withAgentFile(path, options);
  const check = await checkAgent(file.text, file.options);
  return { ...check, lines: check.problems.map(problemText) };
}

/**
 * Runs the file of an agent once. Calls `runAgent` with the text of the file, and its folder as
 * `basePath`.
 *
 * @throws {SkillError} what `readAgentFile` and `runAgent` throw
 * @example
 * ```ts
 * import { runAgentFile, type AgentHost } from '@repertoire/declarative/node';
 *
 * export async function ask(host: AgentHost, input: string): Promise<string> {
 *   const { text } = await runAgentFile('agents/support.agent.yaml', { ...host, input });
 *   return text;
 * }
 * ```
 */
export async function runAgentFile(path: string | URL, options: RunAgentFileOptions): Promise<AgentRun> {
  const file = await withAgentFile(path, options);
  return runAgent(file.text, file.options);
}
