// Anything added here is public API.
export { langchainGenerate, langchainTools, type ChatModelLike, type LangChainToolLike } from './bindings/langchain.ts';
