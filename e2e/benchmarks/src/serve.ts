/**
 * A fresh server for the rows about HTTP and MCP: `node serve.ts <http | mcp | bytes | hash> <folder>`. It prints its port, or what it measured, as one line.
 */
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';

const [kind, folder = ''] = process.argv.slice(2);
const kinds: Readonly<Record<string, () => Promise<RequestListener> | RequestListener | undefined>> = { http, mcp, bytes, hash };
const listener = await kinds[kind ?? '']?.();
if (listener !== undefined) {
  const server = createServer(listener);
  server.listen(0, '127.0.0.1', () => console.log((server.address() as AddressInfo).port));
}

async function http(): Promise<RequestListener> {
  const [{ fileSystemSkillProvider }, { nodeListener }, { createSkillsHandler }] = await Promise.all([
    import('@repertoire/skill-fs'),
    import('@repertoire/skill-http/node'),
    import('@repertoire/skill-http/server'),
  ]);
  return nodeListener(createSkillsHandler(fileSystemSkillProvider({ roots: [folder] })));
}

async function mcp(): Promise<RequestListener> {
  const [{ fileSystemSkillProvider }, { toNodeHandler }, { createMcpSkillsHandler }] = await Promise.all([
    import('@repertoire/skill-fs'),
    import('@modelcontextprotocol/node'),
    import('@repertoire/skill-mcp/server'),
  ]);
  const node = toNodeHandler(createMcpSkillsHandler(fileSystemSkillProvider({ roots: [folder] }), { profile: 'lenient' }));
  return (request, response) => void node(request as Parameters<typeof node>[0], response);
}

/** Answers what was posted before under the same path, from memory. */
function bytes(): RequestListener {
  const kept = new Map<string, Buffer>();
  return (request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const url = request.url ?? '';
      if (request.method === 'POST') kept.set(url, Buffer.concat(chunks));
      response.end(request.method === 'POST' ? '' : kept.get(url));
    });
  };
}

/** Reads and hashes every file once, and prints how long that took. */
function hash(): undefined {
  const began = performance.now();
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true }))
    if (entry.isFile())
      createHash('sha256')
        .update(readFileSync(path.join(entry.parentPath, entry.name)))
        .digest('hex');
  console.log(performance.now() - began);
}
