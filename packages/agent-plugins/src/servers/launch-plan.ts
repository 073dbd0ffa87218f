import type { PluginStdioServer } from '../read/plugin-server.ts';
import { insidePath } from '../read/plugin-path.ts';
import { placeOfCwd } from '../read/read-servers.ts';

/** The folders of an installed plugin, absolute and by their real paths. */
export interface PluginFolders {
  /** The value of `PLUGIN_ROOT`. */
  readonly root: string;
  /** The value of `PLUGIN_DATA`: a folder of this plugin alone, which is kept over updates. */
  readonly data: string;
}

/** What is started for a server. Placeholders are already replaced, and no shell reads it. */
export interface LaunchPlan {
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly cwd: string;
}

/** Options of {@link launchPlan}. */
export interface LaunchPlanOptions extends PluginFolders {
  /** The base environment, which that of the server overrides. */
  readonly base?: Readonly<Record<string, string>> | undefined;
  /** Whether names of variables are the same in any case, as on Windows. @default false */
  readonly ignoresCase?: boolean | undefined;
}

/**
 * What a stdio server is started with, by sections 7.2.1 and 9 of the standard: the two
 * placeholders are replaced once, in `args`, values of `env` and `cwd`, and nowhere else; both
 * variables are set last.
 */
export function launchPlan(server: PluginStdioServer, { root, data, base = {}, ignoresCase = false }: LaunchPlanOptions): LaunchPlan {
  const expand = (text: string): string => text.replace(/\$\{PLUGIN_(ROOT|DATA)\}/g, (_, name) => (name === 'ROOT' ? root : data));
  const place = server.cwd === undefined ? null : placeOfCwd(server.cwd);
  const env = new Map<string, [name: string, value: string]>();
  const set = (name: string, value: string): void => void env.set(ignoresCase ? name.toUpperCase() : name, [name, value]);
  for (const [name, value] of Object.entries(base)) set(name, value);
  for (const [name, value] of Object.entries(server.env)) set(name, expand(value));
  set('PLUGIN_ROOT', root);
  set('PLUGIN_DATA', data);
  const inside = server.command.startsWith('./') ? insidePath(server.command) : null;
  return {
    command: inside === null ? server.command : `${root}/${inside}`,
    args: server.args.map(expand),
    env: Object.fromEntries(env.values()),
    cwd: place === null ? root : below(place.in === 'root' ? root : data, expand(place.path)),
  };
}

function below(folder: string, path: string): string {
  return path === '' ? folder : `${folder}/${path}`;
}
