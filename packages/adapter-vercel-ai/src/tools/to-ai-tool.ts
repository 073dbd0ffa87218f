import type { SkillTool, SkillToolContext, SkillToolResult } from '@repertoire/skills-core/adapter';
import { failureText } from '@repertoire/skills-core/adapter';
import { hashText } from '@repertoire/skills-core/internal';
import { dynamicTool, jsonSchema, type JSONSchema7, type ModelMessage, type ToolResultPart, type ToolSet } from 'ai';
import { forkText, type RunFork } from '../fork/run-fork.ts';
import type { ConversationState } from '../state/conversation-state.ts';
import { partsOf } from '../state/messages.ts';
import type { HostTools } from './host-tools.ts';
import { withProgress } from './with-progress.ts';

/** Options of {@link toAiTool}. */
export interface ToAiToolOptions {
  readonly state: ConversationState;
  /** Why a call waits for a person; `null` if not, or if the SDK asked. @default nobody is asked */
  readonly refusal?: HostTools['refusal'] | undefined;
  /** Runs a skill in an agent of its own. @default forks are loaded like other skills */
  readonly fork?: RunFork | undefined;
  /** Converts the answer of this tool to what the model gets. @default the text */
  readonly modelOutput?: ((text: string) => ToolResultPart['output']) | undefined;
}

/**
 * A skill tool as a tool of the AI SDK. It is dynamic, because its name is chosen at run time. It
 * answers with plain text, which every conversion of the SDK passes to the model unchanged. It
 * carries `metadata.repertoire.role`, so a user interface recognizes its calls whatever their name
 * is.
 */
export function toAiTool(skillTool: SkillTool, { state, refusal, fork, modelOutput }: ToAiToolOptions): ToolSet[string] {
  const contextOf = ({ messages, abortSignal, toolCallId }: Call): SkillToolContext => ({
    state: state.of(messages),
    at: state.lengthOf(messages),
    callId: toolCallId,
    // What was said before tells calls of one id apart.
    ...(skillTool.role === 'runWorkflow' && { run: hashText(JSON.stringify(messages.map(partsOf))) }),
    signal: abortSignal,
  });
  async function answer(input: unknown, call: Call, onProgress?: (line: string) => void): Promise<SkillToolResult> {
    const { messages, toolCallId } = call;
    state.atStep(messages);
    const context = { ...contextOf(call), canFork: fork !== undefined, onProgress };
    const error = (await refusal?.(skillTool.name, input, { messages, toolCallId })) ?? undefined;
    if (error !== undefined) return { text: failureText(error), events: [], error };
    const result = await skillTool.execute(input, context);
    await state.record(result.events);
    return result;
  }
  /**
   * A durable run stores results by call id, so this second result of the call gets an id of its
   * own.
   */
  const answerHere = async (input: unknown, call: Call, change: (loaded: SkillToolResult) => SkillToolResult): Promise<SkillToolResult> => {
    const result = change(await skillTool.execute(input, { ...contextOf(call), callId: `${call.toolCallId}-here` }));
    await state.record(result.events);
    return result;
  };
  return dynamicTool({
    description: skillTool.description,
    // A copy, because the SDK's type allows changes.
    inputSchema: jsonSchema(JSON.parse(JSON.stringify(skillTool.inputSchema)) as JSONSchema7),
    metadata: { repertoire: { role: skillTool.role } },
    ...(modelOutput !== undefined && {
      toModelOutput: ({ output }: { readonly output: unknown }) =>
        modelOutput(typeof output === 'string' ? output : JSON.stringify(output)),
    }),
    execute: executeOf(skillTool, { answer, answerHere }, fork),
  });
}

interface Call {
  readonly messages: ModelMessage[];
  readonly abortSignal?: AbortSignal | undefined;
  readonly toolCallId: string;
}

interface Answers {
  answer(input: unknown, call: Call, onProgress?: (line: string) => void): Promise<SkillToolResult>;
  /** Loads a skill in the conversation whose agent could not go on. */
  answerHere(input: unknown, call: Call, change: (loaded: SkillToolResult) => SkillToolResult): Promise<SkillToolResult>;
}

/** Every text before the last is preliminary: people see it, the model does not. */
function executeOf({ role }: SkillTool, { answer, answerHere }: Answers, fork: RunFork | undefined) {
  if (role === 'runWorkflow' || role === 'runScript')
    return (input: unknown, call: Call) => withProgress((onProgress) => answer(input, call, onProgress));
  if (fork === undefined) return async (input: unknown, call: Call): Promise<string> => (await answer(input, call)).text;
  return async function* (input: unknown, call: Call): AsyncGenerator<string> {
    const result = await answer(input, call);
    if (result.fork === undefined) yield result.text;
    else yield* forkText(result.fork, fork, call, (change) => answerHere(input, call, change));
  };
}
