import type { FoundPlugin } from '../read/find-plugins.ts';
import type { PluginEvent } from './plugin-provider-options.ts';

/** Reports which plugins were added, changed and removed between two looks. */
export function tellChanges(before: readonly FoundPlugin[], now: readonly FoundPlugin[], tell: (event: PluginEvent) => void): void {
  const old = new Map(before.map((plugin) => [plugin.manifest.name, plugin]));
  for (const plugin of now) {
    const { name, version } = plugin.manifest;
    const known = old.get(name);
    old.delete(name);
    if (known === undefined) tell({ type: 'plugin-found', plugin: name, version });
    else if (!isSame(known, plugin)) tell({ type: 'plugin-changed', plugin: name, version });
  }
  for (const { manifest } of old.values()) tell({ type: 'plugin-gone', plugin: manifest.name, version: manifest.version });
}

/** A plugin whose files are unchanged has the same objects, which are compared first. */
function isSame(before: FoundPlugin, now: FoundPlugin): boolean {
  const isKept = before.manifest === now.manifest && before.skills === now.skills && before.servers === now.servers;
  return isKept || partsOf(before) === partsOf(now);
}

function partsOf({ manifest, skills, servers }: FoundPlugin): string {
  return JSON.stringify([manifest, skills, [...servers]]);
}
