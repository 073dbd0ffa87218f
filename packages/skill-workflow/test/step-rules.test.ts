import { interrupt, Command, MemorySaver } from '@langchain/langgraph';
import { describe, expect, it } from 'vitest';
import {
  checkWorkflow,
  executeWorkflow,
  parseWorkflow,
  progressLine,
  skillWorkflows,
  type RunStep,
  type WorkflowTools,
} from '../src/index.ts';
import type { ExecuteWorkflowOptions } from '../src/run/execute-workflow.ts';
import { workflowGraph } from '../src/langgraph.ts';
import { temporalActivities } from '../src/temporal.ts';
import { workflowInputSchema } from '../src/tool/input-schema.ts';

type Steps = readonly Record<string, unknown>[];

const parse = (...steps: Steps) => parseWorkflow({ name: 'trip', steps }, { allowUntrusted: true });
const problems = (...steps: Steps) => checkWorkflow({ name: 'trip', steps }).map(({ at, message }) => `${at.join('.')}: ${message}`);

/** A run without an engine, and the same as a graph, which give the same. */
const runners: Readonly<Record<string, (steps: Steps, options: ExecuteWorkflowOptions) => Promise<unknown>>> = {
  'no engine': async (steps, options) => (await executeWorkflow(parse(...steps), options)).output,
  LangGraph: async (steps, { input = {}, concurrency: _none, ...options }) =>
    (await workflowGraph(parse(...steps), options).invoke({ input })).output,
};

const echo: WorkflowTools = { echo: (input) => input, fail: () => Promise.reject(new Error('down')) };

describe.each(Object.entries(runners))('what a step can say, with %s', (_name, run) => {
  it('FLW-6: for_each runs a step for each element, in order, and answers the list', async () => {
    const steps = [
      { name: 'all', tool: 'echo', for_each: '$.input.cities', input: { city: '$.item.name', at: '$.index', by: '$.input.by' } },
      { name: 'last', tool: 'echo', input: { cities: '$.steps.all.output', second: '$.steps.all.output[1].city' } },
    ];
    const input = { cities: [{ name: 'Oslo' }, { name: 'Rome' }], by: 'rail' };
    expect(await run(steps, { tools: echo, input })).toEqual({
      cities: [
        { city: 'Oslo', at: 0, by: 'rail' },
        { city: 'Rome', at: 1, by: 'rail' },
      ],
      second: 'Rome',
    });
    const generate = async ({ prompt }: { readonly prompt: string }) => prompt.split('\n')[0] ?? '';
    const prompts = [{ name: 'all', prompt: 'Say it.', for_each: '$.input.cities', input: { city: '$.item' } }];
    expect(await run(prompts, { generate, input: { cities: ['a', 'b'] } })).toEqual(['Say it.', 'Say it.']);
    expect(await run(prompts, { generate, input: { cities: [] } })).toEqual([]);
    await expect(run(prompts, { generate, input: { cities: 'Oslo' } })).rejects.toThrow(
      '$.input.cities leads to "Oslo". for_each needs a list.',
    );
    const long = { cities: Array.from({ length: 1_001 }, () => 'x') };
    await expect(run(prompts, { generate, input: long })).rejects.toThrow('has 1001 elements');
  });

  it('FLW-6: when skips a step, whose output is then empty', async () => {
    const step = (name: string, when: string, more = {}) => ({ name, tool: 'echo', input: {}, when, ...more });
    const steps = [
      step('one', '$.input.no'),
      { name: 'many', tools: [{ tool: 'echo' }, { tool: 'fail' }], when: '$.input.no' },
      step('list', '$.input.no', { for_each: '$.input.some' }),
      {
        name: 'end',
        tool: 'echo',
        when: '$.input.some',
        input: { one: '$.steps.one.output', many: '$.steps.many.output', list: '$.steps.list.output' },
      },
    ];
    for (const no of [false, null, 0, '', []])
      expect(await run(steps, { tools: echo, input: { no, some: [1] } })).toEqual({
        one: null,
        many: { echo: null, fail: null },
        list: [],
      });
    await expect(run(steps, { tools: echo, input: { no: 'yes', some: [1] } })).rejects.toThrow('down');
  });

  it('FLW-6: retry tries a call again, and timeout_ms shortens the limit of the host', async () => {
    const attempts: number[] = [];
    const flaky: WorkflowTools = {
      flaky: (_input, { attempt }) => (attempts.push(attempt), attempt < 3 ? Promise.reject(new Error('busy')) : 'done'),
      hang: (_input, { signal }) =>
        new Promise((_resolve, reject) => signal?.addEventListener('abort', () => reject(signal.reason as Error))),
    };
    expect(await run([{ name: 'a', tool: 'flaky', retry: { attempts: 3, delay_ms: 0 } }], { tools: flaky })).toBe('done');
    expect(attempts).toEqual([1, 2, 3]);
    await expect(run([{ name: 'a', tool: 'hang', timeout_ms: 1 }], { tools: flaky, policy: { timeoutMs: 600_000 } })).rejects.toThrow(
      'within 1 ms',
    );
    await expect(run([{ name: 'a', tool: 'hang', timeout_ms: 600_000 }], { tools: flaky, policy: { timeoutMs: 1 } })).rejects.toThrow(
      'within 1 ms',
    );
  });

  it('FLW-6: approve asks a person; only a plain yes is one, and a no ends the run', async () => {
    const steps = [
      { name: 'ask', approve: 'Book it?', input: { city: '$.input.city' } },
      { name: 'book', tool: 'echo', input: { city: '$.input.city', by: '$.steps.ask.output' } },
    ];
    const asked: unknown[] = [];
    const options = { tools: echo, input: { city: 'Oslo' } };
    expect(await run(steps, { ...options, approve: (request) => (asked.push(request), true) })).toEqual({ city: 'Oslo', by: true });
    expect(asked).toEqual([{ question: 'Book it?', input: { city: 'Oslo' } }]);
    for (const answer of [false, 'no', 1, undefined]) {
      const policy = { attempts: 3, retryDelayMs: 0, timeoutMs: 1 };
      await expect(run(steps, { ...options, policy, approve: async () => answer as boolean })).rejects.toThrow('A person said no.');
    }
    await expect(run(steps, options)).rejects.toMatchObject({ code: 'invalid-options' });
  });
});

describe('durable runs', () => {
  it('FLW-6: each element and each answer of a person is recorded under an id of its own', async () => {
    const records = new Map<string, unknown>();
    let dies = true;
    const runStep: RunStep = async (id, work) => {
      if (records.has(id)) return records.get(id) as never;
      if (id === 'pay/1' && dies) throw new Error('killed');
      const value = await work();
      records.set(id, value);
      return value;
    };
    const done: string[] = [];
    const tools: WorkflowTools = { pay: ({ order }, { idempotencyKey }) => (done.push(`${String(order)} ${idempotencyKey}`), order) };
    const workflow = parse(
      { name: 'ask', approve: 'Pay?' },
      { name: 'pay', tool: 'pay', for_each: '$.input.orders', input: { order: '$.item' } },
    );
    const options = { input: { orders: ['A', 'B'] }, tools, runStep, workflowId: 'run', concurrency: 1 };
    let asked = 0;
    await expect(executeWorkflow(workflow, { ...options, approve: () => (asked += 1) === 1 })).rejects.toThrow('1: killed');
    dies = false;
    expect((await executeWorkflow(workflow, { ...options, approve: () => false })).output).toEqual(['A', 'B']);
    expect([done, asked, [...records.keys()]]).toEqual([['A run:pay/0', 'B run:pay/1'], 1, ['begin workflow', 'ask', 'pay/0', 'pay/1']]);
  });

  it('FLW-6: with LangGraph, approve may interrupt, and the run goes on with the answer', async () => {
    const workflow = parse({ name: 'ask', approve: 'Pay?' }, { name: 'pay', tool: 'echo', input: { ok: '$.steps.ask.output' } });
    const checkpointer = new MemorySaver();
    const approve = (request: unknown) => interrupt(request) === true;
    const config = (thread_id: string) => ({ configurable: { thread_id } });
    const graph = workflowGraph(workflow, { tools: echo, approve, checkpointer });
    const paused = await graph.invoke({ input: {} }, config('a'));
    expect(paused).toMatchObject({ __interrupt__: [{ value: { question: 'Pay?', input: {} } }] });
    const resumed = workflowGraph(workflow, { tools: echo, approve, checkpointer });
    expect((await resumed.invoke(new Command({ resume: true }) as never, config('a'))).output).toEqual({ ok: true });
    await graph.invoke({ input: {} }, config('b'));
    await expect(graph.invoke(new Command({ resume: 'no' }) as never, config('b'))).rejects.toThrow('A person said no.');
  });

  it('FLW-6: an activity of Temporal asks the person of the worker', async () => {
    const request = { request: { question: 'Pay?', input: {} }, context: { workflow: 'w', call: 'ask', idempotencyKey: undefined } };
    expect(await temporalActivities({ tools: {}, approve: () => 'yes' as never }).askSkillPerson(request)).toBe(false);
    expect(await temporalActivities({ tools: {}, approve: () => true }).askSkillPerson(request)).toBe(true);
    await expect(temporalActivities({ tools: {} }).askSkillPerson(request)).rejects.toMatchObject({ code: 'invalid-options' });
  });
});

describe('what is checked before', () => {
  it('FLW-6: says which rules are wrong, and where', () => {
    expect(
      problems(
        { name: 'a', tool: 'x', for_each: 'cities', when: true, retry: 11, timeout_ms: 0, input: { x: '$.item' } },
        { name: 'b', tool: 'x', retry: { attempts: 1.5, delay: 1 }, input: { x: '$.index' } },
        { name: 'c', approve: 'Pay?', retry: 2, for_each: '$.input.x' },
        { name: 'd', tool: 'x', when: '$.steps.e.output', for_each: '$.steps.a.input' },
      ),
    ).toEqual([
      'steps.0.when: when is true.',
      'steps.0.timeout_ms: timeout_ms is 0.',
      'steps.0.retry: retry is 11.',
      'steps.0.for_each: for_each is "cities".',
      'steps.0.input.x: The reference "$.item" is there only in a step with for_each.',
      'steps.1.retry.delay: The field "delay" is not known here.',
      'steps.1.retry.attempts: attempts is 1.5.',
      'steps.1.input.x: The reference "$.index" is there only in a step with for_each.',
      'steps.2.retry: The field "retry" is not known here.',
      'steps.2.for_each: The field "for_each" is not known here.',
      'steps.3.when: The reference "$.steps.e.output" names the step "e", which does not exist.',
      'steps.3.for_each: The reference "$.steps.a.input" does not lead to an output.',
    ]);
  });

  it('FLW-6: the input of an agent has the fields of when and of for_each, and the run is told in lines', async () => {
    const workflow = parse({ name: 'a', tool: 'echo', for_each: '$.input.cities', when: '$.input.go', input: { x: '$.item' } });
    expect(workflowInputSchema(workflow, echo)).toMatchObject({
      properties: { cities: { type: 'array' }, go: {} },
      required: ['go', 'cities'],
    });
    const lines: string[] = [];
    await executeWorkflow(workflow, {
      tools: echo,
      input: { cities: [], go: false },
      onProgress: (progress) => lines.push(progressLine(progress)),
    });
    expect(lines).toEqual(['trip 1/1 a: started', 'trip 1/1 a: skipped']);
  });

  it('FLW-6: an agent is offered a workflow that asks a person only where somebody can be asked', () => {
    const skill = { name: 'trip', description: 'd', body: '', version: null, resources: [], steps: [{ name: 'ask', approve: 'Pay?' }] };
    const origin = { kind: 'code', label: 'code', trusted: true } as const;
    const describeIt = (approve?: () => boolean) =>
      skillWorkflows({ approve }).describe(
        { events: { report: () => undefined }, names: { runWorkflow: 'run_skill_workflow' } } as never,
        { ...skill, origin } as never,
      );
    expect(describeIt()).toBe('');
    expect(describeIt(() => true)).toContain('ask');
  });
});
