// Anything added here is public API.
export { langchainGenerate, langchainTools } from './langchain/langchain-bindings.ts';
