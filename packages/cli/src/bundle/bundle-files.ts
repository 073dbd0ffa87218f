import path from 'node:path';
import { chunkName } from './chunk-name.ts';
import type { CollectedSkills } from './collect-skills.ts';
import type { BundleChunk } from './content-code.ts';
import { renderBundle, renderBundleTypes } from './render-bundle.ts';
import { wrongUsage } from '../text/wrong-usage.ts';

/** The files that a bundle is made of. */
export interface BundleFiles {
  /** Contents in parts, by absolute path. Each file comes after those that it imports. */
  readonly files: ReadonlyMap<string, readonly Uint8Array[]>;
  /**
   * The folder of the split contents, used for nothing else. @default none: the bundle is one file
   */
  readonly folder: string | undefined;
}

const outputs: Readonly<Record<string, { readonly language: 'ts' | 'js'; readonly types?: string }>> = {
  '.ts': { language: 'ts' },
  '.mts': { language: 'ts' },
  '.js': { language: 'js', types: '.d.ts' },
  '.mjs': { language: 'js', types: '.d.mts' },
};

/** Bundles whose names differ only in these extensions share the folder of their chunks. */
export const bundleExtensions: readonly string[] = Object.keys(outputs);

/** Where a bundle goes, and in which form. */
export interface BundleOutput {
  readonly out: string;
  readonly language: 'ts' | 'js';
  /** The file of its types beside it, where it needs one. */
  readonly types: string | null;
  /** The folder of the split contents. @default none, where the bundle is one file */
  readonly folder: string | undefined;
  /** Takes the split contents. */
  readonly chunk: BundleChunk | undefined;
  /** The split contents so far, by name. */
  readonly chunks: ReadonlyMap<string, Uint8Array>;
}

/**
 * Decides where a bundle goes.
 *
 * @throws {SkillError} `invalid-options` for an `out` that is no module, or whose chunks could not
 *   be imported
 */
export function bundleOutput(out: string, split: boolean): BundleOutput {
  const extension = path.extname(out);
  const output = /\.d\.m?ts$/.test(out) || !Object.hasOwn(outputs, extension) ? undefined : outputs[extension];
  if (output === undefined) {
    throw wrongUsage(`--out names ${JSON.stringify(path.basename(out))}, which is no module. End it in .ts, .mts, .js or .mjs.`, {
      path: out,
    });
  }
  if (split && /[#?%\\]/.test(path.basename(out))) {
    throw wrongUsage(
      `--out names ${JSON.stringify(path.basename(out))}, and with --split no # ? % or \\ may be in it: an import could not name the chunks. Give another name.`,
      { path: out },
    );
  }
  const stem = out.slice(0, -extension.length);
  const folder = split ? `${stem}.chunks` : undefined;
  const chunks = new Map<string, Uint8Array>();
  const chunk = (code: string): string => {
    const name = chunkName(code);
    chunks.set(name, Buffer.from(code));
    return `./${path.basename(folder ?? '')}/${name}`;
  };
  const types = output.types === undefined ? null : `${stem}${output.types}`;
  return { out, language: output.language, types, folder, chunk: split ? chunk : undefined, chunks };
}

/** The files of a bundle, of skills that were collected for this output. */
export function bundleFiles(
  { skills, lock, searchIndex }: Pick<CollectedSkills, 'skills' | 'lock'> & { readonly searchIndex?: Uint8Array | undefined },
  { out, language, types, folder, chunk, chunks }: BundleOutput,
): BundleFiles {
  const main = renderBundle(
    skills.map(({ code }) => code),
    lock,
    { language, searchIndex, chunk },
  );
  // Chunks of skills that were left out are in none of the files.
  const used = Buffer.concat(folder === undefined ? [] : main).toString();
  return {
    folder,
    files: new Map([
      ...[...chunks].filter(([name]) => used.includes(name)).map(([name, code]) => [path.join(folder ?? '', name), [code]] as const),
      ...(types === null ? [] : [[types, [Buffer.from(renderBundleTypes(searchIndex !== undefined))]] as const]),
      [out, main],
    ]),
  };
}
