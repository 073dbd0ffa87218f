// Anything added here is public API.
export { scriptedModel, type ScriptedChatModel, type ScriptedChatModelCall } from './models/scripted-chat-model.ts';
export type { ScriptedTurn } from './scripted-turn.ts';
