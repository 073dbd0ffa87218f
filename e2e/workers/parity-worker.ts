/** A Worker that plays the conversation of `e2e/parity` with the hosts and over the source that a request names, and answers what the models were given. */
import { SkillRegistry, type SkillDefinition } from '@repertoire/skills-core';
import { kvSkillStore, r2SkillStore, type KVNamespaceLike, type R2BucketLike } from '@repertoire/skill-storage';
import { httpLibrary, mcpLibrary } from '../parity/sources/read-over-network.ts';
import { openLibraries, type ParitySource } from '../parity/sources/source.ts';
import { storedLibrary } from '../parity/sources/stored-library.ts';
import { inCodeLibrary, type ModelCall, type ParityLibrary } from '@repertoire/skills-testkit/internal';
import type { ParityHost } from '../parity/host.ts';

/** What a request asks for. Servers are told by the label of the library that they serve. */
export interface ParityRequest {
  readonly source: 'in code' | 'repertoire bundle' | 'http' | 'mcp' | 'storage (R2)' | 'storage (KV)';
  readonly urls?: Readonly<Record<string, string>> | undefined;
  /** The names of the hosts that play. */
  readonly hosts: readonly string[];
}

/** What a Worker answers: by the name of the host. */
export type ParityAnswer = Readonly<Record<string, readonly ModelCall[]>>;

interface Environment {
  readonly BUCKET: R2BucketLike;
  readonly NAMESPACE: KVNamespaceLike;
}

/** @param bundled what `repertoire bundle` wrote, by the label of the library */
export function parityWorker(hosts: readonly ParityHost[], bundled: Readonly<Record<string, readonly SkillDefinition[]>>) {
  return {
    async fetch(request: Request, environment: Environment): Promise<Response> {
      const asked = (await request.json()) as ParityRequest;
      const source: ParitySource = { name: asked.source, open: (library) => openLibrary(asked, library, bundled, environment) };
      const { provider, close } = await openLibraries(source);
      const answers: Record<string, readonly ModelCall[]> = {};
      for (const { name, play } of hosts) if (asked.hosts.includes(name)) answers[name] = await play(provider, 'usual');
      await close();
      return Response.json(answers satisfies ParityAnswer, { headers: { 'x-hosts': hosts.map(({ name }) => name).join() } });
    },
  };
}

async function openLibrary(
  { source, urls = {} }: ParityRequest,
  library: ParityLibrary,
  bundled: Readonly<Record<string, readonly SkillDefinition[]>>,
  environment: Environment,
): ReturnType<ParitySource['open']> {
  const { label, trusted } = library;
  const url = urls[label] ?? '';
  const close = async (): Promise<void> => {};
  switch (source) {
    case 'in code':
      return { provider: inCodeLibrary(library), close };
    case 'repertoire bundle':
      return { provider: new SkillRegistry({ skills: bundled[label] ?? [], label, trusted }), close };
    case 'http':
      return { provider: httpLibrary(library, url), close };
    case 'mcp':
      return await mcpLibrary(library, url);
    case 'storage (R2)':
      return { provider: storedLibrary(library, r2SkillStore(environment.BUCKET)), close };
    case 'storage (KV)':
      return { provider: storedLibrary(library, kvSkillStore(environment.NAMESPACE)), close };
  }
}
