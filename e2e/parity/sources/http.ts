import { nodeListener } from '@repertoire/skill-http/node';
import { createSkillsHandler } from '@repertoire/skill-http/server';
import { httpLibrary } from './read-over-network.ts';
import { serve, type Served } from './serve.ts';
import type { ParitySource } from './source.ts';
import { inCodeLibrary, type ParityLibrary } from '@repertoire/skills-testkit/internal';

/** A web server, read over a socket. */
export const httpSource: ParitySource = {
  name: 'http',
  async open(library) {
    const { url, close } = await serveOverHttp(library);
    return { provider: httpLibrary(library, url), close };
  },
};

export function serveOverHttp(library: ParityLibrary): Promise<Served> {
  return serve(nodeListener(createSkillsHandler(inCodeLibrary(library))));
}
