// Anything added here is public API.
export { aiSdkGenerate, type AiSdkGenerateOptions } from './ai-sdk/ai-sdk-generate.ts';
export { aiSdkTools } from './ai-sdk/ai-sdk-tools.ts';
export { durableAiSdk, type DurableAiSdk } from './ai-sdk/durable-ai-sdk.ts';
export { aiSdkAnswer, remoteAiSdkModel, type RemoteAiSdkModelOptions } from './ai-sdk/remote-model.ts';
export type { AiSdkModel } from './ai-sdk/model-records.ts';
