import fs from 'node:fs';
import { pathToFileURL } from 'node:url';
import type { SkillDiagnostic } from '@repertoire/skills-core';
import { deepFreeze, isHeavyFrontmatter, parsePlainSkillFrontmatter } from '@repertoire/skills-core/internal';
import type { SkillOrigin } from '@repertoire/skills-core/provider';
import type { DiskPace } from './disk-pace.ts';
import type { DiscoveredRoot, SkillFile } from './discover-skill-files.ts';
import type { FileSystemSettings } from './file-system-skill-provider-options.ts';
import { isInside } from './inside.ts';
import { withOpenAiSettings, type WithSettings } from './openai-settings.ts';
import { parseLevelOne, type LevelOne } from './parse-skill.ts';
import { readFrontmatter, type FrontmatterRead } from './read-frontmatter.ts';
import { brokenRecord, directoryNameOf, parserOptions, type RecordWork, type SkillFileRecord } from './skill-file-record.ts';
import { statSignature } from './stat-signature.ts';

/** Files with costly frontmatter in one look at a root: this many, or one of twenty. */
const fewestHeavy = 16;
const partOfFiles = 1 / 20;

const nothing: readonly SkillDiagnostic[] = Object.freeze([]);

/**
 * Reads the `SKILL.md` files of a scan, and hands over their records in order. Never rejects for a
 * single skill.
 *
 * @throws what {@link DiskPace.restInScan} throws
 */
export async function readRecords<Work extends RecordWork>(
  work: readonly Work[],
  settings: FileSystemSettings,
  pace: DiskPace,
  signal: AbortSignal,
  take: (record: SkillFileRecord, work: Work) => void,
): Promise<void> {
  const heavy = new Map<DiscoveredRoot, number>();
  for (const one of work) {
    // Most need not wait for anything, and waiting for nothing costs as much as a call of the disk.
    const record = one.file.isCard ? recordOfCard(one, settings, pace) : recordOf(one, settings, pace, heavy);
    take(record instanceof Promise ? await record : record, one);
    if (pace.isSliceOver) await pace.restInScan(signal);
  }
}

/** Few libraries have cards, and their reader takes a while to load. */
async function recordOfCard(work: RecordWork, settings: FileSystemSettings, pace: DiskPace): Promise<SkillFileRecord> {
  const { cardRecord } = await import('./card-record.ts');
  return await cardRecord(work, settings, pace);
}

function recordOf(
  work: RecordWork,
  settings: FileSystemSettings,
  pace: DiskPace,
  heavy: Map<DiscoveredRoot, number>,
): SkillFileRecord | Promise<SkillFileRecord> {
  const { file, root } = work;
  const readAt = Date.now();
  let read: FrontmatterRead;
  try {
    pace.call();
    const real = file.linked ? fs.realpathSync.native(file.path) : file.path;
    // The walk has checked this; the link may have been changed since.
    if (file.linked && settings.links === 'inside' && !isInside(root.realPath, real))
      return brokenRecord(file, unreadable(file, 'its link leads out of the root'));
    read = readFrontmatter(real, settings.limits.frontmatterBytes);
    pace.called();
  } catch (error) {
    return brokenRecord(file, unreadable(file, (error as NodeJS.ErrnoException).code ?? String(error)));
  }
  const { stats, head, framed } = read;
  const signature = statSignature(stats, readAt);
  if (head === null) return brokenRecord(file, unreadable(file, 'it is no regular file'), signature);
  if (settings.hardLinks === 'refuse' && stats.nlink > 1) return brokenRecord(file, hardLinked(file, stats.nlink), signature);
  if (stats.size > settings.limits.skillBytes) return brokenRecord(file, tooLarge(file, stats.size, settings), signature);
  const options = parserOptions(file, settings);
  const made = ({ metadata, diagnostics }: LevelOne): SkillFileRecord | Promise<SkillFileRecord> => {
    const listed = metadata && { ...metadata, origin: originOf(root, file.folder) };
    if (listed === null || file.settings === null) {
      const known = typeof head === 'string' && file.settings === null ? head : undefined;
      return {
        file,
        signature,
        framed,
        head: known,
        metadata: listed && deepFreeze(listed),
        diagnostics: diagnostics.length === 0 ? nothing : deepFreeze(diagnostics),
      };
    }
    const withSettings = (set: WithSettings): SkillFileRecord => ({
      file,
      signature,
      settingsSignature: set.stats && statSignature(set.stats, readAt),
      framed,
      metadata: deepFreeze(set.metadata),
      diagnostics: deepFreeze([...diagnostics, ...set.diagnostics]),
    });
    const set = withOpenAiSettings(listed, work, settings);
    return set instanceof Promise ? set.then(withSettings) : withSettings(set);
  };
  const plain = parsePlainSkillFrontmatter(head, options);
  if (plain !== null) return made(plain);
  // What is plain takes time that is linear in its length, and needs no look at its cost.
  const most = Math.max(fewestHeavy, Math.floor(root.files.length * partOfFiles));
  const isHeavy = isHeavyFrontmatter(typeof head === 'string' ? head : Buffer.from(head).toString('latin1'));
  const readHeavy = heavy.get(root) ?? 0;
  if (isHeavy && readHeavy >= most) return { ...brokenRecord(file, tooHeavy(file, most), signature), framed };
  if (isHeavy) heavy.set(root, readHeavy + 1);
  return parseLevelOne(typeof head === 'string' ? head : Uint8Array.from(head), options).then(made);
}

/** Where a skill came from, by what the host configured for its root. */
export function originOf({ root: { path, place, label, trusted }, rootUri }: DiscoveredRoot, folder: string): SkillOrigin {
  const inner = folder.slice(path.length + 1);
  // Building a URL is slow, so it is avoided if nothing needs escaping.
  const isPlain = folder.startsWith(path) && folder[path.length] === '/' && /^[\w./-]+$/.test(inner);
  // In NFC, as the disk of another machine may spell it otherwise.
  const below = isPlain ? inner : inner.normalize('NFC');
  const own = below === '' ? place : `${place}/${below}`;
  return { kind: 'fs', label, place: own, uri: isPlain ? `${rootUri}${inner}/` : pathToFileURL(`${folder}/`).href, trusted };
}

function unreadable(file: SkillFile, why: string): SkillDiagnostic {
  return {
    code: 'skill-unreadable',
    severity: 'error',
    message: `${JSON.stringify(file.path)} cannot be read: ${why}.`,
    skill: directoryNameOf(file),
    path: file.path,
    fix: 'Let this process read the file, or remove it.',
  };
}

function hardLinked(file: SkillFile, links: number): SkillDiagnostic {
  return {
    code: 'hard-link-refused',
    severity: 'error',
    message: `${JSON.stringify(file.path)} has ${links} hard links, and hardLinks is "refuse".`,
    skill: directoryNameOf(file),
    path: file.path,
    fix: "Put a copy in its place, or set hardLinks: 'allow'.",
  };
}

function tooLarge(file: SkillFile, size: number, { limits }: FileSystemSettings): SkillDiagnostic {
  return {
    code: 'skill-too-large',
    severity: 'error',
    message: `${JSON.stringify(file.path)} has ${size} bytes, and ${limits.skillBytes} is the limit.`,
    skill: directoryNameOf(file),
    path: file.path,
    fix: 'Move what is not always needed into files of its own under references/, or raise limits.skillBytes.',
  };
}

/** Each is within its limits, but a thousand of them would block the process. */
function tooHeavy(file: SkillFile, most: number): SkillDiagnostic {
  return {
    code: 'frontmatter-too-complex',
    severity: 'error',
    message: `${JSON.stringify(file.path)} has a frontmatter that takes long to parse, and one look at a root reads ${most} of that kind.`,
    skill: directoryNameOf(file),
    path: file.path,
    fix: 'Write it as plain fields, one a line, and move the rest into the body.',
  };
}
