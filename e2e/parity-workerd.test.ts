import { kvSkillStore, r2SkillStore } from '@repertoire/skill-storage';
import type { Miniflare } from 'miniflare';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { isTried } from '../test/support/property-runs.ts';
import { bundleForWorkers } from '../tools/bundle-for-workers.ts';
import { openWorkerd } from './open-workerd.ts';
import { durableAiSdkHost, durableHost } from './parity/hosts/durable.ts';
import { bundleLibrary, bundleSource } from './parity/sources/bundle.ts';
import { httpSource, serveOverHttp } from './parity/sources/http.ts';
import { inCodeSource } from './parity/sources/in-code.ts';
import { mcpSource, serveOverMcp } from './parity/sources/mcp.ts';
import type { Served } from './parity/sources/serve.ts';
import { openLibraries, type ParitySource } from './parity/sources/source.ts';
import { unstorageSource } from './parity/sources/storage.ts';
import { publishLibrary } from './parity/sources/stored-library.ts';
import type { ParityAnswer, ParityRequest } from './workers/parity-worker.ts';
import { libraries, type ModelCall } from '@repertoire/skills-testkit/internal';
import { plainHost } from './parity/host.ts';

const sources = ['in code', 'repertoire bundle', 'http', 'mcp', 'storage (R2)', 'storage (KV)'] as const;
/** By the name of the source. */
const references: Record<string, Promise<readonly ModelCall[]>> = {};
const closing: (() => Promise<void>)[] = [];
const urls: Record<'http' | 'mcp', Record<string, string>> = { http: {}, mcp: {} };
const modules: Record<string, string> = {};

beforeAll(async () => {
  const keep = ({ url, close }: Served): string => {
    closing.push(close);
    return url;
  };
  for (const library of libraries) {
    urls.http[library.label] = keep(await serveOverHttp(library));
    urls.mcp[library.label] = keep(await serveOverMcp(library));
    const { module, close } = await bundleLibrary(library);
    modules[library.label] = module;
    closing.push(close);
  }
});
afterAll(async () => {
  for (const close of closing) await close();
});

describe.each([
  [
    'the core and the AI SDK',
    'parity-ai-sdk',
    ['plain', 'AI SDK generateText', 'AI SDK streamText', 'AI SDK ToolLoopAgent', durableHost.name, durableAiSdkHost.name],
  ],
  ['LangChain', 'parity-langchain', ['LangGraph', 'LangChain createAgent']],
])('ADP-6: in workerd without nodejs_compat, %s', (_title, hosts, names) => {
  let runtime: Miniflare;
  beforeAll(async () => {
    const { code, imports } = await bundleForWorkers(workerOf(hosts), { conditions: ['@repertoire/source'] });
    if (imports.length > 0) throw new Error(`The bundle imports ${imports.join(', ')}.`);
    runtime = openWorkerd(code);
    const stores = [r2SkillStore(await runtime.getR2Bucket('BUCKET')), kvSkillStore(await runtime.getKVNamespace('NAMESPACE'))];
    for (const store of stores) for (const library of libraries) await publishLibrary(library, store);
  });
  afterAll(() => runtime.dispose());

  it.each<[ParityRequest['source'], ParityRequest['urls'], ParitySource]>([
    ['in code', {}, inCodeSource],
    ['repertoire bundle', {}, bundleSource],
    ['http', urls.http, httpSource],
    ['mcp', urls.mcp, mcpSource],
    ['storage (R2)', {}, unstorageSource],
    ['storage (KV)', {}, unstorageSource],
  ])(
    'ADP-6: over %s gives the model the bytes that it gets in Node.js (fs has no place here: there are no files)',
    async (source, servers, inNode) => {
      const reference = await (references[inNode.name] ??= referenceOver(inNode));
      const tried = names.filter((_, last) => isTried({ last, size: names.length }, sources.indexOf(source)));
      const body = JSON.stringify({ source, urls: servers, hosts: tried } satisfies ParityRequest);
      const response = await runtime.dispatchFetch('http://localhost/', { method: 'POST', body });
      expect(response.status).toBe(200);
      const answer = (await response.json()) as ParityAnswer;
      expect(Object.keys(answer)).toEqual(tried);
      for (const name of tried) expect(answer[name], name).toEqual(reference);
    },
  );

  it('has all of these hosts and no other', async () => {
    const body = JSON.stringify({ source: 'in code', hosts: [] } satisfies ParityRequest);
    const response = await runtime.dispatchFetch('http://localhost/', { method: 'POST', body });
    expect(response.headers.get('x-hosts')).toBe(names.join());
  });
});

/** What a plain loop gives the model in Node.js. */
async function referenceOver(source: ParitySource): Promise<readonly ModelCall[]> {
  const { provider, close } = await openLibraries(source);
  try {
    return await plainHost.play(provider, 'usual');
  } finally {
    await close();
  }
}

/** The source of a Worker with these hosts, and with the bundles in it. */
function workerOf(hosts: string): string {
  const labels = Object.keys(modules);
  return [
    `import { hosts } from './workers/${hosts}.ts';`,
    `import { parityWorker } from './workers/parity-worker.ts';`,
    ...labels.map((label, index) => `import { skills as bundle${index} } from ${JSON.stringify(modules[label])};`),
    `export default parityWorker(hosts, { ${labels.map((label, index) => `${JSON.stringify(label)}: bundle${index}`).join(', ')} });`,
  ].join('\n');
}
