import {
  Command,
  entrypoint,
  interrupt,
  MemorySaver,
  START,
  StateGraph,
  Annotation,
  END,
  type BaseCheckpointSaver,
  type LangGraphRunnableConfig,
} from '@langchain/langgraph';
import { SkillRegistry } from '@repertoire/skills-core';
import { scriptedModel } from '@repertoire/skills-testkit/ai-sdk';
import { generateText, isStepCount, jsonSchema, streamText, tool } from 'ai';
import { describe, expect, it } from 'vitest';
import { durableAgent, type DurableAgent } from '../src/agent.ts';
import { durableAiSdk } from '../src/ai-sdk.ts';
import { langGraphEngine } from '../src/langgraph.ts';

/** A graph whose only node is an agent. */
function graphOf<Output>(checkpointer: BaseCheckpointSaver, run: (durable: DurableAgent, input: string) => Promise<Output>) {
  return entrypoint({ name: 'agent', checkpointer }, async (input: string, config) => {
    const durable = durableAgent(langGraphEngine(config));
    try {
      return await run(durable, input);
    } finally {
      durable.throwIfCut();
    }
  });
}

const thread = (id: string) => ({ configurable: { thread_id: id } });

describe('langGraphEngine', () => {
  it('FLW-5: a step that fails ends the run; resumed, it runs again, and what ended does not', async () => {
    const ran: string[] = [];
    let isBroken = true;
    const graph = graphOf(new MemorySaver(), async (durable) => {
      const first = await durable.step('a|b:c', async () => (ran.push('first'), 1));
      const second = await durable.askModel(async () => {
        ran.push('model');
        if (isBroken) throw new Error('The model is down.');
        return 2;
      });
      return first + second;
    });
    await expect(graph.invoke('x', thread('t'))).rejects.toThrow('The model is down.');
    isBroken = false;
    expect(await graph.invoke(null, thread('t'))).toBe(3);
    expect(ran).toEqual(['first', 'model', 'model']);
    // A run that has ended does not run again.
    expect(await graph.invoke(null, thread('t'))).toBe(3);
    expect(ran).toEqual(['first', 'model', 'model']);
  });

  it('FLW-5: each run of a thread has keys of its own, the same after it was resumed', async () => {
    const keys: string[] = [];
    let isBroken = true;
    const graph = graphOf(new MemorySaver(), async (durable) => {
      await durable.callTool('call_0', async ({ idempotencyKey }) => void keys.push(idempotencyKey));
      await durable.callTool('call_1', async ({ idempotencyKey }) => void keys.push(idempotencyKey));
      await durable.step('after', async () => {
        if (isBroken) throw new Error('Broken.');
        return null;
      });
      return durable.workflowId;
    });
    await expect(graph.invoke('x', thread('t'))).rejects.toThrow('Broken.');
    isBroken = false;
    const first = await graph.invoke(null, thread('t'));
    const second = await graph.invoke('y', thread('t'));
    expect(first).toMatch(/^t:[\da-f-]{36}$/);
    expect(second).not.toBe(first);
    expect(keys).toEqual([first, first, second, second].map((run, index) => `${run}:call_${index % 2}`));
  });

  it('FLW-5: no step begins before the one before it, and the checkpoint of the run, are recorded', async () => {
    const told: string[] = [];
    const slow = async <Value>(what: string, save: () => Promise<Value>): Promise<Value> => {
      for (let turn = 0; turn < 30; turn += 1) await new Promise((resolve) => setImmediate(resolve));
      const saved = await save();
      told.push(what);
      return saved;
    };
    class SlowSaver extends MemorySaver {
      override put(...given: Parameters<MemorySaver['put']>): ReturnType<MemorySaver['put']> {
        return slow('checkpoint', async () => await super.put(...given));
      }
      override putWrites(...given: Parameters<MemorySaver['putWrites']>): ReturnType<MemorySaver['putWrites']> {
        const [, [[channel, value] = []]] = given;
        // LangGraph's own record of the task, which says nothing, may come later.
        return slow(channel === 'skill_step' ? `recorded ${String(value)}` : 'LangGraph', async () => await super.putWrites(...given));
      }
    }
    const graph = graphOf(new SlowSaver(), async (durable) => {
      for (const id of ['one', 'two', 'three']) await durable.step(id, async () => (told.push(`begin ${id}`), id));
      return 'end';
    });
    expect(await graph.invoke('x', thread('t'))).toBe('end');
    expect(told.filter((what) => what !== 'LangGraph').slice(0, 6)).toEqual([
      'checkpoint',
      'begin one',
      'recorded "one"',
      'begin two',
      'recorded "two"',
      'begin three',
    ]);
  });

  it('FLW-5: a run that LangGraph does not record is refused, and one whose record fails ends', async () => {
    const graph = graphOf(new MemorySaver(), async (durable) => {
      await durable.step('one', async () => 1);
      return await durable.step('two', async () => 2);
    });
    await expect(graph.invoke('x', { ...thread('t'), durability: 'exit' })).rejects.toMatchObject({
      code: 'invalid-options',
      message: expect.stringContaining("durability 'sync' or 'async'"),
    });
    const unrecorded = entrypoint('agent', async (_input: string, config) => langGraphEngine(config).workflowId);
    await expect(unrecorded.invoke('x', thread('t'))).rejects.toMatchObject({ code: 'invalid-options' });

    class BrokenSaver extends MemorySaver {
      override async putWrites(): Promise<void> {
        throw new Error('The disk is full.');
      }
    }
    const began: string[] = [];
    const broken = graphOf(new BrokenSaver(), async (durable) => {
      await durable.step('one', async () => void began.push('one'));
      await durable.step('two', async () => void began.push('two'));
      return 'end';
    });
    await expect(broken.invoke('x', thread('t'))).rejects.toThrow('The disk is full.');
    expect(began).toEqual(['one']);
  });

  it.each([
    ['generateText', 9],
    ['generateText', 1],
    ['streamText', 9],
  ] as const)('FLW-5: a tool asks a person by interrupt, in a loop of %s that ends after %d steps', async (loop, most) => {
    const ran: string[] = [];
    const provider = new SkillRegistry({ skills: [{ name: 'refunds', description: 'Refunds money.', body: 'Charge.' }] });
    const graph = graphOf(new MemorySaver(), async (durable) => {
      await durable.openSkills({ provider });
      const sdk = durableAiSdk(durable);
      const model = scriptedModel(({ prompt }) => {
        ran.push('model');
        const answers = prompt.flatMap(({ role, content }) => (role === 'tool' ? content : []));
        if (answers.length > 0) return { text: JSON.stringify(answers.map((part) => ('output' in part ? part.output : null))) };
        return {
          toolCalls: [
            { toolName: 'pay', input: {} },
            { toolName: 'log', input: {} },
          ],
        };
      });
      const inputSchema = jsonSchema<object>({ type: 'object', properties: {} });
      const tools = sdk.tools({
        pay: tool({ inputSchema, execute: () => (ran.push('pay'), `paid ${String(interrupt('May I pay?'))}`) }),
        log: tool({ inputSchema, execute: () => (ran.push('log'), 'logged') }),
      });
      const settings = { ...sdk.settings({ model, tools }), prompt: 'Pay.', stopWhen: isStepCount(most) };
      if (loop === 'streamText') return await streamText({ ...settings, onError: () => {} }).text;
      const { text, steps } = await generateText(settings);
      return `${text}${JSON.stringify(steps.at(-1)?.toolResults.map(({ output }) => output))}`;
    });
    const asked = await graph.invoke('x', thread('t'));
    expect(JSON.stringify(asked)).toContain('May I pay?');
    expect(ran).toEqual(['model', 'pay', 'log']);
    const answer = await graph.invoke(new Command({ resume: 'in cash' }), thread('t'));
    expect(answer).toContain('paid in cash');
    expect(ran.filter((each) => each === 'log')).toEqual(['log']);
    expect(ran.filter((each) => each === 'pay')).toEqual(['pay', 'pay']);
    expect(ran.filter((each) => each === 'model')).toHaveLength(most === 1 ? 1 : 2);
  });

  it('FLW-5: runs in a node of a graph too, beside another agent', async () => {
    const State = Annotation.Root({ said: Annotation<string[]>({ reducer: (old, added) => [...old, ...added], default: () => [] }) });
    let isBroken = true;
    const ran: string[] = [];
    const node = (name: string, fails: boolean) => async (_state: unknown, config: LangGraphRunnableConfig) => {
      const durable = durableAgent(langGraphEngine(config));
      const said = await durable.askModel(async () => (ran.push(name), name));
      await durable.step('then', async () => {
        if (fails && isBroken) throw new Error('Broken.');
        return null;
      });
      return { said: [said] };
    };
    const graph = new StateGraph(State)
      .addNode('one', node('one', false))
      .addNode('two', node('two', true))
      .addEdge(START, 'one')
      .addEdge(START, 'two')
      .addEdge('one', END)
      .addEdge('two', END)
      .compile({ checkpointer: new MemorySaver() });
    await expect(graph.invoke({}, { ...thread('t'), durability: 'sync' })).rejects.toThrow('Broken.');
    isBroken = false;
    expect((await graph.invoke(null, { ...thread('t'), durability: 'sync' })).said).toEqual(['one', 'two']);
    expect(ran.toSorted()).toEqual(['one', 'two']);
  });
});
