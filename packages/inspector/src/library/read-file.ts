import type { SkillProvider } from '@repertoire/skills-core';
import { decodeText } from '@repertoire/skills-core/provider';
import type { FileText } from './views.ts';

const maxPreviewBytes = 200_000;

/** The text of one file of a skill; `null` where there is no such file. */
export async function readFileText(
  provider: SkillProvider,
  name: string,
  version: string | null,
  path: string,
  signal?: AbortSignal,
): Promise<FileText | null> {
  const resource = await provider.readResource(name, path, { version, maxBytes: maxPreviewBytes, signal });
  if (resource === null) return null;
  const { bytes, size, mediaType } = resource;
  const isCut = size > bytes.length;
  return { path, text: decodeText(bytes, isCut), size, mediaType, isCut };
}
