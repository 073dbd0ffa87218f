import type { LockedPlugin } from '@repertoire/skills-core/internal';
import { compareEntries, compareFiles, renderFiles, renderSource, type LockedFilesChange } from './compare-files.ts';
import { lockedSkillTitle, printable } from './skill-lock.ts';

/** The changes of one plugin. */
export interface PluginLockChange {
  readonly name: string;
  readonly version: { readonly pinned: string | null; readonly now: string | null };
  /** Label of the source, pinned and now. */
  readonly source: { readonly pinned: string; readonly now: string };
  /** The servers that start or connect to something else now; `null` where there is none. */
  readonly servers: readonly { readonly name: string; readonly pinned: string | null; readonly now: string | null }[];
  /** Paths of the files that are new, gone or changed. */
  readonly files: LockedFilesChange;
}

/** How plugins differ from those that were pinned. */
export interface PluginLockDiff {
  readonly added: readonly LockedPlugin[];
  readonly removed: readonly LockedPlugin[];
  readonly changed: readonly PluginLockChange[];
}

/** Compares plugins by their names: a new version of a plugin is the same plugin. */
export function comparePlugins(pinned: readonly LockedPlugin[], now: readonly LockedPlugin[]): PluginLockDiff {
  return compareEntries(pinned, now, ({ name }) => name, changeOf);
}

/**
 * Renders a difference in lines for people. What a server starts or connects to now is shown whole.
 */
export function renderPluginDiff({ added, removed, changed }: PluginLockDiff): string[] {
  return [
    ...added.flatMap((plugin) => [
      `+ ${title(plugin)}`,
      ...Object.entries(plugin.servers).map(([name, now]) => serverLine(name, null, now)),
    ]),
    ...removed.map((plugin) => `- ${title(plugin)}`),
    ...changed.flatMap(({ name, version, source, servers, files }) => [
      `~ plugin ${printable(name)}: ${[
        ...(version.pinned === version.now
          ? []
          : [`version ${printable(version.now ?? 'none')}, pinned as ${printable(version.pinned ?? 'none')}`]),
        ...renderSource(source),
        ...servers.map((server) => `server ${printable(server.name)}`),
        ...renderFiles(files),
      ].join(', ')}`,
      ...servers.map((server) => serverLine(server.name, server.pinned, server.now)),
    ]),
  ];
}

function title(plugin: LockedPlugin): string {
  return `plugin ${lockedSkillTitle(plugin)} (${printable(plugin.source)})`;
}

function serverLine(name: string, pinned: string | null, now: string | null): string {
  const texts = [...(pinned === null ? [] : [`was ${printable(pinned)}`]), now === null ? 'is gone' : `is ${printable(now)}`];
  return `    server ${printable(name)} ${texts.join(', ')}`;
}

function changeOf(pinned: LockedPlugin, now: LockedPlugin): PluginLockChange | null {
  const servers = compareFiles(pinned.servers, now.servers);
  const change: PluginLockChange = {
    name: pinned.name,
    version: { pinned: pinned.version, now: now.version },
    source: { pinned: pinned.source, now: now.source },
    servers: [...servers.changed, ...servers.added, ...servers.removed].map((name) => ({
      name,
      pinned: textUnder(pinned.servers, name),
      now: textUnder(now.servers, name),
    })),
    files: compareFiles(pinned.files, now.files),
  };
  return isNone(change) ? null : change;
}

function isNone({ version, source, servers, files }: PluginLockChange): boolean {
  return (
    version.pinned === version.now &&
    source.pinned === source.now &&
    servers.length + files.added.length + files.removed.length + files.changed.length === 0
  );
}

/** Returns the text under a name, which may be any name. */
function textUnder(texts: Readonly<Record<string, string>>, name: string): string | null {
  return Object.hasOwn(texts, name) ? (texts[name] ?? null) : null;
}
