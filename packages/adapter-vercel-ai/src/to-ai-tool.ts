import type { SkillTool } from '@repertoire/skills-core';
import { dynamicTool, jsonSchema, type JSONSchema7, type ToolSet } from 'ai';
import type { ConversationState } from './conversation-state.ts';

/**
 * A skill tool as a tool of the AI SDK. It is a dynamic one, because its name is chosen at run time; it answers with plain text, which every conversion of the
 * SDK hands to the model unchanged; and it carries `metadata.repertoire.role`, by which a user interface knows its calls whatever they are named.
 */
export function toAiTool(skillTool: SkillTool, state: ConversationState): ToolSet[string] {
  return dynamicTool({
    description: skillTool.description,
    // A copy, because the SDK's type lets others change it.
    inputSchema: jsonSchema(structuredClone(skillTool.inputSchema) as JSONSchema7),
    metadata: { repertoire: { role: skillTool.role } },
    execute: async (input, { messages, abortSignal }) => {
      const { text, events } = await skillTool.execute(input, { state: state.of(messages), signal: abortSignal });
      state.record(events);
      return text;
    },
  });
}
