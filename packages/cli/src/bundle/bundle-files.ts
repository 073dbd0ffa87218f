import path from 'node:path';
import { SkillError } from '@repertoire/skills-core';
import { chunkName } from './chunk-name.ts';
import type { CollectedSkills } from './collect-skills.ts';
import { renderBundle, renderBundleTypes } from './render-bundle.ts';

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

/**
 * Decides which files a bundle has, and what is in each.
 *
 * @throws {SkillError} `invalid-options` for an `out` that is no module, or whose chunks could not
 *   be imported
 */
export function bundleFiles(
  { skills, lock, searchIndex }: Pick<CollectedSkills, 'skills' | 'lock'> & { readonly searchIndex?: Uint8Array | undefined },
  out: string,
  split: boolean,
): BundleFiles {
  const extension = path.extname(out);
  const output = /\.d\.m?ts$/.test(out) || !Object.hasOwn(outputs, extension) ? undefined : outputs[extension];
  if (output === undefined) {
    throw new SkillError(
      'invalid-options',
      `--out names ${JSON.stringify(path.basename(out))}, which is no module. End it in .ts, .mts, .js or .mjs.`,
      {
        path: out,
      },
    );
  }
  if (split && /[#?%\\]/.test(path.basename(out))) {
    throw new SkillError(
      'invalid-options',
      `--out names ${JSON.stringify(path.basename(out))}, and with --split no # ? % or \\ may be in it: an import could not name the chunks. Give another name.`,
      { path: out },
    );
  }
  const stem = out.slice(0, -extension.length);
  const { language, types } = output;
  const folder = split ? `${stem}.chunks` : undefined;
  const chunks = new Map<string, readonly Uint8Array[]>();
  const chunk = (code: string): string => {
    const name = chunkName(code);
    chunks.set(name, [Buffer.from(code)]);
    return `./${path.basename(folder ?? '')}/${name}`;
  };
  const main = renderBundle(skills, lock, { language, searchIndex, chunk: split ? chunk : undefined });
  return {
    folder,
    files: new Map([
      ...[...chunks].map(([name, code]) => [path.join(folder ?? '', name), code] as const),
      ...(types === undefined ? [] : [[`${stem}${types}`, [Buffer.from(renderBundleTypes(searchIndex !== undefined))]] as const]),
      [out, main],
    ]),
  };
}
