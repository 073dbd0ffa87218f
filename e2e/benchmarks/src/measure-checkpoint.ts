/** One fresh process: `node measure-checkpoint.ts <plan as JSON>` runs an agent that loads ten skills at once, and counts what its checkpointer gets. */
import { writeFileSync } from 'node:fs';
import type { CheckpointModule } from './checkpoint-agent.ts';

/** What such a process is told. */
export interface CheckpointPlan {
  readonly peer: string;
  readonly folder: string;
  readonly loads: readonly string[];
  readonly output: string;
}

const plan = JSON.parse(process.argv[2] ?? '{}') as CheckpointPlan;
const { importAgent } = (await import(`../peers/${plan.peer}/checkpoint.ts`)) as CheckpointModule;
const { langchain, tools, middleware, callFor } = await importAgent(plan.folder);
const { AIMessage, BaseChatModel, MemorySaver, createAgent } = langchain;

/** It asks for ten skills in its first answer, and ends in its second. */
class Model extends BaseChatModel {
  _llmType(): string {
    return 'scripted';
  }
  bindTools(): this {
    return this;
  }
  async _generate(messages: readonly { readonly type: string }[]): Promise<object> {
    const isAnswered = messages.at(-1)?.type === 'tool';
    const calls = plan.loads.map((skill, index) => ({ ...callFor(skill), id: `call_${index}`, type: 'tool_call' }));
    const message = new AIMessage({
      id: isAnswered ? 'last' : 'first',
      content: isAnswered ? 'Done.' : '',
      tool_calls: isAnswered ? [] : calls,
    });
    return { generations: [{ text: '', message }] };
  }
}

const saver = new MemorySaver();
let [last, all] = [0, 0];
const sizeOf = async (value: unknown): Promise<number> => (await saver.serde.dumpsTyped(value))[1].length;
const { put, putWrites } = saver;
saver.put = async (configuration, checkpoint, ...rest) => {
  last = await sizeOf(checkpoint);
  all += last;
  return await put.call(saver, configuration, checkpoint, ...rest);
};
saver.putWrites = async (configuration, writes, ...rest) => {
  for (const [, value] of writes) all += await sizeOf(value);
  await putWrites.call(saver, configuration, writes, ...rest);
};

const agent = createAgent({ model: new Model({}), tools, middleware, checkpointer: saver });
const { messages } = await agent.invoke(
  { messages: [{ role: 'user', content: 'Load them.' }] },
  { configurable: { thread_id: '1' }, recursionLimit: 100 },
);
const loaded = messages.filter(({ text }) => text.length > 1_000).length;
if (loaded !== plan.loads.length) throw new Error(`${loaded} of ${plan.loads.length} skills were loaded.`);
writeFileSync(plan.output, JSON.stringify({ rows: { 'checkpoint-last': last, 'checkpoint-all': all } }));
process.exit();
