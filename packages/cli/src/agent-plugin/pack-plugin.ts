import type { PluginFiles } from '@repertoire/agent-plugins';
import { pluginDigest } from '@repertoire/agent-plugins/internal';
import { signSkill, type PayloadSigner } from '@repertoire/skill-trust';
import { SkillError } from '@repertoire/skills-core';
import { sha256Hex, skillDigestFromFileDigests } from '@repertoire/skills-core/provider';
import { compareText } from '@repertoire/skills-core/internal';
import { zipSync } from 'fflate';
import { pluginSignatureName } from './plugin-signature.ts';

/** An archive of a plugin. */
export interface PackedPlugin {
  readonly bytes: Uint8Array;
  /** The digest of the files in the archive, as lists of plugins name it. */
  readonly digest: string;
  readonly files: number;
}

/** Packs every file of a plugin. The same files give the same bytes; a signature is added. */
export async function packPlugin(files: PluginFiles, name: string, signer: PayloadSigner | null): Promise<PackedPlugin> {
  const hashed = await pluginDigest(files);
  if (hashed === null)
    throw new SkillError(
      'limit-exceeded',
      'The plugin cannot be packed: a file leads out of it, or it has more than 10,000 files or 256 MiB. Remove what does not belong to it.',
    );
  const contents = new Map<string, Uint8Array>();
  for (const path of Object.keys(hashed.files).sort(compareText)) {
    const file = await files.read(path);
    if (file === null || file === 'outside')
      throw new SkillError('source-unavailable', `${path} changed while the plugin was packed. Try again.`, { path });
    if (path !== pluginSignatureName) contents.set(path, file.bytes);
  }
  if (signer !== null)
    contents.set(
      pluginSignatureName,
      new TextEncoder().encode(textOf(await signSkill(contents, { name, signer, signatureName: pluginSignatureName }))),
    );
  // A zip holds local time, so this is the same text in every zone, and the first that there is.
  const mtime = new Date(1980, 0, 1);
  const entries = Object.fromEntries([...contents].sort(([a], [b]) => compareText(a, b)));
  const digests = await Promise.all([...contents].map(async ([path, bytes]) => [path.normalize('NFC'), await sha256Hex(bytes)]));
  const digest = await skillDigestFromFileDigests(Object.fromEntries(digests) as Record<string, string>);
  return { bytes: zipSync(entries, { mtime, level: 6 }), digest, files: contents.size };
}

function textOf(signature: string | Uint8Array): string {
  return typeof signature === 'string' ? signature : new TextDecoder().decode(signature);
}
