import { assertKnownOptions, type OptionRules } from '@repertoire/skills-core/internal';
import { SkillError } from '@repertoire/skills-core';
import type { AgentDocument } from '../document/agent-document.ts';
import { problemText } from '../document/agent-problem.ts';
import { agentSkills } from '../graph/agent-skills.ts';
import { buildGraph, type AgentGraph } from '../graph/build-graph.ts';
import { runnerOf } from '../graph/node-runners.ts';
import { scopes } from '../graph/scope.ts';
import { planAgent } from '../plan/plan-agent.ts';
import { checkAgentRules } from './check-agent.ts';
import type { AgentReadOptions, CompileAgentOptions } from './compile-agent-options.ts';
import { hostParts } from './host-parts.ts';

/** What `runAgent` takes besides stands there. */
export const compileAgentRules: OptionRules<CompileAgentOptions> = { ...checkAgentRules, binding: '{}', graph: '{}', onDiagnostic: '()' };

/**
 * Compiles the file of an agent into a graph of LangGraph, which is like any other: checkpointers,
 * streams, interrupts and drawings work. Everything that can be known before the first run is
 * checked here. The file can use nothing that is not in the options.
 *
 * @throws {SkillError} `invalid-agent` with every problem of the file and its place;
 *   `invalid-options` for options that cannot work; `source-unavailable`, `timeout` where a source
 *   of skills does not answer
 * @example
 * ```ts
 * import type { BaseChatModel } from '@langchain/core/language_models/chat_models';
 * import { compileAgent } from '@repertoire/declarative';
 *
 * const text = `
 * llms: [{ id: main }]
 * nodes:
 *   - name: answer
 *     type: call_llm
 *     args: { prompt: '"Answer in one sentence."' }
 * `;
 *
 * export async function answer(model: BaseChatModel, question: string): Promise<string> {
 *   const graph = await compileAgent(text, { models: { main: model } });
 *   const { messages } = await graph.invoke({ messages: [{ role: 'user', content: question }] });
 *   return messages.at(-1)?.text ?? '';
 * }
 * ```
 */
export async function compileAgent(text: string, options: CompileAgentOptions = {}): Promise<AgentGraph> {
  assertKnownOptions('compileAgent', options, compileAgentRules);
  const { document, plan } = planAgent(text, { ...options, toolNames: options.skillset?.surface?.names });
  if (plan === null) throw invalidAgent(document);
  const host = await hostParts(document, plan, options, { models: true, tools: true, skills: true, workflows: true });
  if (document.hasErrors) throw invalidAgent(document);
  for (const problem of document.problems) options.onDiagnostic?.(problem);
  const skills = agentSkills({ ...host, skillset: options.skillset ?? {}, binding: options.binding ?? {} });
  const openScope = scopes(plan, skills);
  const parts = { skills, openScope, models: host.models, runWorkflow: options.runWorkflow };
  return buildGraph(plan, { runnerOf: (node) => runnerOf(node, parts), openScope }, options.graph);
}

/** The error of a file with problems: a line for each. */
function invalidAgent({ problems }: AgentDocument): SkillError {
  const errors = problems.filter(({ severity }) => severity === 'error');
  const count = errors.length === 1 ? 'a problem' : `${errors.length} problems`;
  return new SkillError('invalid-agent', `The file of the agent has ${count}:\n${errors.map(problemText).join('\n')}`);
}

/**
 * Draws an agent, as text for Mermaid: what LangGraph draws of the compiled graph. Neither
 * models nor skills are needed for it.
 *
 * @throws {SkillError} `invalid-agent` for a file with errors
 * @example
 * ```ts
 * import { agentGraph } from '@repertoire/declarative';
 *
 * export const picture = await agentGraph(`
 * nodes:
 *   - { name: first, type: set_state, args: { state_updates: {} } }
 * `);
 * ```
 */
export async function agentGraph(text: string, options: AgentReadOptions = {}): Promise<string> {
  const { document, plan } = planAgent(text, { ...options, toolNames: options.skillset?.surface?.names });
  if (plan === null) throw invalidAgent(document);
  const notRun = (): never => {
    throw new SkillError('unsupported', 'This graph is only drawn.');
  };
  const graph = buildGraph(plan, { runnerOf: () => notRun, openScope: notRun });
  return (await graph.getGraphAsync()).drawMermaid();
}
