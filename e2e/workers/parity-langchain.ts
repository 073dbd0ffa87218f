/** The hosts of LangChain, whose tracing asks for modules of Node. */
import { langChainAgentAdapter } from '../parity/hosts/langchain-agent.ts';
import { langGraphAdapter } from '../parity/hosts/langgraph.ts';
import { hostOf, type ParityHost } from '../parity/host.ts';

export const hosts: readonly ParityHost[] = [langGraphAdapter, langChainAgentAdapter].map(hostOf);
