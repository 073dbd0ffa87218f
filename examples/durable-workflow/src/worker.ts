/**
 * A process that books a trip: a workflow skill on DBOS, with the database inside the process. It
 * continues where an earlier process with the same folder stopped, and reports its steps to its
 * parent. The tool named by `STALL` never ends, so that the parent can kill the process in the
 * middle of it.
 */
import { join } from 'node:path';
import { DBOS } from '@dbos-inc/dbos-sdk';
import { fileSystemSkillProvider } from '@repertoire/skill-fs';
import { executeWorkflow, parseWorkflow, type WorkflowCallContext, type WorkflowTools } from '@repertoire/skill-workflow';
import { dbosEngine, type DurableWorkflowRequest } from '@repertoire/skill-workflow/dbos';
import { embeddedPostgres } from '@repertoire/skill-workflow/pglite';

const { FOLDER: folder = '.workflows', STALL: stall } = process.env;
const id = 'trip-1';

async function act<Value>({ call }: WorkflowCallContext, value: Value): Promise<Value> {
  process.send?.({ ran: call });
  if (call === stall) await new Promise<never>(() => undefined);
  return value;
}
const tools: WorkflowTools = {
  'check-timetable': async ({ from, to }, context) => await act(context, { train: `IC 61 ${String(from)}–${String(to)}` }),
  'book-train': async (_input, context) => await act(context, { price: 49 }),
  'book-hotel': async (_input, context) => await act(context, { price: 80 }),
  'charge-card': async ({ train, hotel }, context) => await act(context, { paid: Number(train) + Number(hotel) }),
};

const durable = DBOS.registerWorkflow(
  async ({ workflow, input }: DurableWorkflowRequest) =>
    await executeWorkflow(workflow, {
      ...dbosEngine(DBOS),
      input,
      tools,
      // Stands in for a model. Use `aiSdkGenerate(model)` or `langchainGenerate(model)` instead.
      generate: async ({ prompt }, context) =>
        await act(context, `Your trip is booked, ${/\d+/.exec(prompt.slice(prompt.indexOf('"paid"')))?.[0]} euros are paid.`),
      // One branch after another, so that the timeline is always the same.
      concurrency: 1,
      onProgress: (progress) => process.send?.({ progress }),
    }),
  { name: 'skill-workflow' },
);

const skill = await fileSystemSkillProvider({ roots: [join(import.meta.dirname, '../skills')] }).getSkill('trip-booking');
if (skill === null) throw new Error('The skill trip-booking is missing.');
await using postgres = await embeddedPostgres({ folder });
DBOS.setConfig({ name: 'trips', systemDatabaseUrl: postgres.url, applicationVersion: '1', logLevel: 'error' });
await DBOS.launch();
// With an existing id, this returns the existing run.
const handle = await DBOS.startWorkflow(durable, { workflowID: id })({
  workflow: parseWorkflow(skill, { tools: Object.keys(tools) }),
  input: { from: 'Basel', to: 'Bern' },
});
const { output } = await handle.getResult();
process.send?.({ output });
await DBOS.shutdown();
process.disconnect?.();
