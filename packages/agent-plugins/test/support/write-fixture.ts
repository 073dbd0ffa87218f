import { mkdir, mkdtemp, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { PluginFixture } from '@repertoire/skills-testkit/plugins';

/** Writes files and links into a new folder, and answers its path. */
export async function writeFixture(files: PluginFixture): Promise<string> {
  const folder = await mkdtemp(path.join(tmpdir(), 'agent-plugins-'));
  for (const [inner, content] of Object.entries(files)) {
    const file = path.join(folder, inner);
    await mkdir(path.dirname(file), { recursive: true });
    if (typeof content === 'string' || content instanceof Uint8Array) await writeFile(file, content);
    else await symlink(content.link, file);
  }
  return folder;
}
