import type { SignSkillIndex } from '@repertoire/skills-core/provider';
import type { StoreKeys } from '../form/store-keys.ts';
import { askStore } from '../store/ask-store.ts';
import type { SkillStore } from '../store/skill-store.ts';

/** Signs a release and stores the signature, before the pointer leads readers there. */
export async function putSignature(
  store: SkillStore,
  keys: StoreKeys,
  release: string,
  signIndex: SignSkillIndex,
  signal: AbortSignal | undefined,
): Promise<void> {
  const key = keys.signature(release);
  const bytes = await signIndex({ digest: release });
  await askStore(store, `take ${key}`, signal, () => store.put(key, bytes, { signal }));
}
