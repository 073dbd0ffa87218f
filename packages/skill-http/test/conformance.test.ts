import { testSkillProvider } from '@repertoire/skills-testkit/vitest';
import { httpSkillProvider } from '../src/index.ts';
import { publishLibrary } from './support/published-library.ts';
import { serve } from './support/serve.ts';

const abilities = ['dispose', 'versions', 'raw'] as const;

testSkillProvider({
  name: 'skill-http over its own handler',
  abilities,
  trusted: false,
  create: async (files) => ({ provider: httpSkillProvider({ url: 'https://skills.example', fetch: publishLibrary(files) }) }),
  failing: async () => ({
    provider: httpSkillProvider({
      url: 'https://skills.example',
      retries: 0,
      fetch: () => Promise.reject(new TypeError('fetch failed')),
    }),
  }),
  stalled: async () => ({ provider: httpSkillProvider({ url: 'https://skills.example', fetch: () => new Promise(() => {}) }) }),
});

testSkillProvider({
  name: 'skill-http, level 1 of the artifacts',
  abilities,
  trusted: true,
  create: async (files) => ({
    provider: httpSkillProvider({
      url: 'https://skills.example/team',
      trusted: true,
      levelOne: 'artifact',
      fetch: publishLibrary(files, '/team'),
    }),
  }),
});

testSkillProvider({
  name: 'skill-http over a socket',
  abilities,
  trusted: false,
  create: async (files) => {
    const server = await serve(publishLibrary(files));
    return {
      provider: httpSkillProvider({ url: server.url, allowHttp: true, allowPrivateAddresses: true }),
      dispose: () => server.close(),
    };
  },
  failing: async () => {
    const server = await serve(() => Promise.resolve(new Response(null, { status: 500 })));
    return {
      provider: httpSkillProvider({ url: server.url, allowHttp: true, allowPrivateAddresses: true, retries: 0 }),
      dispose: () => server.close(),
    };
  },
});
