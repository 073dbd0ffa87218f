import { fieldOf, isJsonObject, type JsonObject } from '@repertoire/skills-core/internal';
import type { SkillDiagnostic } from '@repertoire/skills-core';
import type { PluginManifest } from './plugin-manifest.ts';
import { insidePath } from './plugin-path.ts';
import { readRequires, type PluginRequires } from './plugin-requires.ts';

/** The namespace of our extension. It never changes. */
const repertoireNamespace = 'dev.repertoire';

/** What a plugin says under `extensions["dev.repertoire"]`. */
export interface RepertoireExtension {
  readonly requires: PluginRequires;
  /** Tools that each server may bring; `null` without declared permissions. */
  readonly tools: ReadonlyMap<string, readonly string[]> | null;
  /** Secrets that servers need: where each goes, by its name. */
  readonly secrets: ReadonlyMap<
    string,
    { readonly env: Readonly<Record<string, string>>; readonly headers: Readonly<Record<string, string>> }
  >;
  /** Files with evaluations, from the root of the plugin. */
  readonly tests: readonly string[];
  readonly diagnostics: readonly SkillDiagnostic[];
}

/** Reads the namespace. What is malformed is reported; malformed permissions permit nothing. */
export function repertoireExtension(manifest: PluginManifest): RepertoireExtension {
  const known = extensionsRead.get(manifest) ?? readExtension(manifest);
  extensionsRead.set(manifest, known);
  return known;
}

const extensionsRead = new WeakMap<PluginManifest, RepertoireExtension>();

/** The extension of a plugin that does not use the namespace. */
export const nothingSaid: RepertoireExtension = {
  requires: readRequires(undefined, () => {}),
  tools: null,
  secrets: new Map(),
  tests: [],
  diagnostics: [],
};

function readExtension({ extensions, name }: PluginManifest): RepertoireExtension {
  const diagnostics: SkillDiagnostic[] = [];
  const wrong = (field: string, wanted: string): void => {
    diagnostics.push({
      code: 'plugin-repertoire',
      severity: 'warning',
      message: `Plugin ${JSON.stringify(name)}: ${field} under ${repertoireNamespace} is not understood: it has to be ${wanted}.`,
      path: 'plugin.json',
      fix: 'Correct it; docs/guide/plugins.md shows its form.',
    });
  };
  const own = fieldOf(extensions, repertoireNamespace);
  if (own === undefined) return nothingSaid;
  if (!isJsonObject(own)) wrong('the value', 'an object');
  const value = isJsonObject(own) ? own : {};
  for (const field of Object.keys(value))
    if (!['requires', 'permissions', 'secrets', 'tests'].includes(field)) wrong(field, 'one of requires, permissions, secrets, tests');
  return {
    requires: readRequires(fieldOf(value, 'requires'), wrong),
    tools: readTools(value, wrong),
    secrets: readSecrets(value, wrong),
    tests: readTests(value, wrong),
    diagnostics,
  };
}

function readTools(value: JsonObject, wrong: (field: string, wanted: string) => void): RepertoireExtension['tools'] {
  const permissions = fieldOf(value, 'permissions');
  if (permissions === undefined) return null;
  const tools = isJsonObject(permissions) ? fieldOf(permissions, 'tools') : undefined;
  if (!isJsonObject(tools) || !Object.values(tools).every(isTextList)) {
    wrong('permissions', '{ "tools": { "server": ["tool"] } }');
    return new Map();
  }
  return new Map(Object.entries(tools) as [string, string[]][]);
}

function readSecrets(value: JsonObject, wrong: (field: string, wanted: string) => void): RepertoireExtension['secrets'] {
  const secrets = fieldOf(value, 'secrets') ?? {};
  const read = new Map<string, { env: Record<string, string>; headers: Record<string, string> }>();
  const texts = (part: unknown): Record<string, string> | null =>
    isJsonObject(part) && Object.values(part).every((one) => typeof one === 'string') ? (part as Record<string, string>) : null;
  for (const [server, places] of isJsonObject(secrets) ? Object.entries(secrets) : []) {
    const env = isJsonObject(places) ? texts(fieldOf(places, 'env') ?? {}) : null;
    const headers = isJsonObject(places) ? texts(fieldOf(places, 'headers') ?? {}) : null;
    if (env === null || headers === null)
      wrong('secrets', '{ "server": { "env": { "NAME": "secret" }, "headers": { "Name": "secret" } } }');
    else read.set(server, { env, headers });
  }
  if (!isJsonObject(secrets)) wrong('secrets', 'an object');
  return read;
}

function readTests(value: JsonObject, wrong: (field: string, wanted: string) => void): readonly string[] {
  const tests = fieldOf(value, 'tests') ?? [];
  const paths = Array.isArray(tests) ? tests.map((path: unknown) => (typeof path === 'string' ? insidePath(path) : null)) : [null];
  if (paths.some((path) => path === null || path === '')) wrong('tests', 'a list of files, such as ["./tests/evals.json"]');
  return paths.filter((path): path is string => path !== null && path !== '');
}

function isTextList(value: unknown): value is string[] {
  return Array.isArray(value) && value.every((one) => typeof one === 'string');
}
