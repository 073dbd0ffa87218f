/**
 * A process that runs agents of LangChain with checkpoints in PostgreSQL, for tests that kill it. `RUNS` are the runs, and where each is held; with `HOLD` they begin, and when all
 * are held and what else ran is recorded, the process kills itself by SIGKILL. Without it, they go on from their checkpoints.
 */
import { setTimeout as later } from 'node:timers/promises';
import { HumanMessage, ToolMessage, type BaseMessage } from '@langchain/core/messages';
import { tool } from '@langchain/core/tools';
import { PostgresSaver } from '@langchain/langgraph-checkpoint-postgres';
import { skillsMiddleware } from '@repertoire/adapter-langchain';
import { createSkillset, type SkillProvider } from '@repertoire/skills-core';
import { scriptedModel } from '@repertoire/skills-testkit/langchain';
import { createAgent } from 'langchain';
import pg from 'pg';
import { answerTo, refundSkills } from './refund-agent.ts';

/** A run, and the step in which it stops. */
export interface LangGraphRun {
  readonly id: string;
  readonly place?: string;
}

const { DATABASE_URL: url = '', RUNS = '[]', HOLD } = process.env;
const runs = JSON.parse(RUNS) as readonly LangGraphRun[];
const ledger = new pg.Pool({ connectionString: url, max: 2 });
await ledger.query('create table if not exists graph_ledger (n serial, run text, what text, bytes text)');
await ledger.query('create table if not exists graph_effects (key text primary key)');
const saver = PostgresSaver.fromConnString(url);
await saver.setup();
const held = new Set<string>();
const done = new Set<string>();

async function play({
  id,
  place,
}: LangGraphRun): Promise<{ readonly text: string; readonly answers: readonly string[]; readonly loaded: unknown }> {
  const step = async (name: string, bytes = ''): Promise<void> => {
    await ledger.query('insert into graph_ledger (run, what, bytes) values ($1, $2, $3)', [id, name, bytes]);
  };
  const hold = async (name: string): Promise<void> => {
    if (HOLD === undefined || name !== place) return;
    held.add(id);
    await new Promise(() => {});
  };
  const source = refundSkills();
  const provider: SkillProvider = {
    ...source,
    gatedTools: () => ['charge'],
    async readResource(name, path, options) {
      await step('file');
      const file = await source.readResource(name, path, options);
      await hold('file');
      return file;
    },
    async getSkill(name, options) {
      const skill = await source.getSkill(name, options);
      await hold('skill');
      return skill;
    },
  };
  const model = scriptedModel(async ({ messages, tools }) => {
    const turn = messages.filter(({ type }) => type === 'ai').length;
    // Ids of messages are made anew by whoever makes them; a model does not read them.
    const read = messages.map(({ type, content, ...message }) => [type, content, 'tool_calls' in message ? message.tool_calls : undefined]);
    await step(`model ${turn}`, JSON.stringify([read, tools.map((each) => (each as { readonly name?: string }).name)]));
    await hold(`model ${turn}`);
    return answerTo(turn);
  });
  const hostTool = (name: string) =>
    tool(
      async (_input: unknown, config: { readonly toolCall?: { readonly id?: string } }) => {
        await step(name);
        await ledger.query('insert into graph_effects (key) values ($1) on conflict do nothing', [`${id}:${config.toolCall?.id}`]);
        await hold(name);
        return `${name} ok`;
      },
      { name, description: name, schema: { type: 'object', properties: {} } as never },
    );
  const skillset = createSkillset({ provider });
  const agent = createAgent({
    model,
    systemPrompt: 'Help.',
    checkpointer: saver,
    middleware: [skillsMiddleware(skillset, { tools: [hostTool('charge'), hostTool('mail')] as never })],
  });
  const config = { configurable: { thread_id: id }, durability: 'sync' as const };
  const begun = await saver.getTuple(config);
  const result = (await agent.invoke(
    begun === undefined ? { messages: [new HumanMessage('Refund order A-17.')] } : (null as never),
    config,
  )) as {
    readonly messages: readonly BaseMessage[];
    readonly loaded_skills?: Readonly<Record<string, unknown>>;
  };
  done.add(id);
  return {
    text: String(result.messages.at(-1)?.text),
    answers: result.messages.flatMap((message) => (ToolMessage.isInstance(message) ? [message.text] : [])),
    loaded: Object.keys(result.loaded_skills ?? {}),
  };
}

/** Whether the calls that run beside the one that is held are recorded. */
async function isRecorded({ id, place }: LangGraphRun): Promise<boolean> {
  if (place === undefined) return done.has(id);
  if (!held.has(id)) return false;
  if (!['charge', 'mail', 'file'].includes(place)) return true;
  const { rows } = await ledger.query<{ count: string }>(
    `select count(distinct task_id) from checkpoint_writes where thread_id = $1 and checkpoint_id =
       (select max(checkpoint_id) from checkpoints where thread_id = $1 and checkpoint_ns = '') and checkpoint_ns = ''`,
    [id],
  );
  return Number(rows[0]?.count) >= 2;
}

const playing = Promise.all(runs.map(async (run) => [run.id, await play(run)] as const));
if (HOLD !== undefined) {
  for (;;) {
    const ready = await Promise.all(runs.map(isRecorded));
    if (ready.every(Boolean)) process.kill(process.pid, 'SIGKILL');
    await later(20);
  }
}
console.log(JSON.stringify(Object.fromEntries(await playing)));
await saver.end();
await ledger.end();
