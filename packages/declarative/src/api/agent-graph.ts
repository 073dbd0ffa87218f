import { SkillError } from '@repertoire/skills-core';
import { buildGraph } from '../graph/build-graph.ts';
import { planAgent } from '../plan/plan-agent.ts';
import { invalidAgent } from './compile-agent.ts';
import type { AgentReadOptions } from './compile-agent-options.ts';

/**
 * The picture of an agent, as text for Mermaid: what LangGraph draws of the compiled graph. Neither
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
