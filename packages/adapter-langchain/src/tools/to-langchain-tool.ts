import type { ToolMessage } from '@langchain/core/messages';
import { tool, type StructuredToolInterface, type ToolRuntime } from '@langchain/core/tools';
import type { Command } from '@langchain/langgraph';
import type { SkillTool } from '@repertoire/skills-core';
import type { SkillsBinding } from '../binding/bind-skills.ts';
import type { SkillsBox } from './answer-skill-call.ts';
import { answerSkillCall } from './answer-skill-call.ts';

/**
 * A skill tool as a tool of LangChain. In a graph it answers with a `Command` that updates the state and carries its own `ToolMessage`; elsewhere with the message, or
 * with the bare text where it was called without a call.
 */
export function toLangChainTool<Context>(definition: SkillTool, binding: SkillsBinding<Context>, box?: SkillsBox): StructuredToolInterface {
  return tool(
    async (input: unknown, runtime: ToolRuntime): Promise<Command | ToolMessage | string> =>
      answerSkillCall({ binding, definition, input, runtime, box }),
    {
      name: definition.name,
      description: definition.description,
      // A copy, because the type lets others change it.
      schema: structuredClone(definition.inputSchema) as never,
      metadata: { repertoire: { role: definition.role } },
    },
  ) as unknown as StructuredToolInterface;
}
