import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { nodeListener } from '@repertoire/skill-http/node';
import { createSkillsHandler } from '@repertoire/skill-http/server';
import { SkillRegistry, type SkillDefinition } from '@repertoire/skills-core';

/** A site on loopback that publishes skills. */
export interface SkillsSite extends AsyncDisposable {
  readonly url: string;
  /** Leaves the next request for a path without an answer for ever; resolves once that request is there. Later ones are answered. */
  swallowNext(path: string): Promise<void>;
}

/** Publishes skills over HTTP until it is disposed. */
export async function skillsSite(skills: readonly SkillDefinition[]): Promise<SkillsSite> {
  const handler = createSkillsHandler(new SkillRegistry({ skills }));
  const swallowed = new Map<string, () => void>();
  const server = createServer(
    nodeListener(async (request) => {
      const { pathname } = new URL(request.url);
      const wasAsked = swallowed.get(pathname);
      if (wasAsked === undefined) return await handler(request);
      swallowed.delete(pathname);
      wasAsked();
      return await new Promise<never>(() => {});
    }),
  );
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    swallowNext: (path) => new Promise((resolve) => void swallowed.set(path, resolve)),
    [Symbol.asyncDispose]: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
