import type { SkillDiagnostic } from '@repertoire/skills-core';
import {
  assertKnownOptions,
  fieldOf,
  isJsonObject,
  isShallow,
  type JsonObject,
  messageOf,
  type OptionRules,
  readLocalTools,
  readMcpServers,
} from '@repertoire/skills-core/internal';
import { CardReader, otherFields, preview } from '@repertoire/skills-core/internal';
import { readCardPath } from './card-path.ts';
import type { SkillCard, SkillCardExtension } from './skill-card.ts';

/** The most characters in the text of a card, and the most files that it lists. */
export const maxCardCharacters = 1_048_576;
const maxCardFiles = 10_000;

const knownFields = ['id', 'version', 'name', 'description', 'base_uri', 'files', 'mcps', 'local_tools', 'extensions'] as const;

/** Options of {@link parseSkillCard}. */
export interface ParseSkillCardOptions {
  /** Where the card is: stands in diagnostics. @default not known */
  readonly url?: string | undefined;
}

/** A parsed card, and what had to be repaired or left out. */
export interface ParsedSkillCard {
  /** `null` where an error stands in the diagnostics. */
  readonly card: SkillCard | null;
  readonly diagnostics: readonly SkillDiagnostic[];
}

const knownOptions: OptionRules<ParseSkillCardOptions> = {
  url: 'string',
};

/**
 * Reads a skill card, from its text or from JSON that is parsed already. An invalid part is left
 * out alone: a server without a URL is left out, a file that climbs out of the skill is not listed.
 * Only a card without an `id` or a `description` is no card. It never throws.
 *
 * Codes: `card-json`, `card-too-large` and `card-shape` for what is no card; `card-field`,
 * `card-file`, `card-mcp`, `card-local-tool` and `card-extension` for its parts.
 *
 * @example
 * ```ts
 * import { parseSkillCard } from '@repertoire/skill-cards';
 *
 * const { card, diagnostics } = parseSkillCard('{"id":"weather","version":"1.0.0","name":"Weather","description":"Current weather.","files":["SKILL.md"]}');
 * ```
 */
export function parseSkillCard(input: unknown, options: ParseSkillCardOptions = {}): ParsedSkillCard {
  assertKnownOptions('parseSkillCard', options, knownOptions);
  const reader = new CardReader(options.url);
  const json = typeof input === 'string' ? readJson(input, reader) : input;
  const card = json === undefined ? null : readShallowCard(json, reader);
  return { card, diagnostics: reader.diagnostics };
}

function readJson(text: string, reader: CardReader): unknown {
  if (text.length > maxCardCharacters) {
    const message = `The card has ${text.length} characters; at most ${maxCardCharacters} are read.`;
    reader.report('error', 'card-too-large', message, 'Move contents into files of the skill.');
    return undefined;
  }
  try {
    return JSON.parse(text.replace(/^\uFEFF/, ''));
  } catch (error) {
    const message = `The card is not JSON: ${messageOf(error)}.`;
    reader.report('error', 'card-json', message, 'Write valid JSON, without comments or trailing commas.');
    return undefined;
  }
}

function readShallowCard(json: unknown, reader: CardReader): SkillCard | null {
  if (isShallow(json)) return readCard(json, reader);
  reader.report('error', 'card-shape', 'The card is nested too deeply.', 'Keep it to a few levels of objects and lists.');
  return null;
}

function readCard(json: unknown, reader: CardReader): SkillCard | null {
  if (!isJsonObject(json)) {
    const message = `The card is not a JSON object: ${preview(json)}.`;
    reader.report('error', 'card-shape', message, 'Give an object with id, version, name, description, base_uri and files.');
    return null;
  }
  const id = reader.text(json, 'id', 'card');
  if (id !== undefined) reader.named(id);
  const version = reader.text(json, 'version', 'card');
  const name = reader.text(json, 'name', 'card');
  const description = reader.text(json, 'description', 'card');
  if (id === undefined || description === undefined) {
    for (const [field, value] of Object.entries({ id, description })) {
      if (value === undefined)
        reader.report('error', 'card-shape', `The card has no ${field}.`, `Add "${field}": a skill without it cannot be listed.`);
    }
    return null;
  }
  if (name === undefined) reader.report('info', 'card-field', 'The card has no name for people; its id is used.', 'Add "name".');
  return {
    id,
    ...(version !== undefined && { version }),
    name: name ?? id,
    description,
    baseUri: reader.text(json, 'base_uri', 'card') ?? '.',
    files: readFiles(json, reader),
    mcps: readMcpServers(json, reader),
    localTools: readLocalTools(json, reader),
    extensions: readExtensions(json, reader),
    ...otherFields(json, knownFields),
  };
}

function readFiles(json: JsonObject, reader: CardReader): string[] {
  if (fieldOf(json, 'files') === undefined) {
    reader.report('warning', 'card-file', 'The card lists no files; SKILL.md alone is assumed.', 'Add "files": ["SKILL.md"].');
    return ['SKILL.md'];
  }
  const listed = reader.textList(json, 'files', 'card');
  if (listed.length > maxCardFiles)
    reader.report('warning', 'card-file', `The card lists ${listed.length} files; the first ${maxCardFiles} are used.`);
  const files = new Set<string>();
  for (const file of listed.slice(0, maxCardFiles)) {
    const path = filePath(file, reader);
    if (path !== undefined) files.add(path);
  }
  if (!files.has('SKILL.md')) {
    const message = 'The card does not list SKILL.md, without which the skill cannot be loaded.';
    reader.report('warning', 'card-file', message, 'Add "SKILL.md" to "files".');
  }
  return [...files];
}

function filePath(file: string, reader: CardReader): string | undefined {
  const path = readCardPath(file);
  if (path === undefined) {
    const message = `The card lists ${preview(file)}, which is no path inside the skill. It is left out.`;
    reader.report('warning', 'card-file', message, 'Give paths relative to base_uri, without "..".');
  }
  return path;
}

function readExtensions(json: JsonObject, reader: CardReader): SkillCardExtension[] {
  const value = fieldOf(json, 'extensions');
  if (value === undefined || value === null) return [];
  if (!Array.isArray(value)) {
    const message = `card.extensions is not a list: ${preview(value)}. It is ignored.`;
    reader.report('warning', 'card-extension', message, 'Give a list of objects with a uri.');
    return [];
  }
  return value.flatMap((entry: unknown, index): SkillCardExtension[] => {
    const where = `card.extensions[${index}]`;
    const uri = isJsonObject(entry) ? reader.text(entry, 'uri', where) : undefined;
    if (!isJsonObject(entry) || uri === undefined) {
      const message = `${where} has no uri: ${preview(entry)}. It is left out.`;
      reader.report('warning', 'card-extension', message, 'Give a uri that identifies the extension.');
      return [];
    }
    const description = reader.text(entry, 'description', where);
    const [required, params] = [fieldOf(entry, 'required'), fieldOf(entry, 'params')];
    if (required !== undefined && typeof required !== 'boolean') {
      // Taken for yes: whoever wrote something there wants readers to be careful.
      reader.report('warning', 'card-extension', `${where}.required is not true or false: ${preview(required)}. It is read as true.`);
    }
    if (params !== undefined && params !== null && !isJsonObject(params))
      reader.report('warning', 'card-extension', `${where}.params is not an object: ${preview(params)}. It is ignored.`);
    return [
      {
        uri,
        ...(description !== undefined && { description }),
        required: required !== undefined && required !== false,
        ...(isJsonObject(params) && { params }),
      },
    ];
  });
}
