import type { BaseChatModel } from '@langchain/core/language_models/chat_models';
import { humanInTheLoopMiddleware, summarizationMiddleware, type AgentMiddleware } from 'langchain';
import type { ApprovalRequest } from '@repertoire/adapter-langchain/langgraph';

type PlainMiddleware = AgentMiddleware<undefined, undefined, unknown, readonly []>;

// Under `exactOptionalPropertyTypes`, the options of LangChain's own middleware have the type `never`.

export function summarization(options: {
  readonly model: BaseChatModel;
  readonly trigger: object;
  readonly keep: object;
}): PlainMiddleware {
  return summarizationMiddleware(options as never) as unknown as PlainMiddleware;
}

export function approvals(
  tool: string,
  when?: (request: ApprovalRequest) => Promise<boolean>,
  allowedDecisions: readonly string[] = ['approve', 'reject'],
): PlainMiddleware {
  const options = { interruptOn: { [tool]: { allowedDecisions, ...(when !== undefined && { when }) } } };
  return humanInTheLoopMiddleware(options as never) as unknown as PlainMiddleware;
}
