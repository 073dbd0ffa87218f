import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { onTestFinished } from 'vitest';

export function skillMd(name: string, body: string, fields = ''): string {
  return `---\nname: ${name}\ndescription: What ${name} does. Use it for ${name}.\n${fields}---\n\n${body}\n`;
}

export async function temporaryFolder(): Promise<string> {
  const folder = await realpath(await mkdtemp(path.join(tmpdir(), 'skill-proposals-')));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

/** A folder `skills` with these files. */
export async function libraryFolder(files: Readonly<Record<string, string>>): Promise<string> {
  const root = path.join(await temporaryFolder(), 'skills');
  await mkdir(root);
  for (const [inner, text] of Object.entries(files)) {
    await mkdir(path.dirname(path.join(root, inner)), { recursive: true });
    await writeFile(path.join(root, inner), text);
  }
  return root;
}
