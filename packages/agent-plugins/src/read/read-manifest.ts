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
  const diagnostics: SkillDiagnostic[] = [];
  let refused = false;
  const refuse = (code: PluginRuleCode, message: string, fix: string): void => {
    refused = true;
    diagnostics.push(deviation(code, 'error', `The plugin is refused: ${message}`, { path, fix }));
  };
  if (!isJsonObject(value)) {
    refuse('plugin-manifest-json', 'plugin.json is no object.', 'Write an object with $schema and name.');
    return { manifest: null, diagnostics };
  }
  const schema = fieldOf(value, '$schema');
  const standard = versionOfSchema(schema, 'plugin');
  if (standard === null) {
    refuse(
      'plugin-schema',
      schema === undefined ? '$schema is missing.' : `$schema is ${JSON.stringify(schema)}, which is no version that is known here.`,
      'Write "https://agent-plugins.org/schemas/1.0.0/plugin.schema.json".',
    );
  }
  diagnostics.push(...unknownFields(value, standard));
  const name = fieldOf(value, 'name');
  if (typeof name !== 'string' || !isPluginName(name)) {
    const shown = name === undefined ? 'missing' : JSON.stringify(name);
    refuse('plugin-name', `name is ${shown}.`, 'Give it a name of a-z, 0-9, single hyphens and single periods, such as "acme.billing".');
  }
  const wrong = (field: string, wanted: string): void =>
    refuse(
      'plugin-field-type',
      `${field} is ${JSON.stringify(fieldOf(value, field))}, and ${wanted}.`,
      `Write ${wanted.replace(/^it has to be /, '')}.`,
    );

  const texts: Partial<Record<(typeof textFields)[number] | 'displayName', string>> = {};
  for (const field of [...textFields, ...(standard === '1.1.0' ? (['displayName'] as const) : [])]) {
    const text = fieldOf(value, field);
    if (typeof text === 'string') texts[field] = text;
    else if (text !== undefined) wrong(field, 'it has to be text');
  }
  const keywords = fieldOf(value, 'keywords');
  if (keywords !== undefined && !isTextList(keywords)) wrong('keywords', 'it has to be a list of texts');
  const author = fieldOf(value, 'author');
  if (author !== undefined && !isAuthor(author))
    wrong('author', 'it has to be an object of the texts name, email and url, and nothing else');
  const icon = standard === '1.1.0' ? fieldOf(value, 'icon') : undefined;
  if (icon !== undefined && typeof icon !== 'string') wrong('icon', 'it has to be text');
  const isIcon = typeof icon === 'string' && isInsidePath(icon);
  if (typeof icon === 'string' && !isIcon) diagnostics.push(iconIgnored(icon));
  const extensions = readExtensions(value, diagnostics);
  if (refused || typeof name !== 'string') return { manifest: null, diagnostics };
  return {
    manifest: {
      standard,
      name,
      ...texts,
      ...(isIcon && { icon }),
      ...(isTextList(keywords) && { keywords }),
      ...(isAuthor(author) && { author }),
      extensions,
    },
    diagnostics,
  };
}

function unknownFields(value: JsonObject, standard: AgentPluginsVersion | null): SkillDiagnostic[] {
  const fix = 'Remove it, or put it under extensions, into a namespace of your own.';
  return Object.keys(value)
    .filter((field) => !isKnownField(field, standard))
    .map((field) => `plugin.json has the field ${JSON.stringify(field)}, which is ignored.`)
    .map((message) => deviation('plugin-field-unknown', 'warning', message, { path, fix }));
}

function iconIgnored(icon: string): SkillDiagnostic {
  const message = `icon is ${JSON.stringify(icon)}, which is ignored.`;
  return deviation('plugin-icon', 'warning', message, { path, fix: 'Write a path such as "./icon.png".' });
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

function isTextList(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((one) => typeof one === 'string');
}

function isAuthor(value: unknown): value is PluginAuthor {
  if (!isJsonObject(value)) return false;
  return Object.entries(value).every(([field, text]) => ['name', 'email', 'url'].includes(field) && typeof text === 'string');
}
