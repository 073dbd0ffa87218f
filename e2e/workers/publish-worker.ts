import { kvSkillStore, r2SkillStore, storageSkillProvider, type KVNamespaceLike, type R2BucketLike } from '@repertoire/skill-storage';

/** Answers with the bodies of all skills below a prefix, and what a file of theirs begins with. */
export default {
  async fetch(request: Request, env: { readonly BUCKET: R2BucketLike; readonly NAMESPACE: KVNamespaceLike }): Promise<Response> {
    const { pathname } = new URL(request.url);
    const store = pathname.startsWith('/r2') ? r2SkillStore(env.BUCKET) : kvSkillStore(env.NAMESPACE);
    const provider = storageSkillProvider({ store, prefix: 'team' });
    const bodies: Record<string, unknown> = {};
    for (const { name } of (await provider.listSkills()).skills) {
      const logo = await provider.readResource(name, 'assets/logo.bin', { maxBytes: 3 });
      bodies[name] = [(await provider.getSkill(name))?.body, ...(logo === null ? [] : [logo.bytes])];
    }
    return Response.json(bodies);
  },
};
