import { checkAgent } from '@repertoire/declarative';
import { expect, it } from 'vitest';
import { brokenTable } from '../../../test/support/one-field-broken.ts';

const agent = {
  name: 'support',
  description: 'Answers questions.',
  state: { notes: { type: 'list', reducer: 'append', default: [] }, count: { type: 'int', default: 0 } },
  llms: [{ id: 'main', provider: 'openai', model_name: 'some-model' }],
  nodes: [
    { name: 'ask', type: 'call_llm', args: { prompt: '"Be short."' } },
    { name: 'note', type: 'set_state', args: { state_updates: { notes: '["a"]', count: 'state.count + 1' } } },
    { name: 'sure', type: 'interrupt', args: { value: '"Sure?"', state_updates: { notes: '[answer]' } } },
  ],
  edges: [
    { source: 'START', target: 'ask' },
    { source: 'ask', target: 'note' },
    { source: 'note', target: 'sure' },
    { source: 'sure', target: 'END' },
  ],
};

it('DEC-1: an agent in which one field is wrong is told of at its line and column', async () => {
  const read = async (value: unknown) =>
    (await checkAgent(JSON.stringify(value, null, 1))).problems.map(({ line, column, message }) => ({
      code: `${line}:${column} ${message}`,
      message,
    }));
  expect(await read(agent)).toEqual([]);
  await expect(await brokenTable(agent, read)).toMatchFileSnapshot('broken/agent.txt');
});
