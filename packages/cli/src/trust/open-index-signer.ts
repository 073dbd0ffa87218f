import { readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { indexSigner, keySigner, type LastRelease, type PayloadSigner, type ReleaseLog } from '@repertoire/skill-trust';
import { SkillError } from '@repertoire/skills-core';
import type { SignSkillIndex } from '@repertoire/skills-core/provider';
import { isSha256Hex } from '@repertoire/skills-core/internal';
import { readTextFile } from '../source/read-text-file.ts';
import { replaceFile } from '../text/replace-file.ts';
import { wrongUsage } from '../text/wrong-usage.ts';

/** How a release is signed. */
export interface IndexSignerRequest {
  /** Files with the key, and with its certificates where it has some. */
  readonly key: string;
  readonly certificate: string | undefined;
  /** The source, as its readers name it. */
  readonly source: string;
  /** The file that keeps the number of the last release. */
  readonly log: string;
  readonly validDays: number;
  readonly cwd: string;
}

const dayMs = 24 * 3600 * 1000;

/** Signs releases, with the last number in a file. @throws {SkillError} `invalid-options` */
export async function openIndexSigner({ key, certificate, source, log, validDays, cwd }: IndexSignerRequest): Promise<SignSkillIndex> {
  const signer = await openSigner({ key, certificate }, cwd, '--sign-key', '--sign-certificate');
  return indexSigner({ signer, source, log: logFile(path.resolve(cwd, log), log, source), validForMs: validDays * dayMs });
}

/** Reads a key, with its certificates. @throws {SkillError} `invalid-options` */
export async function openSigner(
  { key, certificate }: { readonly key: string; readonly certificate: string | undefined },
  cwd: string,
  keyOption: string,
  certificateOption: string,
): Promise<PayloadSigner> {
  const text = await readTextFile(key, keyOption, cwd);
  return keySigner({
    key: text,
    certificates: certificate === undefined ? undefined : await readTextFile(certificate, certificateOption, cwd),
  });
}

function logFile(full: string, shown: string, source: string): ReleaseLog {
  const read = async (): Promise<LastRelease | null> => {
    const text = await readFile(full, 'utf8').catch((error: unknown) => {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
      throw error;
    });
    return text === null ? null : parseLog(text, shown, source);
  };
  return {
    read,
    async write({ release, digest }, before) {
      // Two commands at once would sign two releases with one number.
      const lock = `${full}.lock`;
      await writeFile(lock, '', { flag: 'wx' }).catch((error: unknown) => {
        if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
        throw new SkillError('source-unavailable', `${shown} is being written by another command. If there is none, delete ${shown}.lock.`);
      });
      try {
        if ((await read())?.digest !== before?.digest)
          throw new SkillError('source-unavailable', `Another command has signed a release of ${source} meanwhile. Try again.`);
        await replaceFile(full, `${JSON.stringify({ source, release, digest }, null, 2)}\n`);
      } finally {
        await rm(lock, { force: true });
      }
    },
  };
}

function parseLog(text: string, file: string, source: string): LastRelease {
  const damaged = (why: string): SkillError =>
    wrongUsage(`${file} ${why}. Restore it from version control: readers refuse a release whose number goes back.`);
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw damaged('is no JSON');
  }
  const { source: of, release, digest } = (value ?? {}) as { source?: unknown; release?: unknown; digest?: unknown };
  if (of !== source) throw damaged(`is about the source ${JSON.stringify(of)}, not ${JSON.stringify(source)}`);
  if (typeof release !== 'number' || !Number.isSafeInteger(release) || release < 1 || typeof digest !== 'string' || !isSha256Hex(digest))
    throw damaged('does not say the number and digest of the last release');
  return { release, digest };
}
