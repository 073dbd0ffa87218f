import type { AgentHost } from '@repertoire/declarative/node';
import base from '../../../../examples/declarative-agents/src/host.ts';
import { FakeListChatModel } from '@langchain/core/utils/testing';

/** The host of the example, with a model whose server refuses its key. */
class RefusedModel extends FakeListChatModel {
  override bindTools(): this {
    return this;
  }
  override _generate(): Promise<never> {
    return Promise.reject(new Error('401 Incorrect API key provided'));
  }
}
const host: AgentHost = { ...base, models: { 'my-llm': new RefusedModel({ responses: [] }) } };
export default host;
