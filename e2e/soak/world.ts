import { mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { toNodeHandler } from '@modelcontextprotocol/node';
import { createMcpSkillsHandler } from '@repertoire/skill-mcp/server';
import { nodeListener } from '@repertoire/skill-http/node';
import { createSkillsHandler } from '@repertoire/skill-http/server';
import { pruneSkills, publishSkillsToStorage, unstorageSkillStore } from '@repertoire/skill-storage';
import { SkillRegistry } from '@repertoire/skills-core';
import { createStorage } from 'unstorage';
import fsDriver from 'unstorage/drivers/fs';
import { seededRandom, type Random } from '../../tools/fuzz/random.ts';
import { serve } from '../parity/sources/serve.ts';
import { Faults } from './faults.ts';
import { faultyListener } from './faulty-server.ts';
import { definitionOf, notePath, skillMdOf, soakSources, stamp, steadyName, type SoakSkill, type SoakSource } from './library.ts';

/** Where the agent finds the sources. */
export interface SoakPlaces {
  readonly fs: string;
  readonly http: string;
  readonly mcp: string;
  readonly storage: string;
}

/** Four sources that change and fail. */
export interface SoakWorld {
  readonly places: SoakPlaces;
  readonly changes: Readonly<Record<string, number>>;
  readonly faults: Readonly<Record<string, number>>;
  /** Changes some skills, and lets servers go away and come back. */
  tick(): Promise<void>;
  /** Brings everything back, and ends all faults. Returns what is there now: each name with its revision. */
  quiet(): Promise<Readonly<Record<string, number>>>;
  close(): Promise<void>;
}

/** A place to write skills to. */
interface Library {
  put(skill: SoakSkill): Promise<void>;
  remove(name: string): Promise<void>;
}

/** Ticks between two releases of the storage. */
const releaseEvery = 5;
const releasesBetweenPrunes = 10;
const changesPerTick = 4;

/** Makes the sources. Of `skills`, one in five comes and goes under ever new names; the others are always there, and change. */
export async function openWorld(seed: number, skills: number): Promise<SoakWorld> {
  const random = seededRandom(seed);
  const folder = await mkdtemp(join(tmpdir(), 'repertoire-soak-'));
  const roots = { here: join(folder, 'skills'), away: join(folder, 'skills.away') };
  await mkdir(roots.here);
  const published = {
    http: new SkillRegistry({ label: 'http' }),
    mcp: new SkillRegistry({ label: 'mcp' }),
    storage: new SkillRegistry({ label: 'storage' }),
  };
  const libraries: Readonly<Record<SoakSource, Library>> = {
    fs: folderLibrary(roots.here),
    http: registryLibrary(published.http),
    mcp: registryLibrary(published.mcp),
    storage: registryLibrary(published.storage),
  };
  const faults = { fs: new Faults(random), http: new Faults(random), mcp: new Faults(random) };
  const perSource = Math.floor(skills / soakSources.length);
  const steady = Math.floor(perSource * 0.8);
  const revisions = new Map<string, number>();
  const passing = Object.fromEntries(soakSources.map((source) => [source, [] as string[]])) as Record<SoakSource, string[]>;
  const changes: Record<string, number> = {};
  let made = 0;
  const put = async (source: SoakSource, name: string): Promise<void> => {
    const revision = (revisions.get(name) ?? 0) + 1;
    revisions.set(name, revision);
    await libraries[source].put({ name, revision });
  };
  const come = async (source: SoakSource): Promise<void> => {
    const name = `passing-${source}-${made++}`;
    passing[source].push(name);
    await put(source, name);
  };
  for (const source of soakSources) {
    for (let index = 0; index < steady; index++) await put(source, steadyName(source, index));
    for (let index = steady; index < perSource; index++) await come(source);
  }

  const store = unstorageSkillStore(createStorage({ driver: fsDriver({ base: join(folder, 'store') }) }));
  const release = async (): Promise<void> => void (await publishSkillsToStorage(store, published.storage, { keep: 3 }));
  await release();
  const site = createSkillsHandler(published.http);
  const mcp = createMcpSkillsHandler(published.mcp, { ttlMs: 500 });
  const mcpListener = toNodeHandler(mcp);
  const servers = {
    http: await serve(faultyListener(nodeListener(site), faults.http)),
    mcp: await serve(
      faultyListener((request, response) => void mcpListener(request as Parameters<typeof mcpListener>[0], response), faults.mcp),
    ),
  };

  /** The disk with the folder is there, or it is not. */
  const isMounted = { current: true };
  const mount = async (wanted: boolean): Promise<void> => {
    if (isMounted.current === wanted) return;
    await (wanted ? rename(roots.away, roots.here) : rename(roots.here, roots.away));
    isMounted.current = wanted;
  };
  let ticks = 0;
  let releases = 0;
  return {
    places: { fs: roots.here, http: servers.http.url, mcp: servers.mcp.url, storage: join(folder, 'store') },
    changes,
    get faults() {
      return Object.fromEntries(
        Object.entries(faults).flatMap(([source, { counts }]) =>
          Object.entries(counts).map(([kind, count]) => [`${source} ${kind}`, count]),
        ),
      );
    },
    async tick() {
      ticks += 1;
      for (const each of Object.values(faults)) each.tick();
      await mount(!faults.fs.isAway);
      for (let index = 0; index < changesPerTick; index++) await change(random);
      if (ticks % releaseEvery === 0) {
        await release();
        // What is read was published a moment ago: the grace keeps the releases that a reader may be at.
        if (++releases % releasesBetweenPrunes === 0) await pruneSkills(store, { graceMs: 10_000 });
      }
    },
    async quiet() {
      for (const each of Object.values(faults)) each.quiet();
      await mount(true);
      await release();
      return Object.fromEntries(revisions);
    },
    async close() {
      await Promise.all([servers.http.close(), servers.mcp.close()]);
      await mcp[Symbol.asyncDispose]();
      await site[Symbol.asyncDispose]();
      await rm(folder, { recursive: true, force: true, maxRetries: 3 });
    },
  };

  async function change(by: Random): Promise<void> {
    const source = by.pick(soakSources);
    if (source === 'fs' && !isMounted.current) return;
    changes[source] = (changes[source] ?? 0) + 1;
    if (by.below(4) > 0) return put(source, steadyName(source, by.below(steady)));
    const [name] = passing[source].splice(by.below(passing[source].length), 1);
    if (name !== undefined) {
      revisions.delete(name);
      await libraries[source].remove(name);
    }
    await come(source);
  }
}

function registryLibrary(registry: SkillRegistry): Library {
  return {
    put: async (skill) => void (registry.has(skill.name) ? registry.replace(definitionOf(skill)) : registry.register(definitionOf(skill))),
    remove: async (name) => void registry.unregister(name),
  };
}

/** Writes as editors and `git` do: beside, and then in place. The file comes first, so that a skill is never without it. */
function folderLibrary(root: string): Library {
  const write = async (path: string, text: string): Promise<void> => {
    await mkdir(dirname(path), { recursive: true });
    await writeFile(`${path}.new`, text);
    await rename(`${path}.new`, path);
  };
  return {
    async put(skill) {
      await write(join(root, skill.name, notePath), `${stamp(skill)}\n`);
      await write(join(root, skill.name, 'SKILL.md'), skillMdOf(skill));
    },
    remove: (name) => rm(join(root, name), { recursive: true }),
  };
}
