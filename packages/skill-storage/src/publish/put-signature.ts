import type { SignSkillIndex } from '@repertoire/skills-core/provider';
import type { OpenStore } from '../store/open-store.ts';

/** Signs a release and stores the signature, before the pointer leads readers there. */
export async function putSignature(
  store: OpenStore,
  release: string,
  signIndex: SignSkillIndex,
  signal: AbortSignal | undefined,
): Promise<void> {
  const key = store.keys.signature(release);
  const bytes = await signIndex({ digest: release });
  await store.put(key, bytes, { signal });
}
