import type { SkillProvider } from '@repertoire/skills-core';
import { decodeText } from '@repertoire/skills-core/provider';
import type { EvalItem } from '../evals/eval-item.ts';

/** Bytes of one file that belongs to a request; a model gets it as text. */
const maxFileBytes = 100_000;

/**
 * A request as somebody would send it, with the text of its files below. A file that is not there,
 * or is no text, is named only.
 */
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
