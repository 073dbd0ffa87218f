/**
 * A process that runs workflow skills, alone and inside of agents, for `workflow-kills.ts`, which
 * kills it. Settings come in the environment:
 *
 * - `DATABASE_URL`: PostgreSQL. `FOLDER`: where the ledger and the journals are.
 * - `RUNS`: JSON, the runs. `PASS`: number of this process, from 0. It is the edition of the skill.
 * - `HOLD`: each run stops at its place in this process, and when all have, the process kills itself.
 * - `PORT`: where Restate reaches this process.
 */
import { appendFileSync, existsSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http2';
import { join } from 'node:path';
import { DBOS } from '@dbos-inc/dbos-sdk';
import { entrypoint } from '@langchain/langgraph';
import { PostgresSaver } from '@langchain/langgraph-checkpoint-postgres';
import * as restate from '@restatedev/restate-sdk';
import { skillsMiddleware } from '@repertoire/adapter-langchain';
import { createSkillset, SkillRegistry, type SkillProvider } from '@repertoire/skills-core';
import type { SkillTranscriptEntry } from '@repertoire/skills-core/adapter';
import { executeWorkflow, skillWorkflows, type Workflow, type WorkflowTools } from '@repertoire/skill-workflow';
import { durableAgent, type DurableEngine } from '@repertoire/skill-workflow/agent';
import { dbosEngine } from '@repertoire/skill-workflow/dbos';
import { langGraphEngine, workflowGraph } from '@repertoire/skill-workflow/langgraph';
import { restateEngine, runRestateWorkflow } from '@repertoire/skill-workflow/restate';
import { scriptedModel } from '@repertoire/skills-testkit/langchain';
import { createAgent } from 'langchain';
import pg from 'pg';
import { inputOf, planOf, skillOf, workflowOf, type KilledRun, type KillEntry } from './workflow-kill-runs.ts';

const { DATABASE_URL: url = '', FOLDER = '', RUNS = '[]', HOLD, PASS = '0', PORT } = process.env;
const runs = JSON.parse(RUNS) as readonly KilledRun[];
const pass = Number(PASS);
const waiting = new Set(runs.map(({ id }) => id));

function note(entry: Omit<KillEntry, 'pass'>): void {
  appendFileSync(join(FOLDER, 'ledger'), `${JSON.stringify({ ...entry, pass })}\n`);
}

/** The run is held, or has ended. */
function settled({ id }: KilledRun): void {
  waiting.delete(id);
  // What was finished beside the held calls is being recorded.
  if (HOLD !== undefined && waiting.size === 0) setTimeout(() => process.kill(process.pid, 'SIGKILL'), 400);
}

/** What a run does in the world of this process. */
function worldOf(run: KilledRun) {
  const { id, places } = run;
  const place = HOLD === undefined ? undefined : places[pass];
  let count = 0;
  const hold = async (): Promise<void> => {
    note({ id, what: 'held' });
    settled(run);
    await new Promise(() => {});
  };
  const tools: WorkflowTools = {
    async act(input, { call, idempotencyKey }) {
      const at = count;
      count += 1;
      if (place === `before ${at}`) await hold();
      note({ id, what: 'act', call, key: idempotencyKey ?? '', input: JSON.stringify(input) });
      await new Promise((resolve) => void setTimeout(resolve, 1));
      if (place === `in ${at}`) await hold();
      return JSON.stringify(input).length;
    },
  };
  const registry = new SkillRegistry({ skills: [skillOf(run, pass)] });
  const provider: SkillProvider = {
    label: registry.label,
    listSkills: (options) => registry.listSkills(options),
    async getSkill(...given) {
      if (place === 'reading') await hold();
      return await registry.getSkill(...given);
    },
    readResource: (...given) => registry.readResource(...given),
  };
  return {
    tools,
    provider,
    workflows: skillWorkflows({ tools }),
    recorded: (step: string): void => note({ id, what: 'recorded', call: step }),
    /** A run that was to be held later than it lasts is held at its end. */
    async end(result: unknown): Promise<string> {
      if (place !== undefined) await hold();
      note({ id, what: 'end', result: JSON.stringify(result) });
      settled(run);
      return 'done';
    },
  };
}
type KillWorld = ReturnType<typeof worldOf>;

/** An engine that says what it has recorded. */
function watched(engine: DurableEngine, world: KillWorld): DurableEngine {
  return {
    ...engine,
    async runStep(id, work) {
      const value = await engine.runStep(id, work);
      world.recorded(id);
      return value;
    },
  };
}

const alone = async (run: KilledRun, engine: DurableEngine, world: KillWorld): Promise<string> => {
  const options = { ...watched(engine, world), tools: world.tools, input: inputOf(run, pass) };
  return await world.end((await executeWorkflow(workflowOf(run, pass), options)).output);
};

async function agent(run: KilledRun, engine: DurableEngine, world: KillWorld): Promise<string> {
  const durable = durableAgent(watched(engine, world));
  const { session } = await durable.openSkills({ provider: world.provider, workflows: world.workflows });
  const transcript: SkillTranscriptEntry[] = [];
  for (const [turn, calls] of planOf(run).entries()) {
    await durable.askModel(async () => turn);
    const state = session.state(transcript);
    const entries = calls.map(({ id, tool, input }) =>
      durable.inTurn(id, async (callId): Promise<SkillTranscriptEntry> => {
        const own = session.tools.find(({ name }) => name === tool);
        const result = await own?.execute(input, { state, callId });
        return { tool, input, output: result?.text ?? 'none' };
      }),
    );
    transcript.push(...(await Promise.all(entries)));
  }
  await durable.askModel(async () => 'last');
  return await world.end(transcript.filter(({ tool }) => tool === 'run_skill_workflow').map(({ output }) => output));
}

/** A checkpointer that says what it has recorded of a run. */
class WatchedSaver extends PostgresSaver {
  override async putWrites(...given: Parameters<PostgresSaver['putWrites']>): Promise<void> {
    await super.putWrites(...given);
    const [{ configurable }, writes] = given;
    const world = worlds.get(String(configurable?.['thread_id']));
    for (const [channel, value] of writes) {
      if (channel === 'workflow') world?.recorded('begin workflow');
      if (channel === 'outputs' && typeof value === 'object' && value !== null) for (const id of Object.keys(value)) world?.recorded(id);
    }
  }
}
const worlds = new Map<string, KillWorld>();
const saver = url === '' ? undefined : new WatchedSaver(new pg.Pool({ connectionString: url, max: 8 }));
await saver?.setup();

const config = ({ id }: KilledRun) => ({ configurable: { thread_id: id }, durability: 'sync' as const });
const isNew = async (run: KilledRun): Promise<boolean> => (await saver?.getTuple(config(run))) === undefined;

async function inEntrypoint(run: KilledRun, world: KillWorld, play: typeof agent): Promise<void> {
  if (saver === undefined) return;
  const graph = entrypoint(
    { name: 'run', checkpointer: saver },
    async (_: string, given) => await play(run, langGraphEngine(given), world),
  );
  await graph.invoke((await isNew(run)) ? 'go' : null, config(run));
}

const inThisProcess: Readonly<Record<string, (run: KilledRun, world: KillWorld) => Promise<unknown>>> = {
  'journal alone': (run, world) => alone(run, journal(run), world),
  'journal agent': (run, world) => agent(run, journal(run), world),
  'LangGraph alone': (run, world) => inEntrypoint(run, world, alone),
  'LangGraph agent': (run, world) => inEntrypoint(run, world, agent),
  async 'LangGraph graph'(run, world) {
    if (saver === undefined) return;
    const graph = workflowGraph(workflowOf(run, pass), { tools: world.tools, checkpointer: saver });
    const { output } = await graph.invoke((await isNew(run)) ? { input: inputOf(run, pass) } : null, config(run));
    await world.end(output);
  },
  async LangChain(run, world) {
    if (saver === undefined) return;
    const plan = planOf(run);
    const model = scriptedModel(({ messages }) => {
      const calls = plan[messages.filter(({ type }) => type === 'ai').length];
      if (calls === undefined) return { text: 'Done.' };
      return { toolCalls: calls.map(({ id: toolCallId, tool: toolName, input }) => ({ toolName, input, toolCallId })) };
    });
    const skillset = createSkillset({ provider: world.provider, workflows: world.workflows });
    const graph = createAgent({ model, middleware: [skillsMiddleware(skillset)], checkpointer: saver });
    const { messages } = await graph.invoke((await isNew(run)) ? { messages: [{ role: 'user', content: 'Go.' }] } : null, config(run));
    await world.end(
      messages.flatMap((message) => (message.type === 'tool' && message.name === 'run_skill_workflow' ? [message.text] : [])),
    );
  },
};

/** A file with a line for each step. */
function journal({ id }: KilledRun): DurableEngine {
  const file = join(FOLDER, `journal-${id}`);
  const lines = existsSync(file) ? readFileSync(file, 'utf8').trim().split('\n') : [];
  const records = new Map(lines.map((line) => JSON.parse(line) as [string, unknown]));
  return {
    workflowId: id,
    async runStep(step, work) {
      if (!records.has(step)) {
        const value: unknown = (await work()) ?? null;
        appendFileSync(file, `${JSON.stringify([step, value])}\n`);
        records.set(step, value);
      }
      return records.get(step) as never;
    },
  };
}

const enginesOf = (name: string): readonly KilledRun[] => runs.filter(({ kind }) => kind.startsWith(name));
const byId = new Map(runs.map((run) => [run.id, run]));
const playing: Promise<unknown>[] = [];

for (const run of runs) {
  const world = worldOf(run);
  worlds.set(run.id, world);
  const play = inThisProcess[run.kind];
  if (play !== undefined) playing.push(play(run, world));
}

const durable = DBOS.registerWorkflow(
  async (id: string) => {
    const [run, world] = [byId.get(id), worlds.get(id)];
    if (run === undefined || world === undefined) return 'none';
    return await (run.kind === 'DBOS alone' ? alone : agent)(run, dbosEngine(DBOS), world);
  },
  { name: 'run' },
);
if (enginesOf('DBOS').length > 0) {
  DBOS.setConfig({ name: 'kills', systemDatabaseUrl: url, applicationVersion: '1', executorID: 'one', logLevel: 'error' });
  await DBOS.launch();
  for (const { id } of enginesOf('DBOS')) {
    if (pass === 0) await DBOS.startWorkflow(durable, { workflowID: id })(id);
    playing.push(DBOS.retrieveWorkflow(id).getResult({ pollingIntervalMs: 50 }));
  }
}

if (PORT !== undefined) {
  const handler = async (context: restate.WorkflowContext): Promise<string> => {
    const run = byId.get(context.key);
    if (run === undefined) return 'none';
    const world = worldOf(run);
    if (run.kind === 'Restate agent') return await agent(run, restateEngine(restate, context, run.id), world);
    const request: { workflow: Workflow; input: Readonly<Record<string, unknown>> } = {
      workflow: workflowOf(run, pass),
      input: inputOf(run, pass),
    };
    const { output } = await runRestateWorkflow(restate, watchedContext(context, world), run.id, request, { tools: world.tools });
    return await world.end(output);
  };
  // A process takes longer to start than the server waits by itself.
  const retryPolicy = { initialInterval: 20, maxInterval: 200, maxAttempts: 100_000 };
  const service = restate.workflow({ name: 'kills', handlers: { run: handler }, options: { retryPolicy } });
  createServer(restate.createEndpointHandler({ services: [service], logger: () => {} })).listen(Number(PORT), '127.0.0.1', () =>
    console.log('listening'),
  );
}

/** The context of Restate, which says what it has recorded. */
function watchedContext(context: restate.WorkflowContext, world: KillWorld): Parameters<typeof runRestateWorkflow>[1] {
  return {
    request: () => context.request(),
    run(name, work, options) {
      const recorded = context.run(name, work as never, options as never) as unknown as ReturnType<
        Parameters<typeof runRestateWorkflow>[1]['run']
      >;
      const map = recorded.map.bind(recorded);
      return Object.assign(recorded, {
        map: ((mapper: (value: unknown, failure?: Error) => unknown) =>
          map((value, failure) => {
            if (failure === undefined) world.recorded(name);
            return mapper(value, failure);
          })) as typeof map,
      }) as never;
    },
  };
}

if (PORT === undefined) {
  await Promise.all(playing);
  if (HOLD === undefined) {
    if (enginesOf('DBOS').length > 0) await DBOS.shutdown();
    await saver?.end();
  }
}
