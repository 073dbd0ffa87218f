import { messageOf } from '@repertoire/skills-core/internal';
import { SkillError, type SkillProvider } from '@repertoire/skills-core';
import { importOptional } from '../optional/import-optional.ts';
import type { SourceWord } from './source-word.ts';

/** The sources that are MCP servers. */
export type McpWord = Extract<SourceWord, { readonly kind: 'mcp-http' | 'mcp-stdio' }>;

/** What a server may write to stderr before it is quoted in an error. */
const maxQuoted = 500;

/**
 * Connects to an MCP server, started as a process or reached over HTTP. Disposing of the provider
 * ends the connection, and the process.
 *
 * @throws {SkillError} `source-unavailable` where it cannot be reached; `invalid-options` without
 *   the client's package
 */
export async function openMcp(word: McpWord, label: string, { cwd, signal }: OpenMcpOptions): Promise<SkillProvider> {
  const { Client, StreamableHTTPClientTransport } = await importClient(() => import('@modelcontextprotocol/client'));
  const { cappedFetch, mcpSkillProvider } = await import('@repertoire/skill-mcp');
  const client = new Client({ name: 'repertoire', version: '0.0.0' }, { versionNegotiation: { mode: 'auto' } });
  let written = '';
  try {
    if (word.kind === 'mcp-http') {
      await client.connect(new StreamableHTTPClientTransport(word.url, { fetch: cappedFetch() }), { signal });
    } else {
      const { StdioClientTransport } = await importClient(() => import('@modelcontextprotocol/client/stdio'));
      const [command, ...args] = word.command;
      const transport = new StdioClientTransport({ command, args, cwd, stderr: 'pipe' });
      transport.stderr?.on('data', (chunk: Buffer) => (written = `${written}${chunk.toString()}`.slice(-maxQuoted)));
      await client.connect(transport, { signal });
    }
  } catch (error) {
    await client.close().catch(() => undefined);
    signal.throwIfAborted();
    const said = written.trim() === '' ? '' : ` It wrote: ${written.trim()}`;
    throw new SkillError('source-unavailable', `The MCP server ${addressOf(word)} cannot be connected to: ${messageOf(error)}.${said}`, {
      cause: error,
      source: label,
    });
  }
  const provider = mcpSkillProvider({ client, label, listTimeoutMs: 120_000 });
  return {
    ...provider,
    async [Symbol.asyncDispose]() {
      await provider[Symbol.asyncDispose]();
      await client.close();
    },
  };
}

interface OpenMcpOptions {
  readonly cwd: string;
  readonly signal: AbortSignal;
}

/** How a server is named in messages and labels: without arguments, which may hold secrets. */
export function addressOf(word: McpWord): string {
  return word.kind === 'mcp-http' ? word.url.host : (word.command[0].split(/[\\/]/).at(-1) ?? word.command[0]);
}

async function importClient<Module>(load: () => Promise<Module>): Promise<Module> {
  return await importOptional('@modelcontextprotocol/client', 'MCP servers need', load);
}
