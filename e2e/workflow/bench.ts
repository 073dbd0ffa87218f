/**
 * What a workflow skill costs: `pnpm --filter @repertoire/e2e bench:workflows`. Its tools do nothing, so what is measured is ours and the engine's. `ENGINES=plain,DBOS` picks engines
 * by the start of their names.
 */
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:http2';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as later } from 'node:timers/promises';
import { DBOS } from '@dbos-inc/dbos-sdk';
import { MemorySaver, type BaseCheckpointSaver } from '@langchain/langgraph';
import { PostgresSaver } from '@langchain/langgraph-checkpoint-postgres';
import * as restate from '@restatedev/restate-sdk';
import { checkWorkflow, executeWorkflow, parseWorkflow, type Workflow, type WorkflowSkill } from '@repertoire/skill-workflow';
import { dbosEngine, type DurableWorkflowRequest } from '@repertoire/skill-workflow/dbos';
import { workflowGraph } from '@repertoire/skill-workflow/langgraph';
import { runRestateWorkflow } from '@repertoire/skill-workflow/restate';
import { workflowSource } from '@repertoire/skill-workflow/source';
import { parseSkillMd } from '@repertoire/skills-core/skill-md';
import { startPglite, startTestPostgres, type Postgres } from '../../test/support/postgres.ts';
import { startRestate } from '../durable/restate-server.ts';
import { wranglerDev } from '../wrangler-dev.ts';

/** Runs a workflow to its end. */
type Run = (workflow: Workflow, id: string) => Promise<unknown>;
/** Starts an engine, gives `measure` a way to run workflows on it, and stops it. */
type Engine = (measure: (run: Run) => Promise<void>) => Promise<void>;

const repeats = 5;
const tools = { nothing: () => 1 };

const skillOf = (name: string, steps: readonly object[]): WorkflowSkill => ({ name, steps });
const chain = skillOf(
  'chain',
  Array.from({ length: 50 }, (_, index) => ({
    name: `step-${index}`,
    tool: 'nothing',
    input: index === 0 ? { from: '$.input.from' } : { from: `$.steps.step-${index - 1}.output` },
  })),
);
const fan = skillOf('fan', [
  {
    name: 'fan',
    tools: Array.from({ length: 100 }, (_, index) => ({ name: `tool-${index}`, tool: 'nothing', input: { from: '$.input.from' } })),
  },
]);
const workflows = [chain, fan].map((skill) => parseWorkflow(skill, { allowUntrusted: true }));
const input = { from: 1 };

const engines: Readonly<Record<string, Engine>> = {
  'plain, no engine': async (measure) => await measure(async (workflow) => await executeWorkflow(workflow, { input, tools })),
  'DBOS on PostgreSQL': async (measure) => await onDbos(await startTestPostgres(), measure),
  'DBOS on PGlite': async (measure) => await onDbos(await startPglite(), measure),
  'LangGraph in memory': async (measure) => await measure(onLangGraph(new MemorySaver())),
  'LangGraph on PostgreSQL': async (measure) => {
    await using postgres = await startTestPostgres();
    const saver = PostgresSaver.fromConnString(postgres.url);
    await saver.setup();
    await measure(onLangGraph(saver));
    await saver.end();
  },
  Restate: async (measure) => {
    const folder = await mkdtemp(join(tmpdir(), 'repertoire-bench-'));
    const server = await startRestate(folder);
    const run = async (context: restate.WorkflowContext, workflow: Workflow) =>
      await runRestateWorkflow(restate, context, context.key, { workflow, input }, { tools });
    const services = [restate.workflow({ name: 'bench', handlers: { run } })];
    const service = createServer(restate.createEndpointHandler({ services, logger: () => {} })).listen(0, '127.0.0.1');
    await once(service, 'listening');
    await server.register(`http://127.0.0.1:${(service.address() as AddressInfo).port}`);
    await measure(async (workflow, id) => {
      const headers = { 'content-type': 'application/json' };
      const response = await fetch(`${server.ingress}/bench/${id}/run`, { method: 'POST', headers, body: JSON.stringify(workflow) });
      if (!response.ok) throw new Error(await response.text());
    });
    await server.kill();
    service.close();
    await rm(folder, { recursive: true });
  },
  'Cloudflare in local workerd': async (measure) => {
    const folder = await mkdtemp(join(tmpdir(), 'repertoire-bench-'));
    await using worker = await wranglerDev(import.meta.dirname, { persistTo: folder });
    await measure(async (workflow, id) => {
      await fetch(`${worker.url}/start?id=${id}`, { method: 'POST', body: JSON.stringify({ workflow, input }) });
      for (;;) {
        const answer = await fetch(`${worker.url}/status?id=${id}`);
        const { status } = await answer.json<{ readonly status: string }>();
        if (status === 'complete') return;
        if (status === 'errored') throw new Error(`The instance ${id} failed.`);
        await later(5);
      }
    });
    await worker.kill();
    await rm(folder, { recursive: true });
  },
};

async function onDbos(postgres: Postgres, measure: (run: Run) => Promise<void>): Promise<void> {
  const durable = DBOS.registerWorkflow(
    async ({ workflow, input: given }: DurableWorkflowRequest) =>
      await executeWorkflow(workflow, { ...dbosEngine(DBOS), tools, input: given }),
    { name: 'skill-workflow' },
  );
  DBOS.setConfig({ name: 'bench', systemDatabaseUrl: postgres.url, applicationVersion: '1', logLevel: 'error' });
  await DBOS.launch();
  await measure(async (workflow, workflowID) => await (await DBOS.startWorkflow(durable, { workflowID })({ workflow, input })).getResult());
  await DBOS.shutdown({ deregister: true });
  await postgres[Symbol.asyncDispose]();
}

function onLangGraph(checkpointer: BaseCheckpointSaver): Run {
  const graphs = new Map(workflows.map((workflow) => [workflow, workflowGraph(workflow, { tools, checkpointer })]));
  return async (workflow, id) =>
    await graphs.get(workflow)?.invoke({ input }, { configurable: { thread_id: id }, durability: 'sync', recursionLimit: 100 });
}

/** Milliseconds by the clock, and of this process's CPU, in the middle of several runs. */
async function timeOf(work: (run: number) => unknown, times: number): Promise<{ wall: number; cpu: number }> {
  const measured: { wall: number; cpu: number }[] = [];
  for (let run = 0; run < times; run += 1) {
    const cpu = process.cpuUsage();
    const start = performance.now();
    await work(run);
    const wall = performance.now() - start;
    const { user, system } = process.cpuUsage(cpu);
    measured.push({ wall, cpu: (user + system) / 1000 });
  }
  const middle = (key: 'wall' | 'cpu'): number => measured.map((each) => each[key]).toSorted((a, b) => a - b)[times >> 1] ?? Number.NaN;
  return { wall: middle('wall'), cpu: middle('cpu') };
}

/** Microseconds of one call of something that is too fast for one clock tick. */
async function microsecondsOf(work: () => unknown): Promise<string> {
  const calls = 200;
  const repeat = (): void => {
    for (let call = 0; call < calls; call += 1) work();
  };
  repeat();
  return ((1000 * (await timeOf(repeat, 7)).cpu) / calls).toFixed(0);
}

const yaml = ['---', 'name: chain', 'description: Fifty steps.', `steps: ${JSON.stringify(chain.steps)}`, '---', '', '# Chain', ''].join(
  '\n',
);
const { metadata } = parseSkillMd(yaml);
const wrong = skillOf(
  'wrong',
  (chain.steps as object[]).map((step) => ({ ...step, tools: [] })),
);
console.log('Without running anything, microseconds of CPU:');
for (const [what, skill] of [
  ['50 steps', chain],
  ['100 branches', fan],
] as const) {
  console.log(
    `  parseWorkflow, ${what}: ${await microsecondsOf(() => parseWorkflow(skill, { tools: ['nothing'], allowUntrusted: true }))}`,
  );
  console.log(`  checkWorkflow, ${what}: ${await microsecondsOf(() => checkWorkflow(skill, { tools: ['nothing'] }))}`);
}
console.log(`  checkWorkflow, 50 steps that are all wrong: ${await microsecondsOf(() => checkWorkflow(wrong, { tools: ['nothing'] }))}`);
console.log(`  the same with lines and columns: ${await microsecondsOf(() => checkWorkflow(wrong, { source: workflowSource(yaml) }))}`);
console.log(`  parseSkillMd, 50 steps (${metadata?.name}): ${await microsecondsOf(() => parseSkillMd(yaml))}`);

const wanted = process.env['ENGINES']?.split(',');
console.log(`\nMilliseconds of one call: by the clock, and of CPU in this process. The middle of ${repeats} runs.`);
for (const [name, engine] of Object.entries(engines)) {
  if (wanted !== undefined && !wanted.some((start) => name.startsWith(start))) continue;
  await engine(async (run) => {
    for (const workflow of workflows) {
      const times = name.startsWith('plain') ? 200 : repeats;
      const calls = workflow.name === 'chain' ? 50 : 100;
      await run(workflow, `${workflow.name}-warm`);
      const { wall, cpu } = await timeOf((at) => run(workflow, `${workflow.name}-${at}`), times);
      console.log(`  ${name}, ${workflow.name} of ${calls}: ${(wall / calls).toFixed(3)}, ${(cpu / calls).toFixed(3)}`);
    }
  });
}
process.exit(0);
