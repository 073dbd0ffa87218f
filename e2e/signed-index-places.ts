import { createHash } from 'node:crypto';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { httpSkillProvider } from '@repertoire/skill-http';
import { exportStatic } from '@repertoire/skill-http/node';
import { publishSkillsToStorage, storageSkillProvider } from '@repertoire/skill-storage';
import { SkillRegistry, type SkillProvider } from '@repertoire/skills-core';
import type { SignSkillIndex, VerifySkillIndex } from '@repertoire/skills-core/provider';
import { MemoryStore } from '../packages/skill-storage/test/support/memory-store.ts';

/** What a source holds, by path: whoever controls the place changes it at will. */
export type PlaceFiles = Map<string, Uint8Array>;

/** Somewhere to publish skills, and to read them from. */
export interface Place {
  readonly files: PlaceFiles;
  /** Publishes one skill, `billing`, whose body is the text. */
  publish(body: string, signIndex?: SignSkillIndex): Promise<void>;
  /** A new reader, as after a restart. */
  open(verifyIndex: VerifySkillIndex | undefined, now: () => number): SkillProvider;
  /** Changes a byte of the index, and moves everything that names it along: also its signature. */
  forge(): void;
}

const billing = (body: string): SkillProvider =>
  new SkillRegistry({
    skills: [{ name: 'billing', description: 'Money. Use for bills.', body, resources: { 'references/policy.md': `# ${body}` } }],
  });
const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');
const replaced = (bytes: Uint8Array, from: string, to: string): Uint8Array =>
  new TextEncoder().encode(new TextDecoder().decode(bytes).replaceAll(from, to));

/** The path of the signature that belongs to an index. */
function move(files: PlaceFiles, from: string, to: string): void {
  const signature = files.get(from);
  if (signature === undefined) throw new Error(`There is no ${from}.`);
  files.set(to, signature);
}

/** A page host with files that were exported. */
export function pageHost(): Place {
  const files: PlaceFiles = new Map();
  const folder = '.well-known/agent-skills';
  return {
    files,
    async publish(body, signIndex) {
      const directory = await mkdtemp(join(tmpdir(), 'repertoire-signed-index-'));
      try {
        await exportStatic(billing(body), directory, { legacy: false, ...(signIndex !== undefined && { signIndex }) });
        for (const entry of await readdir(directory, { recursive: true, withFileTypes: true })) {
          const path = join(entry.parentPath, entry.name);
          if (entry.isFile()) files.set(relative(directory, path), new Uint8Array(await readFile(path)));
        }
      } finally {
        await rm(directory, { recursive: true });
      }
    },
    open: (verifyIndex, now) =>
      httpSkillProvider({
        url: 'https://skills.example.com',
        verifyIndex,
        now,
        retries: 0,
        minFreshMs: 0,
        cooldownMs: 0,
        fetch: async (request) => {
          const bytes = files.get(new URL(request.url).pathname.slice(1));
          return bytes === undefined
            ? new Response(null, { status: 404 })
            : new Response(bytes.slice(), { headers: { 'cache-control': 'no-cache' } });
        },
      }),
    forge() {
      const index = files.get(`${folder}/index.json`) ?? new Uint8Array();
      const forged = replaced(index, 'Money.', 'Honey.');
      files.set(`${folder}/index.json`, forged);
      move(files, `${folder}/index.${sha256(index)}.sig`, `${folder}/index.${sha256(forged)}.sig`);
    },
  };
}

/** A store of objects. With `stepsBack`, its pointer names the releases before the last, as it does in real life. */
export function objectStore({ stepsBack = false } = {}): Place {
  const store = new MemoryStore();
  const files: PlaceFiles = new Map();
  // The store and the files are the same thing.
  store.get = async (key, options) => {
    const bytes = files.get(key);
    return bytes === undefined ? null : { bytes: bytes.slice(0, options?.maxBytes), size: bytes.length, etag: sha256(bytes) };
  };
  store.put = async (key, bytes) => {
    files.set(key, bytes.slice());
    return true;
  };
  store.list = async (prefix) =>
    [...files].filter(([key]) => key.startsWith(prefix)).map(([key, { length }]) => ({ key, size: length, uploadedAt: 0 }));
  return {
    files,
    async publish(body, signIndex) {
      await publishSkillsToStorage(store, billing(body), { ...(signIndex !== undefined && { signIndex }) });
      if (stepsBack) return;
      // So that a reader has to say what is wrong with this one.
      const pointer = JSON.parse(new TextDecoder().decode(files.get('current.json'))) as object;
      files.set('current.json', new TextEncoder().encode(JSON.stringify({ ...pointer, previous: [] })));
    },
    open: (verifyIndex, now) => storageSkillProvider({ store, verifyIndex, now, staleAfterMs: 0 }),
    forge() {
      const pointer = JSON.parse(new TextDecoder().decode(files.get('current.json'))) as { release: string };
      const release = files.get(`releases/${pointer.release}.json`) ?? new Uint8Array();
      const forged = replaced(release, 'Money.', 'Honey.');
      const id = sha256(forged);
      files.set(`releases/${id}.json`, forged);
      move(files, `releases/${pointer.release}.sig`, `releases/${id}.sig`);
      files.set('current.json', new TextEncoder().encode(JSON.stringify({ ...pointer, release: id, previous: [] })));
    },
  };
}
