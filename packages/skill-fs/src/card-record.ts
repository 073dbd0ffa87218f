import fs from 'node:fs';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { readCard as readAnyCard } from '@repertoire/skill-cards/internal';
import { SkillError, type SkillDiagnostic, type SkillMetadata } from '@repertoire/skills-core';
import { deepFreeze } from '@repertoire/skills-core/internal';
import { serializeSkillMd } from '@repertoire/skills-core/skill-md';
import type { DiskPace } from './disk-pace.ts';
import type { FileSystemSettings } from './file-system-skill-provider-options.ts';
import { isInside, openInRoot, withSlashes } from './inside.ts';
import { readStart } from './open-regular-file.ts';
import {
  brokenRecord,
  directoryNameOf,
  parserOptions,
  type RecordWork,
  type SkillFileRecord,
  type SkillHome,
} from './skill-file-record.ts';
import { originOf } from './read-records.ts';

/** A skill whose manifest is a card, as it is on disk now. */
export interface CardRead {
  /** Level 1 of the card and of the `SKILL.md` that it leads to, without an origin. */
  readonly metadata: SkillMetadata;
  readonly body: string;
  /** The bytes of `SKILL.md`, or the canonical text where there is none. */
  readonly bytes: Uint8Array;
  readonly diagnostics: readonly SkillDiagnostic[];
  readonly home: SkillHome;
}

/**
 * Level 1 of a folder with a `skill-card.json`. Read again at each check, without a signature: its
 * `SKILL.md` may have changed alone.
 */
export async function cardRecord(work: RecordWork, settings: FileSystemSettings, pace: DiskPace): Promise<SkillFileRecord> {
  const { file, root } = work;
  try {
    const { metadata, diagnostics, home } = await readCard(work, settings, pace);
    const origin = originOf(root, home.folder);
    return {
      file,
      signature: null,
      framed: true,
      metadata: deepFreeze({ ...metadata, origin }),
      diagnostics: deepFreeze(diagnostics),
      home,
    };
  } catch (error) {
    return brokenRecord(file, cardUnusable(work, error));
  }
}

/**
 * Reads a card and what it leads to. `base_uri` may lead to any folder in the same root.
 *
 * @throws {SkillError} `invalid-skill` or `invalid-path`, with why the card is no skill
 */
export async function readCard({ file, root }: RecordWork, settings: FileSystemSettings, pace: DiskPace): Promise<CardRead> {
  const read = await readAnyCard(pathToFileURL(file.path), {
    within: [root.rootUri],
    maxSkillBytes: settings.limits.skillBytes,
    parser: parserOptions(file, settings),
    readFile: async (url, { maxBytes }) => {
      if (url.protocol !== 'file:')
        throw new SkillError(
          'invalid-path',
          'its base_uri is on the web, and this source reads only the disk. Publish the card beside its files and read both with httpSkillProvider({ url, layout: "card" })',
        );
      return readInRoot(withSlashes(fileURLToPath(url)), root.realPath, settings, maxBytes, pace);
    },
  });
  if (read === null) throw new SkillError('invalid-skill', 'it is no regular file in its root');
  const { base, card, body, metadata, skillMd } = read;
  const folder = withSlashes(fileURLToPath(base.url)).replace(/(?<=.)\/$/, '');
  const realFolder = withSlashes(fs.realpathSync.native(folder));
  if (settings.links !== 'all' && !isInside(root.realPath, realFolder))
    throw new SkillError('invalid-path', 'its base_uri leads out of its root');
  if (!fs.statSync(realFolder).isDirectory()) throw new SkillError('invalid-path', 'its base_uri is no folder');
  const diagnostics = read.diagnostics.map((diagnostic) => ({ path: file.path, ...diagnostic }));
  return {
    metadata,
    body,
    bytes: skillMd ?? new TextEncoder().encode(serializeSkillMd({ ...metadata, body })),
    diagnostics: skillMd === null ? [...diagnostics, withoutInstructions(card.id, file.path, folder)] : diagnostics,
    home: { folder, realFolder, skillMd: skillMd === null ? null : `${folder}/SKILL.md` },
  };
}

/** The bytes of a regular file in the root; `null` if there is none. */
async function readInRoot(
  path: string,
  realRoot: string,
  settings: FileSystemSettings,
  maxBytes: number,
  pace: DiskPace,
): Promise<Uint8Array | null> {
  const opened = openInRoot(path, null, realRoot, settings);
  if (opened === null) return null;
  try {
    const { size } = opened.stats;
    if (size > maxBytes) throw new SkillError('invalid-skill', `${JSON.stringify(path)} has ${size} bytes, and ${maxBytes} is the limit`);
    return await readStart(opened, size, pace);
  } finally {
    fs.closeSync(opened.descriptor);
  }
}

function cardUnusable({ file }: RecordWork, error: unknown): SkillDiagnostic {
  const why = SkillError.isInstance(error) ? error.message : ((error as NodeJS.ErrnoException).code ?? String(error));
  return {
    code: 'card-unusable',
    severity: 'error',
    message: `The card ${JSON.stringify(file.path)} makes no skill: ${why.replace(/\.$/, '')}.`,
    skill: directoryNameOf(file),
    path: file.path,
    fix: 'Correct the card, or put a SKILL.md beside it.',
  };
}

function withoutInstructions(skill: string, path: string, folder: string): SkillDiagnostic {
  return {
    code: 'card-without-skill-md',
    severity: 'warning',
    message: `The card of skill ${JSON.stringify(skill)} leads to ${JSON.stringify(folder)}, where no SKILL.md lies, so the skill has no instructions.`,
    skill,
    path,
    fix: 'Put a SKILL.md there, or correct base_uri.',
  };
}
