// Anything added here is public API.
export { aiSdkGenerate, type AiSdkGenerateOptions } from './ai-sdk/ai-sdk-generate.ts';
export { aiSdkTools } from './ai-sdk/ai-sdk-tools.ts';
