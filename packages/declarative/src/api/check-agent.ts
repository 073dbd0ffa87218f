import { assertKnownOptions, type OptionRules } from '@repertoire/skills-core/internal';
import type { AgentProblem } from '../document/agent-problem.ts';
import { planAgent } from '../plan/plan-agent.ts';
import type { AgentHostOptions, AgentReadOptions, CompileAgentOptions } from './compile-agent-options.ts';
import { hostParts } from './host-parts.ts';

/** Options of {@link checkAgent}. */
export interface CheckAgentOptions extends AgentHostOptions, AgentReadOptions, Pick<CompileAgentOptions, 'runWorkflow' | 'signal'> {}

/** What became of a check. */
export interface AgentCheck {
  /** Whether there is no error. */
  readonly ok: boolean;
  /** Errors and warnings, in the order in which they were found. */
  readonly problems: readonly AgentProblem[];
}

/** What `compileAgent` and `runAgent` take besides stands there. */
export const checkAgentRules: OptionRules<CheckAgentOptions> = {
  models: { '{}': true, '()': true },
  tools: { '[]': true, '{}': true },
  gatedTools: 'string[]',
  skills: '{}',
  sources: '{}',
  basePath: { string: true, '{}': true },
  within: '[]',
  fileName: 'string',
  limits: '{}',
  skillset: '{}',
  signal: '{}',
  runWorkflow: '()',
};

/**
 * Checks the file of an agent without running anything of it: its YAML, its form, every reference,
 * every expression with its types, and the graph. What the host gives is checked as far as it is
 * given: without `models`, for instance, the file may name any model.
 *
 * Problems are returned, not thrown, whatever the text is.
 *
 * @throws {SkillError} `invalid-options` for a `basePath` that is none; `source-unavailable`,
 *   `timeout` of a source that is given
 * @example
 * ```ts
 * import { checkAgent } from '@repertoire/declarative';
 *
 * const { problems } = await checkAgent('nodes:\n  - name: a\n    type: call_lm\n');
 * export const lines = problems.map(({ line, column, message, fix }) => `${line}:${column} ${message} ${fix}`);
 * ```
 */
export async function checkAgent(text: string, options: CheckAgentOptions = {}): Promise<AgentCheck> {
  assertKnownOptions('checkAgent', options, checkAgentRules);
  const { document, plan } = planAgent(text, { ...options, toolNames: options.skillset?.surface?.names });
  if (plan !== null) {
    const { models, tools, sources, skills, runWorkflow } = options;
    await hostParts(document, plan, options, {
      models: models !== undefined,
      tools: tools !== undefined,
      skills: sources !== undefined || skills !== undefined,
      workflows: runWorkflow !== undefined,
    });
  }
  return { ok: !document.hasErrors, problems: [...document.problems] };
}
