import { httpSkillProvider, type HttpSkillProvider, type HttpSkillProviderOptions } from '@repertoire/skill-http';

/** A provider of a server that gives what the map has, and 404 for everything else. Nothing waits and nothing is random. */
export function providerOf(answers: ReadonlyMap<string, Uint8Array>, options: Partial<HttpSkillProviderOptions> = {}): HttpSkillProvider {
  return httpSkillProvider({
    url: 'https://skills.example',
    retries: 0,
    now: () => 1_800_000_000_000,
    random: () => 0.5,
    setTimer: () => () => {},
    fetch: async (request) => {
      const bytes = answers.get(new URL(request.url).pathname);
      return bytes === undefined ? new Response(null, { status: 404 }) : new Response(bytes.slice());
    },
    ...options,
  });
}

export const indexPath = '/.well-known/agent-skills/index.json';
