import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { readSkillFolder } from '@repertoire/skill-trust/node';
import type { SkillSigner, SignatureProblem, SkillVerifier } from '@repertoire/skill-trust';
import type { OpenedSource } from '../source/open-source.ts';
import { isPluginProvider } from './plugins-of-source.ts';
import { wrongUsage } from '../text/wrong-usage.ts';

/** Name of the signature of a whole plugin, at its root. */
export const pluginSignatureName = 'plugin.oms.sig';

/**
 * The plugin in a folder, for `sign`. @throws {SkillError} `invalid-options` if clients refuse it
 */
export async function pluginToSign(
  folder: string,
  shown: string,
): Promise<{ readonly name: string; readonly folder: string; readonly shown: string }> {
  const [{ readPlugin }, { pluginFolders }] = await Promise.all([
    import('@repertoire/agent-plugins/internal'),
    import('@repertoire/agent-plugins/node'),
  ]);
  const [root] = pluginFolders([folder]);
  const { plugin, diagnostics } = root === undefined ? { plugin: null, diagnostics: [] } : await readPlugin(root.files);
  const [unsigned] = await unsignedPaths(folder);
  if (plugin !== null && unsigned !== undefined)
    throw wrongUsage(`${shown} has ${unsigned}, which no signature covers, and a server may be started from it. Sign a copy without it.`, {
      path: path.join(folder, unsigned),
    });
  if (plugin !== null) return { name: plugin.manifest.name, folder, shown };
  const why = diagnostics[0]?.message ?? '';
  throw wrongUsage(`${JSON.stringify(shown)} is not the folder of one plugin. ${why} Sign each plugin by its own folder.`, {
    path: folder,
  });
}

/** What the specification of signatures leaves out at the top of a folder. */
const neverSigned: readonly string[] = ['.git', '.gitattributes', '.github', '.gitignore'];

/** Parts of a plugin that no signature covers. A plugin holds programs, so it may have none. */
async function unsignedPaths(folder: string): Promise<readonly string[]> {
  const names = await readdir(folder);
  return neverSigned.filter((name) => names.includes(name));
}

/** The verdict on the signature of a plugin as a whole. */
export interface VerifiedPlugin {
  readonly plugin: string;
  readonly path: string;
  readonly verified: boolean;
  readonly signer: SkillSigner | null;
  readonly problems: readonly SignatureProblem[];
}

interface PluginVerdict {
  readonly folder: string;
  readonly verdict: VerifiedPlugin;
}

/** Verifies the plugins of opened sources that are signed as a whole. */
export async function verifyPlugins(
  { parts }: OpenedSource,
  verifier: SkillVerifier,
  signal: AbortSignal,
): Promise<readonly PluginVerdict[]> {
  const verdicts: PluginVerdict[] = [];
  for (const { label, provider } of parts) {
    for (const { manifest, files } of isPluginProvider(provider) ? await provider.listPlugins({ signal }) : []) {
      if (files.uri === undefined || (await files.read(pluginSignatureName, { maxBytes: 0 })) === null) continue;
      const folder = path.resolve(fileURLToPath(files.uri));
      const result = await verifier.verifySkill(await readSkillFolder(folder));
      const shown = { plugin: manifest.name, path: path.posix.join(label, manifest.name) };
      const unsigned = (await unsignedPaths(folder)).map((name): SignatureProblem => ({
        code: 'file-extra',
        step: 'files',
        message: `No signature covers ${name}, and a server may be started from it. Remove it.`,
        path: name,
      }));
      const problems = [...(result.verified ? [] : result.problems), ...unsigned];
      const verdict: VerifiedPlugin =
        result.verified && unsigned.length === 0
          ? { ...shown, verified: true, signer: result.signer, problems: [] }
          : { ...shown, verified: false, signer: null, problems };
      verdicts.push({ folder, verdict });
    }
  }
  return verdicts;
}
