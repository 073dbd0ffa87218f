import { defineSkill, SkillError, type SkillDefinition } from '@repertoire/skills-core';
import type { ToolSet } from 'ai';

/** What {@link defineAiSdkSkill} takes: a skill whose tools are tools of the AI SDK. */
export interface AiSdkSkillDefinition<TOOLS extends ToolSet> extends Omit<SkillDefinition, 'tools'> {
  /** The skill's own tools, by name. They refuse until the skill is loaded. */
  readonly tools: TOOLS;
}

/** A skill with its tools: a definition like any other, and beside it the tools with their types. */
export type AiSdkSkill<TOOLS extends ToolSet> = SkillDefinition & {
  /** The tools that the skill names, for `tools` of `aiSdkSkills`. */
  readonly toolSet: TOOLS;
};

/**
 * Declares a skill in code together with its own tools. The types of their inputs and outputs are kept: `skills.tools` of `aiSdkSkills` has them, and so have the
 * results of a call and the messages of a user interface.
 *
 * @throws {SkillError} `invalid-skill`, naming every rule that is broken
 * @example
 * ```ts
 * import { aiSdkSkills, defineAiSdkSkill } from '@repertoire/adapter-vercel-ai';
 * import { createSkillset } from '@repertoire/skills-core';
 * import { tool } from 'ai';
 * import { z } from 'zod';
 *
 * const billing = defineAiSdkSkill({
 *   name: 'billing',
 *   description: 'Refunds and invoices. Use when a customer asks about money.',
 *   body: 'Confirm the order, then call process_refund.',
 *   tools: {
 *     process_refund: tool({ inputSchema: z.object({ amount: z.number() }), execute: async ({ amount }) => ({ refunded: amount }) }),
 *   },
 * });
 * const skills = await aiSdkSkills(createSkillset({ skills: [billing] }), { tools: billing.toolSet });
 * ```
 */
export function defineAiSdkSkill<TOOLS extends ToolSet>({ tools, ...definition }: AiSdkSkillDefinition<TOOLS>): AiSdkSkill<TOOLS> {
  if (typeof tools !== 'object' || tools === null) {
    throw new SkillError('invalid-skill', `Skill ${JSON.stringify(definition.name)} has no tools. Use defineSkill for one without.`, {
      skill: definition.name,
    });
  }
  const checked = defineSkill({ ...definition, tools: Object.keys(tools) });
  // Not enumerable: what is copied of a skill, for a catalog or a lock, is data.
  return Object.freeze(
    Object.defineProperty<object>({ ...checked }, 'toolSet', { value: Object.freeze({ ...tools }) }),
  ) as AiSdkSkill<TOOLS>;
}
