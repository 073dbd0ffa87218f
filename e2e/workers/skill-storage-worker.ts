import type { KVNamespace, R2Bucket } from '@cloudflare/workers-types';
import { kvSkillStore, publishSkillsToStorage, r2SkillStore, storageSkillProvider, type KVNamespaceLike } from '@repertoire/skill-storage';
import { skillProviderCases, type SkillLibraryFiles } from '@repertoire/skills-testkit';
import { publishLibrary } from '../../packages/skill-storage/test/support/publish-library.ts';
import { exerciseStore } from './exercise-skill-store.ts';

interface Bindings {
  readonly BUCKET: R2Bucket;
  readonly NAMESPACE: KVNamespace;
}

/** Runs the conformance suite over libraries that were published from within, each once and below a prefix of its own: every case only reads. */
async function conformance({ BUCKET }: Bindings): Promise<{ passed: number; failed: string[] }> {
  const prefixes = new Map<SkillLibraryFiles, string>();
  const cases = skillProviderCases({
    name: 'skill-storage in workerd',
    abilities: ['dispose', 'versions', 'raw'],
    trusted: false,
    create: async (files) => {
      const prefix = prefixes.get(files) ?? `conformance-${prefixes.size}`;
      if (!prefixes.has(files)) await publishLibrary(r2SkillStore(BUCKET), files, prefix);
      prefixes.set(files, prefix);
      return { provider: storageSkillProvider({ store: r2SkillStore(BUCKET), prefix }) };
    },
    failing: async () => ({ provider: storageSkillProvider({ store: r2SkillStore(BUCKET), prefix: 'nothing' }) }),
  });
  const failed: string[] = [];
  for (const { title, run } of cases) {
    try {
      await run();
    } catch (error) {
      failed.push(`${title}: ${String(error)}`);
    }
  }
  return { passed: cases.length - failed.length, failed };
}

/** KV gives a thousand keys a page, and less where it is asked to: so a few keys are many pages. */
function inShortPages(namespace: KVNamespace): KVNamespaceLike {
  return {
    get: (key, type) => namespace.get(key, type),
    put: (key, value, options) => namespace.put(key, value, options),
    list: (options) => namespace.list({ ...options, limit: 10 }),
    delete: (key) => namespace.delete(key),
  };
}

// One for all requests, as a Worker would have it: what it keeps must be of use to each of them.
let provider: ReturnType<typeof storageSkillProvider> | undefined;

export default {
  async fetch(request: Request, env: Bindings): Promise<Response> {
    const { pathname, searchParams } = new URL(request.url);
    provider ??= storageSkillProvider({ store: r2SkillStore(env.BUCKET), staleAfterMs: 0, label: 'team' });
    switch (pathname) {
      case '/list':
        return Response.json((await provider.listSkills()).skills.map(({ name, description }) => [name, description]));
      case '/skill':
        return Response.json(await provider.getSkill(searchParams.get('name') ?? ''));
      case '/file': {
        const maxBytes = searchParams.get('max');
        const options = maxBytes === null ? {} : { maxBytes: Number(maxBytes) };
        const file = await provider.readResource(searchParams.get('name') ?? '', searchParams.get('path') ?? '', options);
        return new Response((file?.bytes ?? null) as Uint8Array<ArrayBuffer> | null, { headers: { 'x-size': String(file?.size) } });
      }
      case '/mirror': {
        const { skills, uploads, reused } = await publishSkillsToStorage(kvSkillStore(env.NAMESPACE), provider, { prefix: 'mirror' });
        const mirrored = storageSkillProvider({ store: kvSkillStore(env.NAMESPACE), prefix: 'mirror' });
        return Response.json({
          skills,
          uploads: uploads.length,
          reused,
          names: (await mirrored.listSkills()).skills.map(({ name }) => name),
        });
      }
      case '/conformance':
        return Response.json(await conformance(env));
      case '/exercise':
        return Response.json(
          searchParams.get('store') === 'kv'
            ? await exerciseStore(kvSkillStore(inShortPages(env.NAMESPACE)), 35)
            : // It deletes a thousand at once.
              await exerciseStore(r2SkillStore(env.BUCKET), 1_010),
        );
      default:
        return new Response('no', { status: 404 });
    }
  },
};
