import { tool, type StructuredToolInterface } from '@langchain/core/tools';
import type { BaseMessage } from '@langchain/core/messages';
import { defineSkill, SkillRegistry, type SkillDefinition } from '@repertoire/skills-core';
import * as z from 'zod';

/** Skills of a desk. */
export const definitions = {
  billing: defineSkill({
    name: 'billing',
    version: '1.2.0',
    description: 'Refunds. Use for money.',
    body: '# Billing\n\nRefund with care.',
    tools: ['refund'],
  }),
  orders: defineSkill({
    name: 'orders',
    description: 'Finds orders. Use for parcels.',
    body: '# Orders\n\nLook first.',
    tools: ['lookup'],
  }),
} satisfies Record<string, SkillDefinition>;

export function registry(...skills: readonly SkillDefinition[]): SkillRegistry {
  const made = new SkillRegistry();
  for (const skill of skills.length === 0 ? Object.values(definitions) : skills) made.register(skill);
  return made;
}

/** Tools of the host, and what was done with them. */
export function hostTools(...names: readonly string[]): { readonly done: string[]; readonly tools: StructuredToolInterface[] } {
  const done: string[] = [];
  const tools = names.map((name) =>
    tool(
      async ({ of = '' }: { of?: string | undefined }) => {
        done.push(`${name} ${of}`.trim());
        return `${name} is done.`;
      },
      { name, description: `Does ${name}.`, schema: z.object({ of: z.string().optional() }) },
    ),
  );
  return { done, tools };
}

export const user = (text: string): { messages: { role: string; content: string }[] } => ({ messages: [{ role: 'user', content: text }] });
export const call = (toolName: string, input: unknown = {}): { toolCalls: { toolName: string; input: unknown }[] } => ({
  toolCalls: [{ toolName, input }],
});
export const textsOf = (messages: readonly BaseMessage[]): string[] => messages.map(({ type, text }) => `${type}: ${text}`);

/** Discover, load, execute: the model reads the catalog in its prompt. */
export const discover = `
skills: [{ id: billing, version: "1.2.0" }, { id: orders }]
llms: [{ id: my-llm, version: "1.0.0" }]
prompts:
  - id: discover-skills
    version: "1.0.0"
    instructions: >
      Here are the available skills: \${available_skills}
      Call load_skill_md for the most relevant skill.
  - { id: execute, instructions: Go. }
nodes:
  - name: discover
    type: call_llm
    args:
      llm: { id: my-llm, version: "1.0.0" }
      prompt:
        - role: system
          content: 'template(prompts["discover-skills"]["instructions"], {"available_skills": string(skills)})'
        - role: messages
          content: 'state.messages'
      tools:
        - id: load_skill_md
        - id: unload_skill
      state_updates:
        messages: '[llm_response]'
  - name: execute
    type: call_llm
    args:
      llm: { id: my-llm, version: "1.0.0" }
      prompt: 'prompts["execute"]["instructions"]'
      use_tools_from_loaded_skills: true
      state_updates:
        messages: '[llm_response]'
`;

/** One node with a model, and what else is asked for. */
export const single = (args: string, rest = ''): string => `
llms: [{ id: main }]
${rest}
nodes:
  - name: answer
    type: call_llm
    args: ${args}
`;
