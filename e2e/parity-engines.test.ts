import { DBOS } from '@dbos-inc/dbos-sdk';
import { durableAgent } from '@repertoire/skill-workflow/agent';
import { dbosEngine } from '@repertoire/skill-workflow/dbos';
import type { SkillProvider } from '@repertoire/skills-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestPostgres, type Postgres } from '../test/support/postgres.ts';
import type { ParityVariant } from './parity/conversation.ts';
import { playAiSdkDurably, playDurably } from './parity/hosts/durable.ts';
import { plainHost } from './parity/hosts/plain.ts';
import type { ModelCall } from './parity/record.ts';
import { bundleSource } from './parity/sources/bundle.ts';
import { fsSource } from './parity/sources/fs.ts';
import { httpSource } from './parity/sources/http.ts';
import { inCodeSource } from './parity/sources/in-code.ts';
import { mcpSource } from './parity/sources/mcp.ts';
import { openLibraries, type OpenSource } from './parity/sources/source.ts';
import { unstorageSource } from './parity/sources/storage.ts';

const variants = ['usual', 'unusual', 'extended'] as const;
const plays = { 'the loop of the core': playDurably, 'generateText of the AI SDK': playAiSdkDurably };
/** What a run needs and no database can hold, by its id. */
const given = new Map<string, { readonly provider: SkillProvider; readonly calls: ModelCall[] }>();
const references: Partial<Record<ParityVariant, readonly ModelCall[]>> = {};
let postgres: Postgres;

const flow = DBOS.registerWorkflow(
  async (loop: keyof typeof plays, variant: ParityVariant) => {
    const run = given.get(DBOS.workflowID ?? '');
    if (run === undefined) throw new Error('There is no such run.');
    await plays[loop](durableAgent(dbosEngine(DBOS)), run.provider, variant, (at, call) => (run.calls[at] = call));
  },
  { name: 'parity' },
);

beforeAll(async () => {
  const { provider } = await openLibraries(inCodeSource);
  for (const variant of variants) references[variant] = await plainHost.play(provider, variant);
  postgres = await startTestPostgres();
  DBOS.setConfig({ name: 'parity', systemDatabaseUrl: postgres.url, applicationVersion: '1', logLevel: 'error' });
  await DBOS.launch();
});
afterAll(async () => {
  await DBOS.shutdown();
  await postgres[Symbol.asyncDispose]();
});

describe.each(
  [inCodeSource, bundleSource, fsSource, httpSource, mcpSource, unstorageSource].map((source) => [source.name, source] as const),
)('ADP-6: on DBOS, skills from %s', (name, source) => {
  let opened: OpenSource;
  beforeAll(async () => {
    opened = await openLibraries(source);
  });
  afterAll(() => opened.close());

  it.each(Object.keys(plays).flatMap((loop) => variants.map((variant) => [loop as keyof typeof plays, variant] as const)))(
    'ADP-6 FLW-5: %s gives the model the same bytes, in the same states (%s)',
    async (loop, variant) => {
      const workflowID = `${name} ${loop} ${variant}`;
      const calls: ModelCall[] = [];
      given.set(workflowID, { provider: opened.provider, calls });
      await (await DBOS.startWorkflow(flow, { workflowID })(loop, variant)).getResult({ pollingIntervalMs: 20 });
      expect(calls).toStrictEqual(references[variant]);
    },
  );
});
