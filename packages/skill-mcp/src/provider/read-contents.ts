import { isJsonObject } from '@repertoire/skills-core/internal';
import type { SkillError } from '@repertoire/skills-core';
import { pathInSkill } from '../protocol/skill-uri.ts';
import { unavailable, type McpCall } from './mcp-call.ts';

/** Maximum size of a file, and the error for a larger one. */
export interface ContentsBound {
  readonly bytes: number;
  /** Thrown for more. */
  readonly error: () => SkillError;
}

/** The bytes of one file, unverified. Their number is checked before they are decoded. */
export async function readContents(
  call: McpCall,
  file: { readonly uri: string; readonly path: string; readonly root: string; readonly label: string },
  bound: ContentsBound,
  signal?: AbortSignal,
): Promise<Uint8Array> {
  const { uri, path, root, label } = file;
  const answer = await call('resources/read', { uri }, signal);
  const contents: unknown[] = isJsonObject(answer) && Array.isArray(answer['contents']) ? answer['contents'] : [];
  const content = contents.find((item) => isJsonObject(item) && (item['uri'] === uri || pathInSkill(root, item['uri']) === path));
  const { text, blob } = isJsonObject(content) ? content : {};
  if (typeof text === 'string') {
    // A text never has fewer bytes than UTF-16 units.
    if (text.length > bound.bytes) throw bound.error();
    const bytes = new TextEncoder().encode(text);
    if (bytes.length > bound.bytes) throw bound.error();
    return bytes;
  }
  if (typeof blob === 'string') {
    if (blob.length > Math.ceil(bound.bytes / 3) * 4 + 4) throw bound.error();
    const bytes = decodeBase64(blob);
    if (bytes === null) throw unavailable(label, `resources/read answered with damaged base64 for ${uri}`);
    if (bytes.length > bound.bytes) throw bound.error();
    return bytes;
  }
  throw unavailable(label, `resources/read answered without the contents of ${uri}`);
}

function decodeBase64(text: string): Uint8Array | null {
  try {
    const binary = atob(text);
    const bytes = new Uint8Array(binary.length);
    for (let index = 0; index < binary.length; index += 1) bytes[index] = binary.charCodeAt(index);
    return bytes;
  } catch {
    return null;
  }
}
