/** A Cloudflare Workflow that runs a workflow skill. Its tools note what they do in KV; `hold` never ends in the first process. */
import { WorkflowEntrypoint, type WorkflowEvent, type WorkflowStep } from 'cloudflare:workers';
import { emptySkillState, SkillRegistry } from '@repertoire/skills-core';
import {
  executeWorkflow,
  parseWorkflow,
  skillWorkflows,
  type Generate,
  type WorkflowCallContext,
  type WorkflowTools,
} from '@repertoire/skill-workflow';
import { durableAgent } from '@repertoire/skill-workflow/agent';
import { cloudflareEngine, type DurableWorkflowRequest } from '@repertoire/skill-workflow/cloudflare';

interface Environment {
  readonly LEDGER: KVNamespace;
  readonly FLOW: Workflow<FlowRequest>;
  /** The call that never ends in this process. */
  readonly HOLD?: string;
  /** Of the skill in this process. */
  readonly EDITION?: string;
}

/** A workflow of the caller, or the skill as this process has it: alone, or called by an agent. */
type FlowRequest = Partial<DurableWorkflowRequest> & { readonly isAgent?: boolean };

/** A later edition of the skill adds other numbers, and has a step more. */
const skillOf = (edition = 'old') => ({
  name: 'sums',
  description: 'Adds numbers.',
  body: edition,
  origin: { kind: 'code', label: 'e2e', trusted: true },
  steps: [
    { name: 'first', tool: 'add', input: { a: '$.input.a', b: edition === 'old' ? '$.input.b' : 100 } },
    {
      name: 'fan',
      tools: ['x', 'y', 'z'].map((name, b) => ({
        name,
        tool: 'add',
        input: { a: '$.steps.first.output.sum', b: edition === 'old' ? b : 100 },
      })),
    },
    { name: 'tell', prompt: `Tell the sums. ${edition}`, input: { sums: '$.steps.fan.output' } },
    ...(edition === 'old' ? [] : [{ name: 'more', tool: 'add', input: { a: 1, b: 1 } }]),
  ],
});

export class SkillFlow extends WorkflowEntrypoint<Environment, FlowRequest> {
  override async run(event: Readonly<WorkflowEvent<FlowRequest>>, step: WorkflowStep): Promise<unknown> {
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
    const skill = skillOf(this.env.EDITION);
    const { workflow = parseWorkflow(skill, { tools: ['add'] }), input, isAgent } = event.payload;
    const engine = cloudflareEngine(event, step);
    const generate: Generate = async ({ prompt }, context) => await act(context, prompt);
    if (isAgent !== true)
      return await executeWorkflow(workflow, {
        ...engine,
        input,
        tools,
        generate,
        approve: async (_request, context) => await act(context, true),
      });
    const provider = new SkillRegistry({ skills: [skill] });
    const { session } = await durableAgent(engine).openSkills({ provider, workflows: skillWorkflows({ tools, generate }) });
    const tool = session.tools.find(({ role }) => role === 'runWorkflow');
    return (await tool?.execute({ skill: 'sums', input }, { state: emptySkillState, callId: 'k' }))?.text;
  }
}

const worker: ExportedHandler<Environment> = {
  async fetch(request, { FLOW, LEDGER }) {
    const url = new URL(request.url);
    const id = url.searchParams.get('id') ?? '';
    switch (url.pathname) {
      case '/start': {
        const given = { input: { a: url.searchParams.get('a') ?? 1, b: 2 }, isAgent: url.searchParams.has('agent') };
        const params: FlowRequest = request.method === 'POST' ? await request.json() : given;
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
