import { SkillError, type SkillDiagnostic, type SkillMetadata } from '@repertoire/skills-core';
import { deepFreeze, DiagnosticList, messageOf } from '@repertoire/skills-core/internal';
import { compareSkills, forEachBounded, type SkillListing } from '@repertoire/skills-core/provider';
import type { LookablePluginFiles, PluginFiles, PluginRoot } from '../files/plugin-files.ts';
import { findPlugins, type FoundPlugin, type FoundPlugins, type KeptPlugins } from '../read/find-plugins.ts';
import { repertoireExtension } from '../read/repertoire-extension.ts';
import type { PluginSkillPlace } from '../read/read-plugin.ts';
import { pluginNeeds } from '../policy/plugin-needs.ts';
import { refusedByLists } from '../policy/plugin-lists.ts';
import { namesApart } from './names-apart.ts';
import type { PluginSettings } from './plugin-provider-options.ts';
import { readLevelOne, type LevelOne } from './skill-reader.ts';
import { tellChanges } from './tell-changes.ts';

/** A skill as it is listed. */
export interface IndexedSkill {
  readonly plugin: FoundPlugin;
  readonly place: PluginSkillPlace;
  /** Level 1 as the file has it. */
  readonly own: SkillMetadata;
  /** Level 1 as it is served: with the name that tells it apart, and its origin. */
  readonly metadata: SkillMetadata;
}

/** What the roots contained at the last look. */
export interface PluginScan {
  readonly plugins: readonly FoundPlugin[];
  readonly skills: readonly IndexedSkill[];
  readonly listing: SkillListing;
}

type Levels = Map<string, { readonly stamp: string | undefined; readonly level: LevelOne }>;

const concurrency = 32;
/** A path that needs no escaping in a URL. */
const plainPath = /^[\w/-]+$/;

/** Looks at the roots, and caches the result for `staleAfterMs`. */
export class PluginIndex {
  readonly #settings: PluginSettings;
  #levels: Levels = new Map();
  #last: { readonly scan: PluginScan; readonly key: string; readonly at: number } | null = null;
  #running: Promise<PluginScan> | null = null;

  constructor(settings: PluginSettings) {
    this.#settings = settings;
  }

  /** A scan no older than `staleAfterMs`. Callers share it, so it takes no signal. */
  async current(): Promise<PluginScan> {
    const { now, staleAfterMs } = this.#settings;
    const age = this.#last === null ? Number.POSITIVE_INFINITY : now() - this.#last.at;
    if (this.#last !== null && age >= 0 && age < staleAfterMs) return this.#last.scan;
    return await this.refresh();
  }

  /** Looks again. */
  async refresh(): Promise<PluginScan> {
    this.#running ??= this.#look().finally(() => {
      this.#running = null;
    });
    return await this.#running;
  }

  async #look(): Promise<PluginScan> {
    const looks = this.#settings.roots.map(({ files }) => beginLook(files));
    try {
      return await this.#scan(looks.map(({ files }) => files));
    } finally {
      for (const { end } of looks) end();
    }
  }

  /** @param files those of the roots, for one look */
  async #scan(files: readonly PluginFiles[]): Promise<PluginScan> {
    const at = this.#settings.now();
    const diagnostics = new DiagnosticList();
    const { plugins, complete } = await this.#plugins(files, diagnostics);
    const levels: Levels = new Map();
    const places = plugins.flatMap((plugin) => plugin.skills.map((place) => ({ plugin, place })));
    const read: (LevelOne | undefined)[] = [];
    await forEachBounded(places, concurrency, async ({ plugin, place }, index) => {
      read[index] = await this.#levelOne(`${plugin.root.name}/${plugin.folder}\0${place.path}`, plugin, place, levels);
    });
    this.#levels = levels;
    const own = places.flatMap(({ plugin, place }, index) => {
      const level = read[index];
      for (const diagnostic of level?.diagnostics ?? [])
        diagnostics.add({ ...diagnostic, path: `${plugin.manifest.name}/${diagnostic.path ?? place.path}` });
      if (level === undefined || level.metadata === null) return [];
      return [{ plugin: plugin.manifest.name, trusted: plugin.root.trusted === true, metadata: level.metadata, found: plugin, place }];
    });
    const names = namesApart(own);
    const skills = own.map((one): IndexedSkill => {
      const name = names.get(one) ?? one.metadata.name;
      if (name !== one.metadata.name) diagnostics.add(renamed(one.metadata.name, name));
      return { plugin: one.found, place: one.place, own: one.metadata, metadata: this.#served(one.metadata, name, one.found, one.place) };
    });
    const { tools } = this.#settings;
    for (const need of await pluginNeeds({ plugins, skills: skills.map(({ metadata }) => metadata), tools })) diagnostics.add(need);
    return this.#remember(
      {
        plugins,
        skills,
        listing: { skills: skills.map(({ metadata }) => metadata).sort(compareSkills), diagnostics: diagnostics.all, complete },
      },
      at,
    );
  }

  /** Of plugins with one name, the first counts; those of trusted roots come before all others. */
  async #plugins(files: readonly PluginFiles[], diagnostics: DiagnosticList): Promise<{ plugins: FoundPlugin[]; complete: boolean }> {
    const { roots, label } = this.#settings;
    const found: (FoundPlugins | { readonly error: unknown })[] = await Promise.all(
      roots.map((root, index) =>
        findPlugins(root, files[index] ?? root.files, this.#keptOf(root), {}).catch((error: unknown) => ({ error })),
      ),
    );
    const failed = found.flatMap((answer) => ('error' in answer ? [answer.error] : []));
    if (failed.length > 0 && failed.length === roots.length) {
      throw new SkillError('source-unavailable', `[agent-plugins] No root of "${label}" can be read. Make sure that it is there.`, {
        source: label,
        cause: failed[0],
      });
    }
    const order = roots
      .map((root, index) => ({ root, answer: found[index] }))
      .sort((a, b) => Number(b.root.trusted === true) - Number(a.root.trusted === true));
    const plugins = new Map<string, FoundPlugin>();
    for (const { root, answer } of order) {
      if (answer === undefined) continue;
      if ('error' in answer) {
        diagnostics.add(unreadable(root.name, answer.error));
        continue;
      }
      for (const diagnostic of answer.diagnostics) diagnostics.add(diagnostic);
      for (const plugin of answer.plugins) {
        const { name } = plugin.manifest;
        const refused = plugins.has(name) ? shadowed(plugin) : await refusedByLists(plugin, this.#settings, {});
        if (refused === null) plugins.set(name, plugin);
        else diagnostics.add(refused);
        if (refused?.code === 'plugin-not-allowed')
          this.#settings.onEvent({ type: 'plugin-refused', plugin: name, version: plugin.manifest.version });
      }
    }
    const isAway = order.some(
      ({ root, answer }) => answer !== undefined && ('error' in answer || (!answer.isThere && root.optional !== true)),
    );
    return { plugins: [...plugins.values()], complete: !isAway };
  }

  async #levelOne(key: string, { files }: FoundPlugin, place: PluginSkillPlace, into: Levels): Promise<LevelOne> {
    const known = this.#levels.get(key);
    if (known !== undefined && known.stamp !== undefined && known.stamp === place.stamp) {
      into.set(key, known);
      return known.level;
    }
    const level = await readLevelOne(files, place, {});
    // The same object while nothing changed, because the core caches by identity.
    const isSame = known !== undefined && JSON.stringify(known.level) === JSON.stringify(level);
    const kept = { stamp: place.stamp, level: isSame ? known.level : level };
    into.set(key, kept);
    return kept.level;
  }

  readonly #kept = new WeakMap<PluginRoot, KeptPlugins>();

  #keptOf(root: PluginRoot): KeptPlugins {
    const kept: KeptPlugins = this.#kept.get(root) ?? new Map();
    this.#kept.set(root, kept);
    return kept;
  }

  readonly #servedOf = new WeakMap<SkillMetadata, { readonly of: readonly unknown[]; readonly served: SkillMetadata }>();

  #served(own: SkillMetadata, name: string, { files, manifest, root }: FoundPlugin, { path }: PluginSkillPlace): SkillMetadata {
    const trusted = root.trusted === true;
    const of = [name, manifest, files.uri, path, trusted];
    const before = this.#servedOf.get(own);
    if (before?.of.every((part, index) => part === of[index]) === true) return before.served;
    const written = plainPath.test(path) ? path : path.split('/').map(encodeURIComponent).join('/');
    const uri = files.uri === undefined ? undefined : `${files.uri}${written}/`;
    const origin = {
      kind: 'plugin',
      label: this.#settings.label,
      place: `${manifest.name}/${path}`,
      trusted,
      ...(uri !== undefined && { uri }),
    };
    const served = deepFreeze({ ...own, name, origin, ...withRequires(own, manifest) });
    // The same object while the text is the same, even if files were read again.
    const kept = before !== undefined && JSON.stringify(before.served) === JSON.stringify(served) ? before.served : served;
    this.#servedOf.set(own, { of, served: kept });
    return kept;
  }

  #remember(scan: PluginScan, at: number): PluginScan {
    tellChanges(this.#last?.scan.plugins ?? [], scan.plugins, this.#settings.onEvent);
    const { skills, diagnostics, complete } = scan.listing;
    const key = JSON.stringify([diagnostics, complete]);
    const before = this.#last;
    const isSame =
      before?.key === key &&
      before.scan.listing.skills.length === skills.length &&
      skills.every((skill, index) => skill === before.scan.listing.skills[index]);
    const kept = isSame ? { ...scan, listing: before.scan.listing } : { ...scan, listing: deepFreeze(scan.listing) };
    this.#last = { scan: kept, key, at };
    return kept;
  }
}

function beginLook(files: LookablePluginFiles): { readonly files: PluginFiles; readonly end: () => void } {
  return files.beginLook?.() ?? { files, end: () => undefined };
}

/** Tools that a plugin needs count for each of its skills, for `gates.missing`. */
function withRequires({ fields }: SkillMetadata, manifest: FoundPlugin['manifest']): Pick<SkillMetadata, 'fields'> {
  const { allTools, anyTools } = repertoireExtension(manifest).requires;
  if ((allTools.length === 0 && anyTools.length === 0) || fields?.['requires'] !== undefined) return {};
  return { fields: { ...fields, requires: { tools: { all: allTools, any: anyTools } } } };
}

function renamed(name: string, shown: string): SkillDiagnostic {
  return {
    code: 'plugin-skill-renamed',
    severity: 'info',
    message: `Several plugins have a skill ${JSON.stringify(name)}. This one is listed as ${JSON.stringify(shown)}.`,
    skill: shown,
    fix: 'Load it by that name.',
  };
}

function shadowed({ manifest, root, folder }: FoundPlugin): SkillDiagnostic {
  return {
    code: 'plugin-shadowed',
    severity: 'warning',
    message: `Plugin ${JSON.stringify(manifest.name)} in ${JSON.stringify(`${root.name}/${folder}`)} is left out, because one of that name comes before it.`,
    path: `${root.name}/${folder}`,
    fix: 'Remove one of them, or change the order of the roots.',
  };
}

function unreadable(name: string, error: unknown): SkillDiagnostic {
  return {
    code: 'plugin-root-unreadable',
    severity: 'error',
    message: `The plugins of ${JSON.stringify(name)} cannot be read: ${messageOf(error)}`,
    path: name,
    fix: 'Make sure that it is there and may be read.',
  };
}
