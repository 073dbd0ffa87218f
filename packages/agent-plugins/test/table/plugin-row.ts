import { manifestOf, mcpOf, skillOf } from '../support/plugins.ts';

/** A file, or a link to a path from where it lies. What is below `bin/` can be executed. */
export type RowFile = string | { readonly link: string };

/** A plugin, and what each framework makes of it. */
export interface PluginRow {
  /** Its folder; its name too, unless the manifest says another. */
  readonly name: string;
  /** The rule, as a sentence about the plugin. */
  readonly about: string;
  readonly files: Readonly<Record<string, RowFile>>;
  /** Where it lies. `untrusted`: in a folder that the host does not trust. @default 'folder' */
  readonly place?: 'folder' | 'untrusted' | 'bundle' | 'archive';
  /** Its skills by the names that a model loads them by. @default one of its name */
  readonly skills?: readonly string[];
  /** Its tools, with a part of what each answers: `{root}` and `{data}` are its folders. */
  readonly tools?: Readonly<Record<string, string>>;
  /** Codes of all that is reported about it. */
  readonly reports?: readonly string[];
  /** What lies in its PLUGIN_DATA before anything is started. */
  readonly data?: Readonly<Record<string, RowFile>>;
  /** Servers that the host does not allow. */
  readonly notAllowed?: readonly string[];
}

/** What rows need of the server that runs. */
export interface RowServers {
  readonly url: string;
}

/** The files of a plugin that conforms, with one skill of its name. `undefined` leaves one out. */
export function filesOf(name: string, more: Readonly<Record<string, RowFile | undefined>> = {}): Record<string, RowFile> {
  const all = { 'plugin.json': manifestOf(name), [`skills/${name}/SKILL.md`]: skillOf(name), ...more };
  return Object.fromEntries(Object.entries(all).filter((entry): entry is [string, RowFile] => entry[1] !== undefined));
}

/** A plugin with these servers, beside which the program of all stdio servers lies. */
export function withServers(
  name: string,
  servers: Readonly<Record<string, unknown>>,
  more: Readonly<Record<string, RowFile | undefined>> = {},
): Record<string, RowFile> {
  return filesOf(name, { 'mcp.json': mcpOf(servers), 'bin/server': serverProgram, ...more });
}

/** A server that is the program, with the tool that it brings and what it is started with. */
export function program(tool: string, args: readonly string[] = [], more: Readonly<Record<string, unknown>> = {}): object {
  return { type: 'stdio', command: 'sh', args: ['${PLUGIN_ROOT}/bin/server', tool, ...args], ...more };
}

/**
 * An MCP server for the shell, which starts in a millisecond. Its first argument names its tool,
 * which answers what it was started with.
 */
export const serverProgram: string = `#!/bin/sh
tool=$1
shift
about="args=$(IFS='|'; printf '%s' "$*") cwd=$(pwd -P) word=$WORD root=$PLUGIN_ROOT data=$PLUGIN_DATA."
while IFS= read -r line; do
  id=\${line##*\\"id\\":}
  id=\${id%%[,\\}]*}
  case $line in
    *'"method":"initialize"'*)
      version=\${line#*\\"protocolVersion\\":\\"}
      result='{"protocolVersion":"'\${version%%\\"*}'","capabilities":{"tools":{}},"serverInfo":{"name":"server","version":"1.0.0"}}' ;;
    *'"method":"tools/list"'*) result='{"tools":[{"name":"'$tool'","description":"Tells.","inputSchema":{"type":"object","properties":{}}}]}' ;;
    *'"method":"tools/call"'*) result='{"content":[{"type":"text","text":"'$about'"}]}' ;;
    *'"method":"notifications/'*) continue ;;
    *) printf '{"jsonrpc":"2.0","id":%s,"error":{"code":-32601,"message":"No such method"}}\\n' "$id"; continue ;;
  esac
  printf '{"jsonrpc":"2.0","id":%s,"result":%s}\\n' "$id" "$result"
done
`;
