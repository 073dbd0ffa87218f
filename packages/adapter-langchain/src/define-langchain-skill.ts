import type { StructuredToolInterface } from '@langchain/core/tools';
import { defineSkill, SkillError, type SkillDefinition } from '@repertoire/skills-core';

/** What {@link defineLangChainSkill} takes: a skill whose tools are tools of LangChain. */
export interface LangChainSkillDefinition extends Omit<SkillDefinition, 'tools' | 'toolSet'> {
  /** The skill's own tools. They refuse until the skill is loaded. */
  readonly tools: readonly StructuredToolInterface[];
}

/**
 * Defines a skill in code together with its own tools. `skillsMiddleware`, `langGraphSkills` and
 * `createSkillTools` take them from the skillset. Register such skills before you create the
 * middleware or graph.
 *
 * @throws {SkillError} `invalid-skill`, with every rule that is broken
 * @example
 * ```ts
 * import type { StructuredToolInterface } from '@langchain/core/tools';
 * import { defineLangChainSkill, langGraphSkills } from '@repertoire/adapter-langchain/langgraph';
 * import { createSkillset } from '@repertoire/skills-core';
 *
 * export function skillsWith(processRefund: StructuredToolInterface) {
 *   const billing = defineLangChainSkill({
 *     name: 'billing',
 *     description: 'Refunds and invoices. Use when a customer asks about money.',
 *     body: 'Confirm the order, then call process_refund.',
 *     tools: [processRefund],
 *   });
 *   return langGraphSkills(createSkillset({ skills: [billing] }));
 * }
 * ```
 */
export function defineLangChainSkill({ tools, ...definition }: LangChainSkillDefinition): SkillDefinition {
  if (!Array.isArray(tools)) {
    throw new SkillError('invalid-skill', `Skill ${JSON.stringify(definition.name)} has no tools. Use defineSkill for one without.`, {
      skill: definition.name,
    });
  }
  const toolSet = Object.freeze(Object.fromEntries((tools as readonly StructuredToolInterface[]).map((tool) => [tool.name, tool])));
  return defineSkill({ ...definition, tools: Object.keys(toolSet), toolSet });
}
