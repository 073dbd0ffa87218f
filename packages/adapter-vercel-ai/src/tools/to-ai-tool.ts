import type { SkillTool, SkillToolContext, SkillToolResult } from '@repertoire/skills-core';
import { dynamicTool, jsonSchema, type JSONSchema7, type ModelMessage, type ToolResultPart, type ToolSet } from 'ai';
import { forkText, type RunFork } from '../fork/run-fork.ts';
import type { ConversationState } from '../state/conversation-state.ts';
import { withProgress } from './with-progress.ts';

/** Options of {@link toAiTool}. */
export interface ToAiToolOptions {
  readonly state: ConversationState;
  /** Runs a skill in an agent of its own. @default skills with `context: fork` are loaded like any other */
  readonly fork?: RunFork | undefined;
  /** What the model gets of a text that this tool answered with. @default the text */
  readonly modelOutput?: ((text: string) => ToolResultPart['output']) | undefined;
}

/**
 * A skill tool as a tool of the AI SDK. It is a dynamic one, because its name is chosen at run time; it answers with plain text, which every conversion of the
 * SDK hands to the model unchanged; and it carries `metadata.repertoire.role`, by which a user interface knows its calls whatever they are named.
 */
export function toAiTool(skillTool: SkillTool, { state, fork, modelOutput }: ToAiToolOptions): ToolSet[string] {
  async function answer(
    input: unknown,
    { messages, abortSignal, toolCallId }: Call,
    onProgress?: (line: string) => void,
  ): Promise<SkillToolResult> {
    state.atStep(messages);
    const context: SkillToolContext = {
      state: state.of(messages),
      at: state.lengthOf(messages),
      canFork: fork !== undefined,
      callId: toolCallId,
      onProgress,
      signal: abortSignal,
    };
    const result = await skillTool.execute(input, context);
    await state.record(result.events);
    return result;
  }
  return dynamicTool({
    description: skillTool.description,
    // A copy, because the SDK's type lets others change it.
    inputSchema: jsonSchema(JSON.parse(JSON.stringify(skillTool.inputSchema)) as JSONSchema7),
    metadata: { repertoire: { role: skillTool.role } },
    ...(modelOutput !== undefined && {
      toModelOutput: ({ output }: { readonly output: unknown }) =>
        modelOutput(typeof output === 'string' ? output : JSON.stringify(output)),
    }),
    execute: executeOf(skillTool, answer, fork),
  });
}

/** What the SDK tells of a call. */
interface Call {
  readonly messages: ModelMessage[];
  readonly abortSignal?: AbortSignal | undefined;
  readonly toolCallId: string;
}

type Answer = (input: unknown, call: Call, onProgress?: (line: string) => void) => Promise<SkillToolResult>;

/** What is said before the last text is preliminary: people see it, and the model does not. */
function executeOf({ role }: SkillTool, answer: Answer, fork: RunFork | undefined) {
  if (role === 'runWorkflow' || role === 'runScript')
    return (input: unknown, call: Call) => withProgress((onProgress) => answer(input, call, onProgress));
  if (fork === undefined) return async (input: unknown, call: Call): Promise<string> => (await answer(input, call)).text;
  return async function* (input: unknown, call: Call): AsyncGenerator<string> {
    const result = await answer(input, call);
    if (result.fork === undefined) yield result.text;
    else yield* forkText(result.fork, fork, call);
  };
}
