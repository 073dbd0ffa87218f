import type { SkillDiagnostic, SkillMetadata } from '../../contract/skill-provider.ts';
import type { JsonObject } from '../../contract/json-object.ts';
import { CardReader, otherFields, preview } from './card-reader.ts';
import type { SkillCardLocalTool } from './skill-card-local-tool.ts';
import type { SkillCardMcpServer } from './skill-card-mcp-server.ts';

/** Spellings of the transports, as cards and client libraries have them. */
const transports: Readonly<Record<string, SkillCardMcpServer['transport']>> = {
  stdio: 'stdio',
  sse: 'sse',
  'streamable-http': 'streamable-http',
  streamable_http: 'streamable-http',
  streamableHttp: 'streamable-http',
  http: 'streamable-http',
};

/** Tools that come with a skill, as data. */
export interface SkillCardTools {
  readonly mcps: Readonly<Record<string, SkillCardMcpServer>>;
  readonly localTools: Readonly<Record<string, SkillCardLocalTool>>;
  /** What could not be read. */
  readonly diagnostics: readonly SkillDiagnostic[];
}

/**
 * Returns the servers and local tools of a skill: those of its card (a provider that reads cards
 * keeps them in `fields`), or the fields `mcps` and `local_tools` of its own frontmatter. An
 * adapter connects and imports them while the skill is loaded, and only where
 * `skill.origin.trusted` is true.
 *
 * @example
 * ```ts
 * import type { SkillMetadata } from '@repertoire/skills-core';
 * import { cardToolsOf } from '@repertoire/skills-core/adapter';
 *
 * export const serversOf = (skill: SkillMetadata): string[] => Object.keys(cardToolsOf(skill).mcps);
 * ```
 */
export function cardToolsOf(skill: Pick<SkillMetadata, 'name' | 'fields'>): SkillCardTools {
  const reader = new CardReader(undefined);
  reader.named(skill.name);
  const fields: JsonObject = skill.fields ?? {};
  return { mcps: readMcpServers(fields, reader), localTools: readLocalTools(fields, reader), diagnostics: reader.diagnostics };
}

/** The servers of a card; what is none is left out and reported. */
export function readMcpServers(card: JsonObject, reader: CardReader): Record<string, SkillCardMcpServer> {
  return Object.fromEntries(
    reader.objects(card, 'mcps', 'card').flatMap(([key, entry]) => {
      const server = readMcpServer(key, entry, reader);
      return server === undefined ? [] : [[key, server]];
    }),
  );
}

/** The tools of a card from the host's own code; what is none is left out and reported. */
export function readLocalTools(card: JsonObject, reader: CardReader): Record<string, SkillCardLocalTool> {
  return Object.fromEntries(
    reader.objects(card, 'local_tools', 'card').flatMap(([key, entry]) => {
      const where = `card.local_tools.${key}`;
      const importPath = reader.text(entry, 'import_path', where);
      if (importPath === undefined) {
        reader.report(
          'warning',
          'card-local-tool',
          `${where} has no import_path. It is left out.`,
          'Give one such as "./tools.js#getWeather".',
        );
        return [];
      }
      return [[key, { ...identity(key, entry, where, reader), importPath, ...otherFields(entry, ['id', 'version', 'import_path']) }]];
    }),
  );
}

function readMcpServer(key: string, entry: JsonObject, reader: CardReader): SkillCardMcpServer | undefined {
  const where = `card.mcps.${key}`;
  const command = reader.text(entry, 'command', where);
  const url = reader.text(entry, 'url', where);
  const written = reader.text(entry, 'transport', where);
  const transport =
    written === undefined
      ? command === undefined
        ? 'streamable-http'
        : 'stdio'
      : Object.hasOwn(transports, written)
        ? transports[written]
        : undefined;
  if (transport === undefined) {
    reader.report(
      'warning',
      'card-mcp',
      `${where} has the transport ${preview(written)}, which does not exist. It is left out.`,
      'Use "stdio", "sse" or "streamable-http".',
    );
    return undefined;
  }
  if (written === undefined)
    reader.report('info', 'card-mcp', `${where} names no transport; ${transport} is assumed.`, `Add "transport": "${transport}".`);
  const common = identity(key, entry, where, reader);

  if (transport === 'stdio') {
    if (command === undefined) {
      reader.report(
        'warning',
        'card-mcp',
        `${where} is a stdio server without a command. It is left out.`,
        'Give the command that starts it.',
      );
      return undefined;
    }
    const cwd = reader.text(entry, 'cwd', where);
    return {
      ...common,
      transport,
      command,
      args: reader.textList(entry, 'args', where),
      env: reader.textMap(entry, 'env', where),
      ...(cwd !== undefined && { cwd }),
      ...otherFields(entry, ['id', 'version', 'transport', 'command', 'args', 'env', 'cwd']),
    };
  }
  if (url === undefined || !/^https?:\/\//i.test(url) || !URL.canParse(url)) {
    reader.report('warning', 'card-mcp', `${where} has no usable url: ${preview(url)}. It is left out.`, 'Give an absolute https: URL.');
    return undefined;
  }
  return {
    ...common,
    transport,
    url,
    headers: reader.textMap(entry, 'headers', where),
    ...otherFields(entry, ['id', 'version', 'transport', 'url', 'headers']),
  };
}

function identity(key: string, entry: JsonObject, where: string, reader: CardReader): { readonly id: string; readonly version?: string } {
  const version = reader.text(entry, 'version', where);
  return { id: reader.text(entry, 'id', where) ?? key.trim(), ...(version !== undefined && { version }) };
}
