// Anything added here is public API.
export { scriptedModel, type ScriptedModel, type ScriptedModelCall } from './models/scripted-ai-sdk-model.ts';
export type { ScriptedTurn } from './scripted-turn.ts';
