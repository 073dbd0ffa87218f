import type { SkillDiagnostic } from '@repertoire/skills-core';
import { fieldOf, isJsonObject, type JsonObject } from '@repertoire/skills-core/internal';
import { isPluginName, versionOfSchema, type AgentPluginsVersion, type PluginAuthor, type PluginManifest } from './plugin-manifest.ts';
import { isInsidePath } from './plugin-path.ts';
import { deviation, type PluginRuleCode } from './plugin-rules.ts';

/** A manifest, or `null` for one that refuses the plugin, with everything that is wrong. */
export interface ReadManifest {
  readonly manifest: PluginManifest | null;
  readonly diagnostics: readonly SkillDiagnostic[];
}

const textFields = ['version', 'description', 'homepage', 'repository', 'license'] as const;
const path = 'plugin.json';

/** Reads the value of a `plugin.json` by sections 5 and 8.1 of the standard. */
export function readManifest(value: unknown): ReadManifest {
  const log = new ManifestLog();
  const { diagnostics } = log;
  if (!isJsonObject(value)) {
    log.refuse('plugin-manifest-json', 'plugin.json is no object.', 'Write an object with $schema and name.');
    return { manifest: null, diagnostics };
  }
  const standard = readStandard(value, log);
  diagnostics.push(...unknownFields(value, standard));
  const name = readName(value, log);
  const texts: Partial<Record<(typeof textFields)[number] | 'displayName', string>> = {};
  for (const field of [...textFields, ...(standard === '1.1.0' ? (['displayName'] as const) : [])]) {
    const text = readField(value, field, isText, 'it has to be text', log);
    if (text !== undefined) texts[field] = text;
  }
  const keywords = readField(value, 'keywords', isTextList, 'it has to be a list of texts', log);
  const author = readField(value, 'author', isAuthor, 'it has to be an object of the texts name, email and url, and nothing else', log);
  const icon = standard === '1.1.0' ? readIcon(value, log) : undefined;
  const extensions = readExtensions(value, diagnostics);
  if (log.refused || name === null) return { manifest: null, diagnostics };
  return {
    manifest: {
      standard,
      name,
      ...texts,
      ...(icon !== undefined && { icon }),
      ...(keywords !== undefined && { keywords }),
      ...(author !== undefined && { author }),
      extensions,
    },
    diagnostics,
  };
}

class ManifestLog {
  readonly diagnostics: SkillDiagnostic[] = [];
  refused = false;

  refuse(code: PluginRuleCode, message: string, fix: string): void {
    this.refused = true;
    this.diagnostics.push(deviation(code, 'error', `The plugin is refused: ${message}`, { path, fix }));
  }
}

function readStandard(value: JsonObject, log: ManifestLog): AgentPluginsVersion | null {
  const schema = fieldOf(value, '$schema');
  const standard = versionOfSchema(schema, 'plugin');
  if (standard === null) {
    log.refuse(
      'plugin-schema',
      schema === undefined ? '$schema is missing.' : `$schema is ${JSON.stringify(schema)}, which is no version that is known here.`,
      'Write "https://agent-plugins.org/schemas/1.0.0/plugin.schema.json".',
    );
  }
  return standard;
}

function readName(value: JsonObject, log: ManifestLog): string | null {
  const name = fieldOf(value, 'name');
  if (isText(name) && isPluginName(name)) return name;
  const shown = name === undefined ? 'missing' : JSON.stringify(name);
  log.refuse('plugin-name', `name is ${shown}.`, 'Give it a name of a-z, 0-9, single hyphens and single periods, such as "acme.billing".');
  return null;
}

/** A field that may be absent; one of another type refuses the plugin. */
function readField<Value>(
  object: JsonObject,
  field: string,
  isWanted: (value: unknown) => value is Value,
  wanted: string,
  log: ManifestLog,
): Value | undefined {
  const value: unknown = fieldOf(object, field);
  if (value === undefined || isWanted(value)) return value;
  log.refuse('plugin-field-type', `${field} is ${JSON.stringify(value)}, and ${wanted}.`, `Write ${wanted.replace(/^it has to be /, '')}.`);
  return undefined;
}

function readIcon(value: JsonObject, log: ManifestLog): string | undefined {
  const icon = readField(value, 'icon', isText, 'it has to be text', log);
  if (icon === undefined || isInsidePath(icon)) return icon;
  const message = `icon is ${JSON.stringify(icon)}, which is ignored.`;
  log.diagnostics.push(deviation('plugin-icon', 'warning', message, { path, fix: 'Write a path such as "./icon.png".' }));
  return undefined;
}

function unknownFields(value: JsonObject, standard: AgentPluginsVersion | null): SkillDiagnostic[] {
  const fix = 'Remove it, or put it under extensions, into a namespace of your own.';
  return Object.keys(value)
    .filter((field) => !isKnownField(field, standard))
    .map((field) => `plugin.json has the field ${JSON.stringify(field)}, which is ignored.`)
    .map((message) => deviation('plugin-field-unknown', 'warning', message, { path, fix }));
}

/** Namespaces are for their clients, so they are not checked here. */
function readExtensions(value: JsonObject, diagnostics: SkillDiagnostic[]): JsonObject {
  const extensions = fieldOf(value, 'extensions');
  if (extensions === undefined || isJsonObject(extensions)) return extensions ?? {};
  diagnostics.push(
    deviation('plugin-extensions', 'warning', `extensions is ${JSON.stringify(extensions)}, which is ignored.`, {
      path,
      fix: 'Write an object of objects by namespace.',
    }),
  );
  return {};
}

function isKnownField(field: string, standard: AgentPluginsVersion | null): boolean {
  if (['$schema', 'name', 'author', 'keywords', 'extensions', ...textFields].includes(field)) return true;
  return standard === '1.1.0' && (field === 'displayName' || field === 'icon');
}

function isText(value: unknown): value is string {
  return typeof value === 'string';
}

function isTextList(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every(isText);
}

function isAuthor(value: unknown): value is PluginAuthor {
  if (!isJsonObject(value)) return false;
  return Object.entries(value).every(([field, text]) => ['name', 'email', 'url'].includes(field) && typeof text === 'string');
}
