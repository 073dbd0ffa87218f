import { fieldOf, isJsonObject, type JsonObject } from '@repertoire/skills-core/internal';

/** What a plugin needs from its surroundings. */
export interface PluginRequires {
  /** Tools that must all be there. */
  readonly allTools: readonly string[];
  /** Groups of tools. At least one tool of each group must be there. */
  readonly anyTools: readonly (readonly string[])[];
  /** Ranges of versions by the name of a skill: `haiku`, or `poems:haiku`. */
  readonly skills: Readonly<Record<string, string>>;
  /** Ranges of versions by the name of a plugin. */
  readonly plugins: Readonly<Record<string, string>>;
  /** Plugins that it conflicts with, with ranges of versions. */
  readonly conflicts: Readonly<Record<string, string>>;
}

const shape =
  '{ "tools": ["a"] or { "all": ["a"], "any": ["b", "c"] }, "skills": { "name": "^1.0" }, "plugins": { "name": "*" }, "conflicts": { "name": "<2" } }';

/** Reads `requires`. An invalid part requires nothing, and is reported. */
export function readRequires(value: unknown, wrong: (field: string, wanted: string) => void): PluginRequires {
  const requires = value === undefined ? {} : value;
  const none: PluginRequires = { allTools: [], anyTools: [], skills: {}, plugins: {}, conflicts: {} };
  const bad = (): PluginRequires => {
    wrong('requires', shape);
    return none;
  };
  if (!isJsonObject(requires) || Object.keys(requires).some((field) => !['tools', 'skills', 'plugins', 'conflicts'].includes(field)))
    return bad();
  const tools = readTools(fieldOf(requires, 'tools'));
  const [skills, plugins, conflicts] = [readRanges(requires, 'skills'), readRanges(requires, 'plugins'), readRanges(requires, 'conflicts')];
  if (tools === null || skills === null || plugins === null || conflicts === null) return bad();
  return { ...tools, skills, plugins, conflicts };
}

function readTools(tools: unknown): Pick<PluginRequires, 'allTools' | 'anyTools'> | null {
  if (tools === undefined) return { allTools: [], anyTools: [] };
  if (isTextList(tools)) return { allTools: tools, anyTools: [] };
  if (!isJsonObject(tools) || Object.keys(tools).some((field) => field !== 'all' && field !== 'any')) return null;
  const [all, any] = [fieldOf(tools, 'all') ?? [], fieldOf(tools, 'any') ?? []];
  if (!isTextList(all)) return null;
  if (isTextList(any)) return { allTools: all, anyTools: any.length === 0 ? [] : [any] };
  return Array.isArray(any) && any.every(isTextList) ? { allTools: all, anyTools: any } : null;
}

function readRanges(requires: JsonObject, field: string): Readonly<Record<string, string>> | null {
  const ranges = fieldOf(requires, field) ?? {};
  if (isTextList(ranges)) return Object.fromEntries(ranges.map((name) => [name, '*']));
  return isJsonObject(ranges) && Object.values(ranges).every((range) => typeof range === 'string')
    ? (ranges as Record<string, string>)
    : null;
}

function isTextList(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((one) => typeof one === 'string');
}
