// Anything added here is public API.
export { ScriptedChatModel, scriptedModel, type ScriptedChatModelCall } from './models/scripted-chat-model.ts';
export type { ScriptedTurn } from './scripted-turn.ts';
