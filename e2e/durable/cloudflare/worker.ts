/**
 * Cloudflare Workflows that are agents with skills; and one that plays the conversation of `e2e/parity`. Their ledger is a Durable Object: locally, a
 * call of KV costs several times as much. With `HOLD`, each run stops at its place for good.
 */
import { DurableObject, WorkflowEntrypoint, type WorkflowEvent, type WorkflowStep } from 'cloudflare:workers';
import { durableAgent } from '@repertoire/skill-workflow/agent';
import { cloudflareEngine } from '@repertoire/skill-workflow/cloudflare';
import { playAiSdkDurably, playDurably } from '../../parity/hosts/durable.ts';
import { httpLibrary } from '../../parity/sources/read-over-network.ts';
import { openLibraries } from '../../parity/sources/source.ts';
import { refundAgent, refundSkills, type Loop } from '../refund-agent.ts';
import type { World } from '../world.ts';
import { inCodeLibrary, type ParityVariant } from '@repertoire/skills-testkit/internal';

interface Request {
  readonly loop: Loop;
  readonly place?: string;
}
interface ParityRequest {
  readonly loop: 'core' | 'AI SDK';
  readonly variant: ParityVariant;
  /** Servers by the label of the library that they serve. @default the skills in code */
  readonly http?: Readonly<Record<string, string>>;
}
interface Environment {
  readonly PARITY: Workflow<ParityRequest>;
  readonly LEDGER: DurableObjectNamespace<Ledger>;
  readonly FLOW: Workflow<Request>;
  readonly HOLD?: string;
}

interface Entry extends Record<string, SqlStorageValue> {
  readonly what: string;
  readonly bytes: string;
}

export class Ledger extends DurableObject<Environment> {
  readonly #sql: SqlStorage = this.ctx.storage.sql;

  constructor(state: DurableObjectState, environment: Environment) {
    super(state, environment);
    this.#sql.exec('create table if not exists entries (n integer primary key, run text, what text, bytes text)');
    this.#sql.exec('create table if not exists effects (run text, key text, primary key (run, key))');
  }

  note(run: string, what: string, bytes: string): void {
    this.#sql.exec('insert into entries (run, what, bytes) values (?, ?, ?)', run, what, bytes);
  }

  act(run: string, key: string): void {
    this.#sql.exec('insert or ignore into effects (run, key) values (?, ?)', run, key);
  }

  entriesOf(run: string): Entry[] {
    return this.#sql.exec<Entry>('select what, bytes from entries where run = ? order by n', run).toArray();
  }

  effectsOf(run: string): string[] {
    return this.#sql
      .exec<{ key: string }>('select key from effects where run = ? order by key', run)
      .toArray()
      .map(({ key }) => key);
  }
}

function ledgerOf({ LEDGER }: Environment): DurableObjectStub<Ledger> {
  return LEDGER.getByName('ledger');
}

export class AgentFlow extends WorkflowEntrypoint<Environment, Request> {
  override async run(event: Readonly<WorkflowEvent<Request>>, step: WorkflowStep): Promise<unknown> {
    const { HOLD } = this.env;
    const { loop, place } = event.payload;
    const ledger = ledgerOf(this.env);
    const note = async (what: string, bytes = ''): Promise<void> => await ledger.note(event.instanceId, what, bytes);
    const world: World = {
      note,
      act: async (key) => await ledger.act(event.instanceId, key),
      async hold(at) {
        if (HOLD === undefined || at !== place) return;
        await note(`held ${at}`);
        // Longer than the test. The runtime ends code that waits for nothing.
        await new Promise((resolve) => setTimeout(resolve, 600_000));
      },
    };
    return await refundAgent(loop, cloudflareEngine(event, step), world, refundSkills());
  }
}

export class ParityFlow extends WorkflowEntrypoint<Environment, ParityRequest> {
  override async run(event: Readonly<WorkflowEvent<ParityRequest>>, step: WorkflowStep): Promise<void> {
    const { loop, variant, http } = event.payload;
    const { provider } = await openLibraries({
      name: 'parity',
      open: async (library) => ({
        provider: http === undefined ? inCodeLibrary(library) : httpLibrary(library, http[library.label] ?? ''),
        close: async () => {},
      }),
    });
    const play = loop === 'core' ? playDurably : playAiSdkDurably;
    await play(durableAgent(cloudflareEngine(event, step)), provider, variant, async (at, given) => {
      await ledgerOf(this.env).note(event.instanceId, `call ${at}`, JSON.stringify(given));
    });
  }
}

const worker: ExportedHandler<Environment> = {
  async fetch(request, environment) {
    const { FLOW: agents, PARITY } = environment;
    const url = new URL(request.url);
    const FLOW: Workflow = url.searchParams.has('parity') ? PARITY : agents;
    const id = url.searchParams.get('id') ?? '';
    switch (url.pathname) {
      case '/start':
        await FLOW.create({ id, params: await request.json() });
        return new Response('started');
      case '/wake':
        await (await FLOW.get(id)).sendEvent({ type: 'wake', payload: {} });
        return new Response('woken');
      case '/status':
        return Response.json(await (await FLOW.get(id)).status());
      case '/ledger':
        return Response.json(await ledgerOf(environment).entriesOf(id));
      case '/effects':
        return Response.json(await ledgerOf(environment).effectsOf(id));
      default:
        return new Response('ready');
    }
  },
};
export default worker;
