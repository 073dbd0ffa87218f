import { forEachBounded, type SkillCallOptions, type SkillResourceEntry } from '@repertoire/skills-core/provider';
import { scriptHeadBytes, scriptSummary } from './script-summary.ts';

/** A script of a skill, as a model is told of it. */
export interface SkillScript {
  /** Path inside the skill. */
  readonly path: string;
  /** What it says of itself; `null` when it says nothing, or could not be read. */
  readonly description: string | null;
}

/** What {@link describeScripts} needs. */
export interface DescribeScriptsOptions extends SkillCallOptions {
  /** The files of the skill. */
  readonly resources: readonly SkillResourceEntry[];
  /** Reads the start of a file; `null` if missing. On failure, the script has no description. */
  readonly read: (path: string, maxBytes: number) => Promise<Uint8Array | null>;
  /** Extensions that the runner takes, with their dot. @default scriptExtensions */
  readonly extensions?: readonly string[] | undefined;
  /** The most scripts to describe. @default 50 */
  readonly maxScripts?: number | undefined;
}

const scriptExtensions: readonly string[] = ['.bash', '.cjs', '.js', '.mjs', '.py', '.sh'];

/** Lists the scripts of a skill by path, each with its first comment. */
export async function describeScripts(options: DescribeScriptsOptions): Promise<readonly SkillScript[]> {
  const { resources, read, extensions = scriptExtensions, maxScripts = 50 } = options;
  const scripts = resources.filter((entry) => isScript(entry, extensions)).slice(0, maxScripts);
  const descriptions = new Map<string, string | null>();
  const describe = async ({ path }: SkillResourceEntry): Promise<void> => {
    const bytes = await read(path, scriptHeadBytes).catch(() => null);
    descriptions.set(path, bytes === null ? null : scriptSummary(bytes));
  };
  await forEachBounded(scripts, 8, describe, options.signal);
  return scripts.map(({ path }) => ({ path, description: descriptions.get(path) ?? null }));
}

/** Whether a file is a script that can be run. Parts of Python packages are not. */
export function isScript(
  { path, kind }: Pick<SkillResourceEntry, 'path' | 'kind'>,
  extensions: readonly string[] = scriptExtensions,
): boolean {
  if (kind !== 'script') return false;
  const file = path.slice(path.lastIndexOf('/') + 1).toLowerCase();
  return file !== '__init__.py' && extensions.some((extension) => file.length > extension.length && file.endsWith(extension));
}
