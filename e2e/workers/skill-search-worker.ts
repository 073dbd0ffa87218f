import type { R2Bucket } from '@cloudflare/workers-types';
import { createSkillSearch, type IndexedSkillSearch } from '@repertoire/skill-search';
import { createSkillset, emptySkillState, skillDiscovery } from '@repertoire/skills-core';
import { r2SkillStore, storageSkillProvider } from '@repertoire/skill-storage';

interface Bindings {
  readonly BUCKET: R2Bucket;
}

// One for all requests, as a Worker would have it: what one of them indexes must be of use to the
// next.
let search: IndexedSkillSearch | undefined;

/** Searches what was published to a bucket; with `?index=1` by an index that lies beside it. */
export default {
  async fetch(request: Request, { BUCKET }: Bindings): Promise<Response> {
    const { pathname, searchParams } = new URL(request.url);
    const provider = storageSkillProvider({ store: r2SkillStore(BUCKET), label: 'team' });
    switch (pathname) {
      case '/search': {
        search ??= createSkillSearch(provider);
        return Response.json(await search.search(searchParams.get('q') ?? ''));
      }
      case '/ask': {
        search ??= createSkillSearch(provider);
        const session = await createSkillset({
          provider,
          discovery: skillDiscovery(search, { mode: 'search', alwaysListed: ['recover'] }),
        }).open();
        const tool = session.tools.find(({ role }) => role === 'search');
        const answer = await tool?.execute({ query: searchParams.get('q') }, { state: emptySkillState, signal: request.signal });
        return Response.json({ catalog: session.catalog.text, answer: answer?.text });
      }
      case '/write': {
        const fresh = createSkillSearch(provider);
        await fresh.refresh();
        await BUCKET.put('index', fresh.exportIndex());
        return Response.json(fresh.status());
      }
      case '/prebuilt': {
        const index = new Uint8Array((await (await BUCKET.get('index'))?.arrayBuffer()) ?? new ArrayBuffer());
        let reads = 0;
        const counting = {
          ...provider,
          getSkill: async (...call: Parameters<typeof provider.getSkill>) => ((reads += 1), await provider.getSkill(...call)),
        };
        const { candidates, diagnostics } = await createSkillSearch(counting, { index }).search(searchParams.get('q') ?? '');
        return Response.json({ names: candidates.map(({ name }) => name), diagnostics, reads });
      }
      default:
        return new Response('no', { status: 404 });
    }
  },
};
