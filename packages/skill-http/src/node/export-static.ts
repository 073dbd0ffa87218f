import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { SkillError, type SkillDiagnostic, type SkillProvider } from '@repertoire/skills-core';
import { assertKnownOptions, type OptionRules } from '@repertoire/skills-core/internal';
import type { SkillCallOptions } from '@repertoire/skills-core/provider';
import { knownPublishOptions, publishSettings, type PublishOptions } from '../server/publish-options.ts';
import { readSkills } from '../server/read-skills.ts';
import { buildSite, bytesOfFile } from '../server/site.ts';
import { readRegularFile } from './read-regular-file.ts';
import { notAFile, sameFile } from './rules-of-disks.ts';
import { writeWhole } from './write-whole.ts';

/** Options of {@link exportStatic}. */
export interface ExportStaticOptions extends PublishOptions, SkillCallOptions {
  /**
   * Whether to write if the provider could not list all of its skills (`complete: false`). The
   * missing skills are then missing from the index, too.
   * @default false
   */
  readonly allowIncomplete?: boolean | undefined;
}

const knownOptions: OptionRules<ExportStaticOptions> = {
  ...knownPublishOptions,
  signal: '{}',
  allowIncomplete: 'boolean',
};

/** What {@link exportStatic} did. */
export interface StaticExport {
  /** Every file that is published, relative to the directory, with `/`; the indexes last. */
  readonly files: readonly string[];
  /** The files that were written, because they were missing or different. */
  readonly written: readonly string[];
  /** What is not published, and why. */
  readonly diagnostics: readonly SkillDiagnostic[];
}

const maxNamed = 3;

/**
 * Writes what `createSkillsHandler` would serve as files, for a CDN or a page host. Unchanged files
 * are not written again, and artifacts are written before the indexes that name them. Nothing is
 * removed, so that readers of the previous index still find its files. To remove old skills, empty
 * the directory first.
 *
 * @throws {SkillError} `invalid-options`; `source-unavailable` for a listing that is not complete,
 *   unless `allowIncomplete`; `invalid-path` for files that differ in case alone, on Windows and
 *   macOS, and for names of devices, on Windows; what the provider rejects with
 * @example
 * ```ts
 * import { fileSystemSkillProvider } from '@repertoire/skill-fs';
 * import { exportStatic } from '@repertoire/skill-http/node';
 *
 * const { written, diagnostics } = await exportStatic(fileSystemSkillProvider({ roots: ['./skills'] }), './public');
 * console.log(`${written.length} files written`);
 * for (const { message } of diagnostics) console.warn(message);
 * ```
 */
export async function exportStatic(provider: SkillProvider, directory: string, options: ExportStaticOptions = {}): Promise<StaticExport> {
  assertKnownOptions('exportStatic', options, knownOptions);
  const { signal, allowIncomplete = false } = options;
  const settings = publishSettings(options, 'exportStatic', true);
  const read = await readSkills(provider, settings, [], signal);
  if (!read.complete && !allowIncomplete) {
    const why = read.diagnostics.map(({ message }) => message).slice(0, maxNamed);
    throw new SkillError(
      'source-unavailable',
      `The skills of "${provider.label}" are not exported, since it could not list all of them. ${why.join(' ')} Fix that, or export what there is with allowIncomplete.`,
      { source: provider.label },
    );
  }
  const site = await buildSite(read, settings, null);
  const clash = sameFile(site.files.keys());
  if (clash !== undefined) {
    throw new SkillError(
      'invalid-path',
      `${clash.map((route) => JSON.stringify(relative(route))).join(' and ')} are one file on this system, which ignores case. Rename one of them, or export on a system that does not.`,
      { source: provider.label, path: relative(clash[1]) },
    );
  }
  const device = notAFile(site.files.keys());
  if (device !== undefined) {
    throw new SkillError(
      'invalid-path',
      `Windows does not take ${JSON.stringify(relative(device))} for a file of that name. Rename it, or export on another system.`,
      { source: provider.label, path: relative(device) },
    );
  }
  const written: string[] = [];
  for (const [route, published] of site.files) {
    signal?.throwIfAborted();
    const bytes = await bytesOfFile(published);
    const file = path.join(directory, ...route.split('/'));
    if (await holds(file, bytes)) continue;
    await mkdir(path.dirname(file), { recursive: true });
    await writeWhole(file, bytes, 0o644);
    written.push(relative(route));
  }
  return { files: [...site.files.keys()].map(relative), written, diagnostics: site.diagnostics };
}

function relative(route: string): string {
  return route.slice(1);
}

async function holds(file: string, bytes: Uint8Array): Promise<boolean> {
  const there = await readRegularFile(file);
  return there !== null && Buffer.from(there).equals(bytes);
}
