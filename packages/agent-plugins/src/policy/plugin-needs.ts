import type { SkillDiagnostic, SkillMetadata } from '@repertoire/skills-core';
import type { Plugin } from '../read/read-plugin.ts';
import { repertoireExtension } from '../read/repertoire-extension.ts';

/** What is there to satisfy needs. */
export interface PluginSurroundings {
  readonly plugins: readonly Pick<Plugin, 'manifest'>[];
  /** Skills by the names that they are listed by. */
  readonly skills: readonly Pick<SkillMetadata, 'name' | 'version'>[];
  /** Names of the tools of the agent. @default not known, and then needs of tools are not looked at */
  readonly tools?: Iterable<string> | undefined;
}

/**
 * What plugins need under `requires` and do not have, and what contradicts each other: `plugin-need-missing` says what would satisfy a need, `plugin-conflict` and
 * `plugin-need-cycle` name the plugins. Nothing is installed and nothing is refused for it: the host decides.
 *
 * @example
 * ```ts
 * import { pluginNeeds, type PluginProvider } from '@repertoire/agent-plugins';
 *
 * export async function problems(provider: PluginProvider, tools: readonly string[]): Promise<string[]> {
 *   const [plugins, { skills }] = await Promise.all([provider.listPlugins(), provider.listSkills()]);
 *   return (await pluginNeeds({ plugins, skills, tools })).map(({ message }) => message);
 * }
 * ```
 */
export async function pluginNeeds({ plugins, skills, tools }: PluginSurroundings): Promise<readonly SkillDiagnostic[]> {
  const diagnostics: SkillDiagnostic[] = [];
  const wanting = plugins.map(({ manifest }) => ({ manifest, extension: repertoireExtension(manifest) }));
  const available = tools && new Set(tools);
  const installed = new Map(plugins.map(({ manifest }) => [manifest.name, manifest.version ?? null]));
  const needed = new Map<string, readonly string[]>();
  for (const { manifest, extension } of wanting) {
    const { requires } = extension;
    const about = { path: `${manifest.name}/plugin.json` };
    diagnostics.push(...extension.diagnostics.map((diagnostic) => ({ ...diagnostic, ...about })));
    const missing = (what: string, found: string, fix: string): void => {
      const message = `Plugin ${JSON.stringify(manifest.name)} needs ${what}, and ${found}.`;
      diagnostics.push({ code: 'plugin-need-missing', severity: 'warning', message, ...about, fix });
    };
    for (const tool of available === undefined ? [] : requires.allTools) {
      if (available?.has(tool) === false)
        missing(`the tool ${JSON.stringify(tool)}`, 'the agent has none of that name', `Give the agent the tool ${JSON.stringify(tool)}.`);
    }
    for (const group of available === undefined ? [] : requires.anyTools) {
      const names = group.map((tool) => JSON.stringify(tool)).join(' or ');
      if (group.length > 0 && !group.some((tool) => available?.has(tool)))
        missing(`one of the tools ${names}`, 'the agent has none of them', `Give the agent ${names}.`);
    }
    for (const [name, range] of Object.entries(requires.skills)) {
      const versions = skills.filter((skill) => skill.name === name).map(({ version }) => version);
      if (!(await anyFits(versions, range)))
        missing(
          `the skill ${JSON.stringify(name)} ${range}`,
          whatIsThere(versions),
          `Add a skill ${JSON.stringify(name)} of a version that fits ${range}.`,
        );
    }
    for (const [name, range] of Object.entries(requires.plugins)) {
      const versions = installed.has(name) ? [installed.get(name) ?? null] : [];
      if (!(await anyFits(versions, range)))
        missing(
          `the plugin ${JSON.stringify(name)} ${range}`,
          whatIsThere(versions),
          `Add the plugin ${JSON.stringify(name)} in a version that fits ${range}.`,
        );
    }
    for (const [name, range] of Object.entries(requires.conflicts)) {
      if (!installed.has(name) || !(await anyFits([installed.get(name) ?? null], range))) continue;
      const message = `Plugin ${JSON.stringify(manifest.name)} cannot be beside plugin ${JSON.stringify(name)} ${range}, which is here.`;
      diagnostics.push({ code: 'plugin-conflict', severity: 'warning', message, ...about, fix: 'Remove one of them.' });
    }
    needed.set(
      manifest.name,
      Object.keys(requires.plugins).filter((name) => installed.has(name)),
    );
  }
  for (const cycle of cyclesOf(needed)) {
    const message = `Plugins need each other: ${cycle.join(' needs ')}.`;
    diagnostics.push({
      code: 'plugin-need-cycle',
      severity: 'info',
      message,
      path: `${cycle[0] ?? ''}/plugin.json`,
      fix: 'Merge them, or drop one of the needs.',
    });
  }
  return diagnostics;
}

function whatIsThere(versions: readonly (string | null)[]): string {
  return versions.length === 0
    ? 'there is none'
    : `there is only ${versions.map((version) => version ?? 'one without a version').join(', ')}`;
}

/** A range that cannot be read fits nothing. */
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
