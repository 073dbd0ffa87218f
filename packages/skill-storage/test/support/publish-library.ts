import { sha256Hex } from '@repertoire/skills-core/provider';
import type { SkillLibraryFiles } from '@repertoire/skills-testkit';
import { publishSkillsToStorage, type SkillStore } from '../../src/index.ts';
import { libraryProvider } from './library-provider.ts';

/**
 * Publishes a library as a careless publisher would: skills that cannot be read are in the release all the same, without what they need.
 */
export async function publishLibrary(store: SkillStore, files: SkillLibraryFiles, prefix = ''): Promise<void> {
  const { provider, broken } = libraryProvider(files);
  const { release } = await publishSkillsToStorage(store, provider, { prefix });
  const base = prefix === '' ? '' : `${prefix}/`;
  if (broken.length === 0) return;
  const text = new TextDecoder().decode((await store.get(`${base}releases/${release}.json`))?.bytes);
  const document = JSON.parse(text) as { skills: unknown[] };
  document.skills.push(...broken.map((name) => ({ metadata: { name }, document: { digest: '0'.repeat(64), size: 1 } })));
  const bytes = new TextEncoder().encode(JSON.stringify(document));
  const id = await sha256Hex(bytes);
  await store.put(`${base}releases/${id}.json`, bytes);
  await store.put(`${base}current.json`, new TextEncoder().encode(JSON.stringify({ form: 1, release: id, previous: [] })));
}
