import type { SkillDiagnostic, SkillMetadata } from '@repertoire/skills-core';
import type { Plugin } from '../read/read-plugin.ts';
import { nothingSaid, repertoireExtension } from '../read/repertoire-extension.ts';

/** What the needs of plugins are checked against. */
export interface PluginSurroundings {
  readonly plugins: readonly Pick<Plugin, 'manifest'>[];
  /** Skills, with the names that they are listed by. */
  readonly skills: readonly Pick<SkillMetadata, 'name' | 'version'>[];
  /** Names of the agent's tools. @default unknown: needs of tools are not checked */
  readonly tools?: Iterable<string> | undefined;
}

/**
 * Reports the needs under `requires` that are not met, conflicts and cycles. `plugin-need-missing`
 * says what would satisfy a need; `plugin-conflict` and `plugin-need-cycle` name the plugins.
 * Nothing is installed and no plugin is refused: the host decides.
 */
export async function pluginNeeds({ plugins, skills, tools }: PluginSurroundings): Promise<readonly SkillDiagnostic[]> {
  const wanting = plugins
    .map(({ manifest }) => ({ manifest, extension: repertoireExtension(manifest) }))
    .filter(({ extension }) => extension !== nothingSaid);
  if (wanting.length === 0) return [];
  const present: Present = {
    skills,
    tools: tools && new Set(tools),
    plugins: new Map(plugins.map(({ manifest }) => [manifest.name, manifest.version ?? null])),
  };
  const diagnostics: SkillDiagnostic[] = [];
  const needed = new Map<string, readonly string[]>();
  for (const plugin of wanting) {
    const { manifest, extension } = plugin;
    const path = `${manifest.name}/plugin.json`;
    diagnostics.push(
      ...extension.diagnostics.map((diagnostic) => ({ ...diagnostic, path })),
      ...missingTools(plugin, present),
      ...(await missingVersions(plugin, present)),
      ...(await conflicts(plugin, present)),
    );
    needed.set(
      manifest.name,
      Object.keys(extension.requires.plugins).filter((name) => present.plugins.has(name)),
    );
  }
  return [...diagnostics, ...cyclesOf(needed).map(cycleDiagnostic)];
}

interface Present {
  readonly skills: PluginSurroundings['skills'];
  readonly tools: ReadonlySet<string> | undefined;
  /** Versions of the plugins, by name. */
  readonly plugins: ReadonlyMap<string, string | null>;
}

interface WantingPlugin {
  readonly manifest: Plugin['manifest'];
  readonly extension: ReturnType<typeof repertoireExtension>;
}

function missing({ name }: Plugin['manifest'], what: string, found: string, fix: string): SkillDiagnostic {
  const message = `Plugin ${JSON.stringify(name)} needs ${what}, and ${found}.`;
  return { code: 'plugin-need-missing', severity: 'warning', message, path: `${name}/plugin.json`, fix };
}

function missingTools({ manifest, extension: { requires } }: WantingPlugin, { tools }: Present): SkillDiagnostic[] {
  if (tools === undefined) return [];
  const all = requires.allTools
    .filter((tool) => !tools.has(tool))
    .map((tool) => JSON.stringify(tool))
    .map((tool) => missing(manifest, `the tool ${tool}`, 'the agent has none of that name', `Give the agent the tool ${tool}.`));
  const any = requires.anyTools
    .filter((group) => group.length > 0 && !group.some((tool) => tools.has(tool)))
    .map((group) => group.map((tool) => JSON.stringify(tool)).join(' or '))
    .map((names) => missing(manifest, `one of the tools ${names}`, 'the agent has none of them', `Give the agent ${names}.`));
  return [...all, ...any];
}

async function missingVersions({ manifest, extension: { requires } }: WantingPlugin, present: Present): Promise<SkillDiagnostic[]> {
  const diagnostics: SkillDiagnostic[] = [];
  for (const [name, range] of Object.entries(requires.skills)) {
    const versions = present.skills.filter((skill) => skill.name === name).map(({ version }) => version);
    if (await anyFits(versions, range)) continue;
    const skill = JSON.stringify(name);
    const fix = `Add a skill ${skill} of a version that fits ${range}.`;
    diagnostics.push(missing(manifest, `the skill ${skill} ${range}`, whatIsThere(versions), fix));
  }
  for (const [name, range] of Object.entries(requires.plugins)) {
    const versions = present.plugins.has(name) ? [present.plugins.get(name) ?? null] : [];
    if (await anyFits(versions, range)) continue;
    const plugin = JSON.stringify(name);
    const fix = `Add the plugin ${plugin} in a version that fits ${range}.`;
    diagnostics.push(missing(manifest, `the plugin ${plugin} ${range}`, whatIsThere(versions), fix));
  }
  return diagnostics;
}

async function conflicts({ manifest, extension: { requires } }: WantingPlugin, { plugins }: Present): Promise<SkillDiagnostic[]> {
  const diagnostics: SkillDiagnostic[] = [];
  for (const [name, range] of Object.entries(requires.conflicts)) {
    if (!plugins.has(name) || !(await anyFits([plugins.get(name) ?? null], range))) continue;
    const message = `Plugin ${JSON.stringify(manifest.name)} cannot be beside plugin ${JSON.stringify(name)} ${range}, which is here.`;
    const path = `${manifest.name}/plugin.json`;
    diagnostics.push({ code: 'plugin-conflict', severity: 'warning', message, path, fix: 'Remove one of them.' });
  }
  return diagnostics;
}

function cycleDiagnostic(cycle: readonly string[]): SkillDiagnostic {
  return {
    code: 'plugin-need-cycle',
    severity: 'info',
    message: `Plugins need each other: ${cycle.join(' needs ')}.`,
    path: `${cycle[0] ?? ''}/plugin.json`,
    fix: 'Merge them, or drop one of the needs.',
  };
}

function whatIsThere(versions: readonly (string | null)[]): string {
  return versions.length === 0
    ? 'there is none'
    : `there is only ${versions.map((version) => version ?? 'one without a version').join(', ')}`;
}

/** An invalid range matches no version. */
async function anyFits(versions: readonly (string | null)[], range: string): Promise<boolean> {
  if (range.trim() === '*' || versions.length === 0) return versions.length > 0;
  const { resolveVersion } = await import('@repertoire/skills-core/versions');
  try {
    return versions.some((version) => version !== null && resolveVersion([version], range) !== undefined);
  } catch {
    return false;
  }
}

/** Each cycle once, from its first plugin by name back to it. */
function cyclesOf(needed: ReadonlyMap<string, readonly string[]>): string[][] {
  const done = new Set<string>();
  const cycles: string[][] = [];
  for (const start of [...needed.keys()].sort()) {
    const stack = [{ name: start, next: 0 }];
    const path = new Set([start]);
    for (let top = stack.at(-1); top !== undefined; top = stack.at(-1)) {
      const name = done.has(top.name) ? undefined : needed.get(top.name)?.[top.next];
      top.next += 1;
      if (name === undefined) {
        done.add(top.name);
        path.delete(top.name);
        stack.pop();
      } else if (path.has(name)) {
        const names = stack.map((one) => one.name);
        cycles.push([...names.slice(names.indexOf(name)), name]);
      } else {
        path.add(name);
        stack.push({ name, next: 0 });
      }
    }
  }
  return cycles;
}
