// Anything added here is public API.
export { aiSdkGenerate, type AiSdkGenerateOptions } from './bindings/ai-sdk-generate.ts';
export { aiSdkTools } from './bindings/ai-sdk-tools.ts';
