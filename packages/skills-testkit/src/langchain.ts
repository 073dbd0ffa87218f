// Anything added here is public API.
export {
  ScriptedChatModel,
  scriptedModel,
  type ScriptedChatModelCall,
  type ScriptedChatModelCallOptions,
} from './models/scripted-chat-model.ts';
export type { ModelScript, ScriptedFinishReason, ScriptedToolCall, ScriptedTurn } from './scripted-turn.ts';
