import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { run } from '@repertoire/cli';
import { SkillRegistry, type SkillDefinition } from '@repertoire/skills-core';
import type { ParitySource } from './source.ts';
import { writeLibrary } from './write-library.ts';
import type { ParityLibrary } from '@repertoire/skills-testkit/internal';

/** The module that `repertoire bundle` writes. */
export const bundleSource: ParitySource = {
  name: 'repertoire bundle',
  async open(library) {
    const { module, close } = await bundleLibrary(library);
    const { skills } = (await import(pathToFileURL(module).href)) as { readonly skills: readonly SkillDefinition[] };
    const { label, trusted } = library;
    return { provider: new SkillRegistry({ skills, label, trusted }), close };
  },
};

/** Bundles a library into a module, in a folder that stays until it is closed. */
export async function bundleLibrary(library: ParityLibrary): Promise<{ readonly module: string; close(): Promise<void> }> {
  const folder = await writeLibrary(library);
  const module = join(folder, 'skills.gen.mjs');
  const said: string[] = [];
  const output = { write: (text: string) => said.push(text) };
  const exitCode = await run(['bundle', join(folder, 'skills'), '--out', module], { stdout: output, stderr: output });
  if (exitCode !== 0) throw new Error(`repertoire bundle: ${said.join('')}`);
  return { module, close: () => rm(folder, { recursive: true }) };
}
