import { isJsonObject } from '@repertoire/skills-core/internal';
import { SkillError } from '@repertoire/skills-core';
import { isResourcePath, decodeText } from '@repertoire/skills-core/provider';
import type { McpSkillFile } from '../protocol/skills-extension.ts';
import { uriInSkill } from '../protocol/skill-uri.ts';
import type { IndexedSkill } from './indexed-skill.ts';
import { isNotThere, type McpCall } from './mcp-call.ts';
import type { McpSkillSettings } from './mcp-skill-provider-options.ts';
import { readContents } from './read-contents.ts';

const maxManifestBytes = 1_048_576;

/** The files of FastMCP's `_manifest`; `null` if there is none or it is invalid. */
export async function readManifest(
  call: McpCall,
  { location, metadata, unverified }: IndexedSkill,
  settings: McpSkillSettings,
  signal?: AbortSignal,
): Promise<ReadonlyMap<string, McpSkillFile> | null> {
  const { label, limits } = settings;
  const uri = `${location.root}_manifest`;
  let manifest: unknown;
  try {
    const tooLarge = () =>
      new SkillError('limit-exceeded', `[skill-mcp] ${uri} is larger than ${maxManifestBytes} bytes.`, {
        skill: metadata.name,
        source: label,
      });
    const bytes = await readContents(
      call,
      { uri, path: '_manifest', root: location.root, label },
      { bytes: maxManifestBytes, error: tooLarge },
      signal,
    );
    manifest = JSON.parse(decodeText(bytes) ?? '');
  } catch (error) {
    signal?.throwIfAborted();
    // Servers report a missing manifest differently; only no answer is an outage.
    if (error instanceof SyntaxError || isNotThere(error) || !isOutage(error)) return null;
    throw error;
  }
  const listed = isJsonObject(manifest) && Array.isArray(manifest['files']) ? (manifest['files'] as unknown[]) : [];
  if (listed.length === 0 || listed.length > limits.files) return null;
  const files = new Map<string, McpSkillFile>();
  let total = 0;
  for (const file of listed) {
    const { path, size, hash } = isJsonObject(file) ? file : {};
    if (typeof path !== 'string' || typeof size !== 'number' || typeof hash !== 'string' || !/^sha256:[0-9a-f]{64}$/.test(hash))
      return null;
    const normal = path.normalize('NFC');
    if (!isResourcePath(normal)) return null;
    files.set(normal, { uri: unverified.get(normal)?.uri ?? uriInSkill(location.root, path), digest: hash, size });
    total += size;
  }
  return files.has('SKILL.md') && total <= limits.skillBytes ? files : null;
}

function isOutage(error: unknown): boolean {
  if (!SkillError.isInstance(error)) return false;
  return (
    error.code === 'timeout' ||
    (error.code === 'source-unavailable' &&
      typeof (error.cause as { code?: unknown } | undefined)?.code !== 'number' &&
      error.cause !== undefined)
  );
}
