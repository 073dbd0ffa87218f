import type { FunctionTool } from '@openai/agents-core';
import { defineSkill, type SkillDefinition } from '@repertoire/skills-core';

/** A skill whose tools are function tools of the SDK. */
export interface AgentSkillDefinition extends Omit<SkillDefinition, 'tools' | 'toolSet'> {
  /** The skill's own tools. They refuse until the skill is loaded. */
  readonly tools: readonly FunctionTool[];
}

/**
 * Defines a skill in code together with its own tools. Every agent of `openAiAgentsSkills` takes
 * them from the skillset.
 *
 * @throws {SkillError} `invalid-skill`, with every rule that is broken
 * @example
 * ```ts
 * import type { FunctionTool } from '@openai/agents-core';
 * import { defineAgentSkill, openAiAgentsSkills } from '@repertoire/adapter-openai-agents';
 * import { createSkillset } from '@repertoire/skills-core';
 *
 * export function skillsWith(processRefund: FunctionTool) {
 *   const billing = defineAgentSkill({
 *     name: 'billing',
 *     description: 'Refunds and invoices. Use when a customer asks about money.',
 *     body: 'Confirm the order, then call process_refund.',
 *     tools: [processRefund],
 *   });
 *   return openAiAgentsSkills(createSkillset({ skills: [billing] }));
 * }
 * ```
 */
export function defineAgentSkill({ tools, ...definition }: AgentSkillDefinition): SkillDefinition {
  const toolSet = Object.freeze(Object.fromEntries(tools.map((tool) => [tool.name, tool])));
  return defineSkill({ ...definition, tools: Object.keys(toolSet), toolSet });
}
