import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { writeSkillFiles } from '@repertoire/bridges/files';
import { expect, it } from 'vitest';
import { supportSkillset } from './conversation.ts';

interface Message {
  readonly type: string;
  readonly subtype?: string;
  readonly skills?: readonly string[];
}

/** The SDK brings a program of 400 MB, so it is tested where somebody has installed it: a folder with `node_modules/@anthropic-ai/claude-agent-sdk`. */
const folderOfSdk = process.env['CLAUDE_AGENT_SDK_FOLDER'];

it('BRG-7: the Claude Agent SDK lists the skills of a plugin and of a project', async ({ skip }) => {
  if (folderOfSdk === undefined) return skip('set CLAUDE_AGENT_SDK_FOLDER to a folder that has the SDK');
  const folder = await mkdtemp(join(tmpdir(), 'repertoire-claude-'));
  // It starts without a key, and says what it found before it asks the API for anything.
  const api = createServer((_request, response) => response.writeHead(401).end('{}'));
  await new Promise<void>((resolve) => void api.listen(0, '127.0.0.1', resolve));
  try {
    await writeSkillFiles(supportSkillset(), { folder: join(folder, 'support'), layout: 'plugin' });
    await writeSkillFiles(supportSkillset(), { folder: join(folder, 'project'), layout: 'claude' });
    const sdk = createRequire(join(folderOfSdk, 'package.json')).resolve('@anthropic-ai/claude-agent-sdk');
    const { query } = (await import(sdk)) as { query(request: object): AsyncIterable<Message> };
    const options = {
      cwd: join(folder, 'project'),
      plugins: [{ type: 'local', path: join(folder, 'support') }],
      settingSources: ['project'],
      maxTurns: 1,
      env: {
        ...process.env,
        HOME: folder,
        ANTHROPIC_API_KEY: 'none',
        ANTHROPIC_BASE_URL: `http://127.0.0.1:${(api.address() as AddressInfo).port}`,
        CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
      },
    };
    let skills: readonly string[] = [];
    for await (const message of query({ prompt: 'Hello.', options })) {
      if (message.subtype !== 'init') continue;
      skills = message.skills ?? [];
      break;
    }
    for (const name of ['refunds', 'returns', 'invoices', 'greetings', 'complaints']) {
      expect(skills).toContain(name);
      expect(skills).toContain(`support:${name}`);
    }
  } finally {
    api.close();
    await rm(folder, { recursive: true, force: true, maxRetries: 3 });
  }
});
