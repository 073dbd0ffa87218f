import { defineSkill, SkillError, type SkillDefinition } from '@repertoire/skills-core';
import type { ToolSet } from 'ai';

/** What {@link defineAiSdkSkill} takes: a skill whose tools are tools of the AI SDK. */
export interface AiSdkSkillDefinition<TOOLS extends ToolSet> extends Omit<SkillDefinition, 'tools' | 'toolSet'> {
  /** The skill's own tools, by name. They refuse until the skill is loaded. */
  readonly tools: TOOLS;
}

/** A skill with its tools: a normal definition, plus the tools with their types. */
export type AiSdkSkill<TOOLS extends ToolSet> = Omit<SkillDefinition, 'toolSet'> & {
  /** The skill's tools. Pass them as `tools` of `aiSdkSkills` to keep their types. */
  readonly toolSet: TOOLS;
};

/**
 * Defines a skill in code together with its own tools. `aiSdkSkills` takes them from the skillset.
 * `toolSet` keeps their types: with `tools: billing.toolSet`, `skills.tools` is typed, and so are
 * the results of a call and UI messages.
 *
 * @throws {SkillError} `invalid-skill`, with every rule that is broken
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
 * const skills = await aiSdkSkills(createSkillset({ skills: [billing] }));
 * ```
 */
export function defineAiSdkSkill<TOOLS extends ToolSet>({ tools, ...definition }: AiSdkSkillDefinition<TOOLS>): AiSdkSkill<TOOLS> {
  if (typeof tools !== 'object' || tools === null) {
    throw new SkillError('invalid-skill', `Skill ${JSON.stringify(definition.name)} has no tools. Use defineSkill for one without.`, {
      skill: definition.name,
    });
  }
  return defineSkill({ ...definition, tools: Object.keys(tools), toolSet: Object.freeze({ ...tools }) });
}
