import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:http2';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DBOS } from '@dbos-inc/dbos-sdk';
import { entrypoint } from '@langchain/langgraph';
import { PostgresSaver } from '@langchain/langgraph-checkpoint-postgres';
import * as restate from '@restatedev/restate-sdk';
import type { DurableEngine } from '@repertoire/skill-workflow/agent';
import { dbosEngine } from '@repertoire/skill-workflow/dbos';
import { langGraphEngine } from '@repertoire/skill-workflow/langgraph';
import { restateEngine } from '@repertoire/skill-workflow/restate';
import { startTestPostgres } from '../../test/support/postgres.ts';
import { hasRestate, startRestate } from './restate-server.ts';

/** An engine that runs in the process of the test. */
export interface TestEngine extends AsyncDisposable {
  /** Runs what belongs to the id. It rejects with what that throws. */
  run(id: string): Promise<unknown>;
}

/** What a run does, by its id. */
export type Runs = (id: string, engine: DurableEngine) => Promise<void>;

/** The engines, by name, and how each is started. */
export const testEngines: Readonly<Record<string, (runs: Runs) => Promise<TestEngine>>> = {
  DBOS: startDbos,
  LangGraph: startLangGraph,
  ...(hasRestate && { Restate: startRestateEngine }),
};

async function startDbos(runs: Runs): Promise<TestEngine> {
  const flow = DBOS.registerWorkflow(async (id: string) => await runs(id, dbosEngine(DBOS)), { name: 'parity' });
  const postgres = await startTestPostgres();
  DBOS.setConfig({ name: 'parity', systemDatabaseUrl: postgres.url, applicationVersion: '1', logLevel: 'error' });
  await DBOS.launch();
  return {
    run: async (id) => await (await DBOS.startWorkflow(flow, { workflowID: id })(id)).getResult({ pollingIntervalMs: 20 }),
    async [Symbol.asyncDispose]() {
      await DBOS.shutdown();
      await postgres[Symbol.asyncDispose]();
    },
  };
}

async function startLangGraph(runs: Runs): Promise<TestEngine> {
  const postgres = await startTestPostgres();
  const saver = PostgresSaver.fromConnString(postgres.url);
  await saver.setup();
  const graph = entrypoint({ name: 'parity', checkpointer: saver }, async (id: string, config) => {
    await runs(id, langGraphEngine(config));
    return 'done';
  });
  return {
    run: async (id) => await graph.invoke(id, { configurable: { thread_id: id } }),
    async [Symbol.asyncDispose]() {
      await saver.end();
      await postgres[Symbol.asyncDispose]();
    },
  };
}

async function startRestateEngine(runs: Runs): Promise<TestEngine> {
  const failures = new Map<string, Error>();
  const parity = restate.workflow({
    name: 'parity',
    handlers: {
      async run(context: restate.WorkflowContext) {
        try {
          await runs(context.key, restateEngine(restate, context, context.key));
        } catch (cause) {
          failures.set(context.key, cause instanceof Error ? cause : new Error(String(cause)));
          throw new restate.TerminalError(String(cause));
        }
      },
    },
  });
  const folder = await mkdtemp(join(tmpdir(), 'repertoire-restate-'));
  const server = await startRestate(folder);
  const service = createServer(restate.createEndpointHandler({ services: [parity], logger: () => {} })).listen(0, '127.0.0.1');
  await once(service, 'listening');
  await server.register(`http://127.0.0.1:${(service.address() as AddressInfo).port}`);
  return {
    async run(id) {
      const response = await fetch(`${server.ingress}/parity/${encodeURIComponent(id)}/run`, { method: 'POST' });
      const answer = await response.text();
      if (!response.ok) throw failures.get(id) ?? new Error(answer);
    },
    async [Symbol.asyncDispose]() {
      await server.kill();
      service.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
