import type { ToolMessage } from '@langchain/core/messages';
import { tool, type StructuredToolInterface, type ToolRuntime } from '@langchain/core/tools';
import type { Command } from '@langchain/langgraph';
import type { SkillToolDescription } from '@repertoire/skills-core/policy';
import type { SkillsBinding } from '../binding/bind-skills.ts';
import { answerSkillCall, type SkillsBox } from './answer-skill-call.ts';

/**
 * A skill tool as a tool of LangChain. In a graph it answers with a `Command` that updates the state and carries its own `ToolMessage`;
 * elsewhere with the message, or with the bare text if it was called without a call.
 */
export function toLangChainTool<Context>(
  description: SkillToolDescription,
  binding: SkillsBinding<Context>,
  box?: SkillsBox,
): StructuredToolInterface {
  return tool(
    async (input: unknown, runtime: ToolRuntime): Promise<Command | ToolMessage | string> =>
      answerSkillCall({ binding, description, input, runtime, box }),
    {
      name: description.name,
      description: description.description,
      schema: laxSchema(description.inputSchema) as never,
      metadata: { repertoire: { role: description.role } },
    },
  ) as unknown as StructuredToolInterface;
}

/** The same arguments without rules: the core judges what a model sends, and answers in words that it can act on. */
function laxSchema({ properties }: SkillToolDescription['inputSchema']): object {
  const described = Object.entries(properties).map(([name, { description }]) => [name, { description }]);
  return { type: 'object', properties: Object.fromEntries(described), additionalProperties: true };
}
