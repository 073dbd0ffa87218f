import { AIMessage, HumanMessage, ToolMessage, type BaseMessage } from '@langchain/core/messages';
import { hostCallOver, isHostCallId, signingModels } from '@repertoire/skills-core/adapter';

/** What a model class tells about itself; a configurable one keeps the name of its model apart. */
interface ModelLike {
  readonly model?: unknown;
  readonly modelName?: unknown;
  readonly _defaultConfig?: { readonly model?: unknown; readonly modelProvider?: unknown } | undefined;
  getName?(): string;
  readonly _llmType?: () => string;
}

/**
 * The messages with an end behind each call that the host made in the model's place, for models
 * that sign what they think. It is a view for one model call, and depends on the messages alone, so
 * that each call has it at the same place.
 */
export function endHostCalls(messages: readonly BaseMessage[], model: unknown, loadTool: string): readonly BaseMessage[] {
  if (!signsThinking(model as ModelLike)) return messages;
  return messages.flatMap((message, index) => {
    const next = messages[index + 1];
    if (!isHostAnswer(message, loadTool) || isHostCall(next, loadTool)) return [message];
    const answer = new AIMessage({ id: `${message.id ?? index}-over`, content: hostCallOver.answer });
    if (next?.getType() === 'human') return [message, answer];
    return [message, answer, new HumanMessage({ id: `${message.id ?? index}-next`, content: hostCallOver.request })];
  });
}

function signsThinking(model: ModelLike): boolean {
  const { _defaultConfig: configured, _llmType: type } = model;
  const words = [model.getName?.(), type?.call(model), model.model, model.modelName, configured?.model, configured?.modelProvider];
  return words.some((word) => typeof word === 'string' && signingModels.test(word));
}

function isHostAnswer(message: BaseMessage, loadTool: string): boolean {
  return ToolMessage.isInstance(message) && message.name === loadTool && isHostCallId(message.tool_call_id);
}

function isHostCall(message: BaseMessage | undefined, loadTool: string): boolean {
  if (!AIMessage.isInstance(message)) return false;
  const [call] = message.tool_calls ?? [];
  return call?.name === loadTool && call.id !== undefined && isHostCallId(call.id);
}
