// Anything added here is public API.
export { langchainGenerate, langchainTools, type ChatModelLike, type LangChainToolLike } from './langchain/langchain-bindings.ts';
