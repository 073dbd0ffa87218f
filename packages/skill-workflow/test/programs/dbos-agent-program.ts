/**
 * A process whose agent is a workflow of DBOS, for tests that kill it. Settings come in the environment; see `dbos-program.ts`. `BODY` is the body of the skill
 * in this process: it may have changed since the last one died.
 */
import { DBOS } from '@dbos-inc/dbos-sdk';
import { createSkillset, inCodeSkillProvider, type SkillProvider } from '@repertoire/skills-core';
import { loadedSkillNames, type SkillTranscriptEntry } from '@repertoire/skills-core/state';
import pg from 'pg';

const { DATABASE_URL: url, RUN: id = 'run', KILL: killAt, START, BODY: body = 'First charge, then mail.' } = process.env;
const ledger = new pg.Pool({ connectionString: url, max: 2 });
await ledger.query('create table if not exists agent_ledger (n serial, run text, what text, bytes text)');
await ledger.query('create table if not exists effects (key text primary key)');

const note = async (what: string, bytes = ''): Promise<void> => {
  await ledger.query('insert into agent_ledger (run, what, bytes) values ($1, $2, $3)', [id, what, bytes]);
};
function dieAt(place: string): void {
  if (place === killAt) process.kill(process.pid, 'SIGKILL');
}

/** A step of the engine, which may be killed in its middle and behind it. */
async function step<Value>(name: string, work: () => Promise<Value>): Promise<Value> {
  const value = await DBOS.runStep(
    async () => {
      await note(`begin ${name}`);
      const result = await work();
      dieAt(`in ${name}`);
      return result;
    },
    { name },
  );
  dieAt(`recorded ${name}`);
  return value;
}

const skills = inCodeSkillProvider([{ name: 'refunds', description: 'Refunds money.', body, tools: ['charge'] }]);
/** The listing is part of the history: what a session shows does not change while it runs. */
const provider: SkillProvider = {
  ...skills,
  listSkills: async (options) => await step('list', async () => await skills.listSkills(options)),
  getSkill: async (name, options) => await skills.getSkill(name, options),
  readResource: async (name, path, options) => await skills.readResource(name, path, options),
  gatedTools: () => ['charge'],
};

interface Call {
  readonly id: string;
  readonly tool: string;
  readonly input: Readonly<Record<string, unknown>>;
}
interface Answer {
  readonly text: string;
  readonly calls: readonly Call[];
}

/** A scripted model that answers by what it reads: a count of its calls would die with the process. */
async function model(request: { readonly system: string; readonly transcript: readonly SkillTranscriptEntry[] }): Promise<Answer> {
  const turn = request.transcript.length;
  await note(`bytes ${turn}`, JSON.stringify(request));
  const call = (tool: string, input: Readonly<Record<string, unknown>> = {}): Call => ({ id: `call-${turn}-${tool}`, tool, input });
  if (turn === 0) return { text: '', calls: [call('charge')] };
  if (turn === 1) return { text: '', calls: [call('load_skill', { name: 'refunds' })] };
  if (turn === 2) return { text: '', calls: [call('charge'), call('mail')] };
  return { text: 'Refunded.', calls: [] };
}

/** A tool of the host that acts once for each key, as a service with idempotency keys does. */
async function act(call: Call): Promise<string> {
  await ledger.query('insert into effects (key) values ($1) on conflict do nothing', [`${DBOS.workflowID}:${call.id}`]);
  return `${call.tool} ok`;
}

async function agent(): Promise<{ readonly text: string; readonly loaded: readonly string[]; readonly transcript: unknown }> {
  const session = await createSkillset({ provider }).open();
  const transcript: SkillTranscriptEntry[] = [];
  for (;;) {
    const request = { system: session.instructions('Help.'), transcript };
    const { text, calls } = await step(`model ${transcript.length}`, async () => await model(request));
    if (calls.length === 0) return { text, loaded: loadedSkillNames(session.state(transcript)), transcript };
    for (const call of calls) {
      const { tool, input } = call;
      const state = session.state(transcript);
      const own = session.tools.find(({ name }) => name === tool);
      if (own !== undefined) {
        const result = await step(call.id, async () => ({ text: (await own.execute(input, { state, callId: call.id })).text }));
        transcript.push({ tool, input, output: result.text });
        continue;
      }
      // The gate stands in front of the step: a refusal follows from the transcript, and is not recorded.
      const verdict = await session.judgeCall(state, { tool, input });
      const output = verdict.decision === 'denied' ? verdict.because : await step(call.id, async () => await act(call));
      transcript.push({ tool, input, output });
    }
  }
}

const durable = DBOS.registerWorkflow(agent, { name: 'agent' });
DBOS.setConfig({ name: 'agent-tests', systemDatabaseUrl: url!, applicationVersion: '1', executorID: 'one', logLevel: 'error' });
await DBOS.launch();
const handle =
  START === undefined
    ? DBOS.retrieveWorkflow<Awaited<ReturnType<typeof agent>>>(id)
    : await DBOS.startWorkflow(durable, { workflowID: id })();
console.log(JSON.stringify(await handle.getResult({ pollingIntervalMs: 20 })));
await DBOS.shutdown();
await ledger.end();
