import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { generateTextHost, streamTextHost, toolLoopAgentHost } from './parity/hosts/ai-sdk.ts';
import { durableAiSdkHost, durableHost } from './parity/hosts/durable.ts';
import { langChainAgentHost } from './parity/hosts/langchain-agent.ts';
import { langGraphHost } from './parity/hosts/langgraph.ts';
import { openAiAgentsHost } from './parity/hosts/openai-agents.ts';
import { plainHost } from './parity/hosts/plain.ts';
import type { ModelCall, ParityHost } from './parity/record.ts';
import { renderRecord } from './parity/render-record.ts';
import { bundleSource } from './parity/sources/bundle.ts';
import { fsSource } from './parity/sources/fs.ts';
import { httpSource } from './parity/sources/http.ts';
import { inCodeSource } from './parity/sources/in-code.ts';
import { mcpSource } from './parity/sources/mcp.ts';
import { openLibraries, type OpenSource, type ParitySource } from './parity/sources/source.ts';
import { unstorageSource } from './parity/sources/storage.ts';

const hosts: readonly ParityHost[] = [
  plainHost,
  langGraphHost,
  langChainAgentHost,
  generateTextHost,
  streamTextHost,
  toolLoopAgentHost,
  openAiAgentsHost,
  durableHost,
  durableAiSdkHost,
];
const sources: readonly ParitySource[] = [inCodeSource, bundleSource, fsSource, httpSource, mcpSource, unstorageSource];

let reference: readonly ModelCall[];
let unusual: readonly ModelCall[];
let extended: readonly ModelCall[];
beforeAll(async () => {
  const { provider } = await openLibraries(inCodeSource);
  reference = await plainHost.play(provider, 'usual');
  unusual = await plainHost.play(provider, 'unusual');
  extended = await plainHost.play(provider, 'extended');
});

it('ADP-6: the reference, a plain loop over skills in code, is what it was', async () => {
  await expect(renderRecord(reference)).toMatchFileSnapshot('parity/reference.txt');
  await expect(renderRecord(unusual)).toMatchFileSnapshot('parity/reference-unusual.txt');
  await expect(renderRecord(extended)).toMatchFileSnapshot('parity/reference-extended.txt');
});

describe.each(sources.map((source) => [source.name, source] as const))('ADP-6: skills from %s', { timeout: 30_000 }, (_name, source) => {
  let opened: OpenSource;
  beforeAll(async () => {
    opened = await openLibraries(source);
  }, 30_000);
  afterAll(() => opened.close());

  it.each(hosts.map((host) => [host.name, host] as const))(
    'ADP-6: %s gives the model the same bytes, in the same states',
    async (_host, host) => {
      expect(await host.play(opened.provider, 'usual')).toStrictEqual(reference);
    },
  );

  it.each(hosts.map((host) => [host.name, host] as const))(
    'ADP-6: %s does so with bodies in the system prompt, one active skill, a tight budget and broken listeners',
    async (_host, host) => {
      expect(await host.play(opened.provider, 'unusual')).toStrictEqual(unusual);
    },
  );

  it.each(hosts.map((host) => [host.name, host] as const))(
    'ADP-6: %s does so with tools that skills bring, hidden tools, forks and repeated instructions',
    async (_host, host) => {
      expect(await host.play(opened.provider, 'extended')).toStrictEqual(extended);
    },
  );
});
