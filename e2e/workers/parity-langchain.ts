/** The hosts of LangChain, whose tracing asks for modules of Node. */
import { langChainAgentHost } from '../parity/hosts/langchain-agent.ts';
import { langGraphHost } from '../parity/hosts/langgraph.ts';
import type { ParityHost } from '../parity/record.ts';

export const hosts: readonly ParityHost[] = [langGraphHost, langChainAgentHost];
