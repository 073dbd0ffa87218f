/** A Cloudflare Workflow that runs a workflow skill. Its tools note what they do in KV; `hold` never ends in the first process. */
import { WorkflowEntrypoint, type WorkflowEvent, type WorkflowStep } from 'cloudflare:workers';
import { parseWorkflow, type WorkflowCallContext, type WorkflowTools } from '@repertoire/skill-workflow';
import { executeWorkflow } from '@repertoire/skill-workflow';
import { cloudflareEngine, type DurableWorkflowRequest } from '@repertoire/skill-workflow/cloudflare';

interface Environment {
  readonly LEDGER: KVNamespace;
  readonly FLOW: Workflow<DurableWorkflowRequest>;
  /** The call that never ends in this process. */
  readonly HOLD?: string;
}

const skill = {
  name: 'sums',
  origin: { kind: 'code', label: 'e2e', trusted: true },
  steps: [
    { name: 'first', tool: 'add', input: { a: '$.input.a', b: '$.input.b' } },
    { name: 'fan', tools: ['x', 'y', 'z'].map((name, b) => ({ name, tool: 'add', input: { a: '$.steps.first.output.sum', b } })) },
    { name: 'tell', prompt: 'Tell the sums.', input: { sums: '$.steps.fan.output' } },
  ],
};

export class SkillFlow extends WorkflowEntrypoint<Environment, DurableWorkflowRequest> {
  override async run(event: Readonly<WorkflowEvent<DurableWorkflowRequest>>, step: WorkflowStep): Promise<unknown> {
    const act = async <Value>({ idempotencyKey, call }: WorkflowCallContext, value: Value): Promise<Value> => {
      await this.env.LEDGER.put(`${idempotencyKey} ${crypto.randomUUID()}`, '');
      if (this.env.HOLD === call) await new Promise<never>(() => undefined);
      return value;
    };
    const tools: WorkflowTools = {
      // Fails once for each run.
      busy: async ({ order }, context) => {
        const isFirst = (await this.env.LEDGER.list({ prefix: context.idempotencyKey ?? '' })).keys.length === 0;
        await act(context, null);
        if (isFirst) throw new Error('Busy.');
        return order ?? null;
      },
      // For the benchmark.
      nothing: () => 1,
      add: async ({ a, b }, context) => {
        if (a === 'broken') throw new Error('No numbers.');
        return await act(context, { sum: Number(a) + Number(b) });
      },
    };
    const { workflow, input } = event.payload;
    return await executeWorkflow(workflow, {
      ...cloudflareEngine(event, step),
      input,
      tools,
      generate: async ({ prompt }, context) => await act(context, prompt),
      approve: async (_request, context) => await act(context, true),
    });
  }
}

const worker: ExportedHandler<Environment> = {
  async fetch(request, { FLOW, LEDGER }) {
    const url = new URL(request.url);
    const id = url.searchParams.get('id') ?? '';
    switch (url.pathname) {
      case '/start': {
        const params: DurableWorkflowRequest =
          request.method === 'POST'
            ? await request.json()
            : { workflow: parseWorkflow(skill, { tools: ['add'] }), input: { a: url.searchParams.get('a') ?? 1, b: 2 } };
        await FLOW.create({ id, params });
        return new Response('started');
      }
      case '/wake':
        await (await FLOW.get(id)).sendEvent({ type: 'wake', payload: {} });
        return new Response('woken');
      case '/status':
        return Response.json(await (await FLOW.get(id)).status());
      case '/ledger':
        return Response.json((await LEDGER.list({ prefix: `${id}:` })).keys.map(({ name }) => name.split(' ')[0]));
      default:
        return new Response('ready');
    }
  },
};
export default worker;
