import type { SkillCardLocalTool, SkillCardMcpServer } from '@repertoire/skills-core/internal';
import { writeCardPath } from './card-path.ts';
import type { SkillCard } from './skill-card.ts';

/**
 * Returns the text of a card: two spaces of indent, a line end at its end, the fields of the format
 * first and in a fixed order, everything else by name. The same card gives the same bytes, and
 * `parseSkillCard` reads the same card from them.
 *
 * @example
 * ```ts
 * import { parseSkillCard, serializeSkillCard } from '@repertoire/skill-cards';
 *
 * export function tidy(text: string): string {
 *   const { card } = parseSkillCard(text);
 *   return card === null ? text : serializeSkillCard(card);
 * }
 * ```
 */
export function serializeSkillCard(card: SkillCard): string {
  const json = withFields(
    {
      id: card.id,
      version: card.version,
      name: card.name,
      description: card.description,
      base_uri: card.baseUri,
      files: card.files.map(writeCardPath),
      mcps: sortedMap(card.mcps, serverJson),
      local_tools: sortedMap(card.localTools, toolJson),
      extensions: card.extensions.map(({ uri, description, required, params }) => ({
        uri,
        description,
        required,
        params: params === undefined ? undefined : sorted(params),
      })),
    },
    card.other,
  );
  return `${JSON.stringify(json, null, 2)}\n`;
}

function serverJson(server: SkillCardMcpServer): object {
  const { id, version, transport } = server;
  const rest =
    server.transport === 'stdio'
      ? { command: server.command, args: server.args, env: sorted(server.env), cwd: server.cwd }
      : { url: server.url, headers: sorted(server.headers) };
  return withFields({ id, version, transport, ...rest }, server.other);
}

function toolJson({ id, version, importPath, other }: SkillCardLocalTool): object {
  return withFields({ id, version, import_path: importPath }, other);
}

/**
 * Fields of the format win over others of the same name, which only a card that was made by hand
 * can have.
 */
function withFields(fields: Readonly<Record<string, unknown>>, other: Readonly<Record<string, unknown>> = {}): object {
  const rest = Object.entries(sorted(other) as object).filter(([name]) => !Object.hasOwn(fields, name));
  return Object.fromEntries([...Object.entries(fields), ...rest]);
}

function sortedMap<Value>(map: Readonly<Record<string, Value>>, write: (value: Value) => object): object {
  return Object.fromEntries(sortedEntries(map).map(([key, value]) => [key, write(value)]));
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(sortedEntries(value as Record<string, unknown>).map(([key, entry]) => [key, sorted(entry)]));
}

function sortedEntries<Value>(map: Readonly<Record<string, Value>>): [string, Value][] {
  return Object.entries(map).toSorted(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0));
}
