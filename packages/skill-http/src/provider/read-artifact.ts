import { SkillError } from '@repertoire/skills-core';
import type { SizedCache } from '@repertoire/skills-core/internal';
import { sha256Hex } from '@repertoire/skills-core/provider';
import { unpackArchive, type UnpackedArchive } from '../archive/unpack-archive.ts';
import type { ArtifactContent } from '../discovery/skill-entry.ts';
import type { DocumentContext } from '../http/live-document.ts';
import { send } from '../http/send.ts';
import type { HttpSkillLimits } from './http-skill-provider-options.ts';

const accept: Readonly<Record<ArtifactContent['kind'], string>> = {
  'skill-md': 'text/markdown, text/plain;q=0.9, */*;q=0.5',
  archive: 'application/gzip, application/zip, */*;q=0.5',
};

/** What artifacts are read with. */
export interface ArtifactContext extends DocumentContext {
  readonly limits: HttpSkillLimits;
  /** Separates what is cached for different audiences. */
  readonly scope: string;
  readonly artifacts: SizedCache<UnpackedArchive>;
}

/**
 * Reads the files of an artifact. It is named by its digest, so it is cached without expiry, and
 * refused before parsing if the digest does not match.
 *
 * @throws {SkillError} `digest-mismatch`, and those of the request and of unpacking
 */
export async function readArtifact(
  content: ArtifactContent,
  context: ArtifactContext,
  signal: AbortSignal | undefined,
): Promise<UnpackedArchive> {
  const key = `${content.kind} ${content.digest}`;
  const kept = context.artifacts.get(`${context.scope} ${key}`);
  if (kept !== undefined) return kept;
  return await context.flights.join(`${key} ${content.url}`, signal, async (inner) => {
    const bytes = (await context.cache.readBlob(content.digest)) ?? (await download(content, context, inner));
    const unpacked: UnpackedArchive =
      content.kind === 'archive'
        ? await unpackArchive(bytes, context.limits)
        : { files: new Map([['SKILL.md', bytes]]), wrapper: undefined, litter: [] };
    const size = [...unpacked.files].reduce((sum, [path, file]) => sum + file.length + path.length + 100, 0);
    context.artifacts.set(`${context.scope} ${key}`, unpacked, size);
    return unpacked;
  });
}

async function download({ kind, url, digest }: ArtifactContent, context: ArtifactContext, signal: AbortSignal): Promise<Uint8Array> {
  const { http, limits, cache } = context;
  const { bytes } = await send({ url, accept: accept[kind], maxBytes: limits.artifactBytes }, http, signal);
  const found = bytes === null ? 'nothing (304)' : await sha256Hex(bytes);
  if (bytes === null || found !== digest) throw mismatch(url, digest, found, http.label);
  await cache.writeBlob(digest, bytes);
  return bytes;
}

/** The error for bytes with another digest than promised. */
export function mismatch(url: string, promised: string, found: string, source: string): SkillError {
  return new SkillError(
    'digest-mismatch',
    `[skill-http] ${url} is not what its index promises: sha256 ${found} instead of ${promised}. Nothing of it is used; the publisher has to bring index and file together.`,
    { source, path: url },
  );
}
