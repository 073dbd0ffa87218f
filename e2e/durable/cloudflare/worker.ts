/** Cloudflare Workflows that are agents with skills; and one that plays the conversation of `e2e/parity`. Their ledger is in KV. With `HOLD`, each run stops at its place for good. */
import { WorkflowEntrypoint, type WorkflowEvent, type WorkflowStep } from 'cloudflare:workers';
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
  readonly LEDGER: KVNamespace;
  readonly FLOW: Workflow<Request>;
  readonly HOLD?: string;
}

export class AgentFlow extends WorkflowEntrypoint<Environment, Request> {
  override async run(event: Readonly<WorkflowEvent<Request>>, step: WorkflowStep): Promise<unknown> {
    const { LEDGER, HOLD } = this.env;
    const { loop, place } = event.payload;
    const note = async (what: string, bytes = ''): Promise<void> => {
      await LEDGER.put(`${event.instanceId}:${crypto.randomUUID()}`, JSON.stringify({ what, bytes }));
    };
    const world: World = {
      note,
      act: async (key) => await LEDGER.put(`effect:${key}`, ''),
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
      await this.env.LEDGER.put(`${event.instanceId}:${String(at).padStart(3, '0')}`, JSON.stringify(given));
    });
  }
}

async function valuesOf(ledger: KVNamespace, prefix: string): Promise<unknown[]> {
  const { keys } = await ledger.list({ prefix });
  return await Promise.all(keys.map(async ({ name }) => JSON.parse(String(await ledger.get(name)))));
}

const worker: ExportedHandler<Environment> = {
  async fetch(request, { FLOW: agents, PARITY, LEDGER }) {
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
        return Response.json(await valuesOf(LEDGER, `${id}:`));
      case '/effects':
        return Response.json((await LEDGER.list({ prefix: `effect:${id}:` })).keys.map(({ name }) => name.slice('effect:'.length)));
      default:
        return new Response('ready');
    }
  },
};
export default worker;
