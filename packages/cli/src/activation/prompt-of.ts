import type { SkillProvider } from '@repertoire/skills-core';
import { decodeText } from '@repertoire/skills-core/provider';
import type { EvalItem } from '../evals/eval-item.ts';

/** Of one file that belongs to a request. */
const maxFileBytes = 100_000;

/** A request with the text of its files below. A file that is missing or binary is only named. */
export async function promptOf({ prompt, files, skill }: EvalItem, provider: SkillProvider, signal: AbortSignal): Promise<string> {
  const parts = [prompt];
  for (const path of files) {
    const file = await readOne(provider, skill, path, signal);
    parts.push(file === null ? `(The file ${path} is attached.)` : `File ${path}:\n\n${file}`);
  }
  return parts.join('\n\n');
}

async function readOne(provider: SkillProvider, skill: string, path: string, signal: AbortSignal): Promise<string | null> {
  for (const place of [path, `evals/${path}`]) {
    const file = await provider.readResource(skill, place, { maxBytes: maxFileBytes, signal }).catch(() => null);
    if (file !== null) return decodeText(file.bytes);
  }
  return null;
}
