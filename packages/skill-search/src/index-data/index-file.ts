import { SkillError } from '@repertoire/skills-core';
import type { SearchLanguage } from '../languages/search-language.ts';
import { fieldRules, placeMask } from './posting.ts';
import { segmentSize, type Segment } from './segment.ts';

/** A skill in an index file. */
export interface FiledSkill {
  readonly name: string;
  /** Fingerprint of level 1 and of the host's digest, as listed. */
  readonly mark: string;
  /** Fingerprint of the body. */
  readonly bodyMark: string;
}

/** A segment to write, with the skills by their place. */
export interface FiledSegment {
  readonly segment: Segment;
  readonly skills: readonly FiledSkill[];
}

/** The indexing rules. Raise the number when splitting, stemming or stop words change. */
const format = `repertoire-skill-search 2 ${JSON.stringify(fieldRules)}`;
const damaged = 'it is damaged';

/** Words are stemmed by the languages, so an index works only with the same ones. */
function formatOf(languages: readonly SearchLanguage[]): string {
  return [format, ...languages.map(({ id }) => id)].join(' ');
}

const mostHeaderBytes = 64 * 1_024 * 1_024;

/**
 * Serializes segments: the length of a JSON header, the header, and the arrays as they are in
 * memory. On a machine with another byte order, which is rare, the offsets look wrong and the file
 * is rejected.
 */
export function writeIndexFile(filed: readonly FiledSegment[], languages: readonly SearchLanguage[] = []): Uint8Array<ArrayBuffer> {
  const header = new TextEncoder().encode(
    JSON.stringify({
      format: formatOf(languages),
      segments: filed.map(({ segment, skills }) => ({
        terms: segment.hashes.length,
        postings: segment.postings.length,
        skills: skills.map(({ name, mark, bodyMark }) => [name, mark, bodyMark]),
      })),
    }),
  );
  const arrays = filed.flatMap(({ segment: { hashes, offsets, postings } }) => [hashes, offsets, postings]);
  const start = aligned(4 + header.length);
  const bytes = new Uint8Array(start + arrays.reduce((sum, { byteLength }) => sum + byteLength, 0));
  new DataView(bytes.buffer).setUint32(0, header.length, true);
  bytes.set(header, 4);
  let at = start;
  for (const array of arrays) {
    bytes.set(new Uint8Array(array.buffer, array.byteOffset, array.byteLength), at);
    at += array.byteLength;
  }
  return bytes;
}

/**
 * Parses the output of {@link writeIndexFile}, a segment at a time, so that the caller can yield in
 * between. The arrays are views of the bytes, so nothing is copied, and only the header is parsed.
 *
 * @throws {SkillError} `invalid-options` with the reason. A damaged file is rejected
 */
export function* readIndexFile(bytes: Uint8Array, languages: readonly SearchLanguage[] = []): Generator<FiledSegment> {
  // Typed arrays must start at a multiple of four bytes.
  const file = bytes.byteOffset % 4 === 0 ? bytes : bytes.slice();
  if (file.length < 4) throw refusal(damaged);
  const headerLength = new DataView(file.buffer, file.byteOffset).getUint32(0, true);
  if (headerLength > Math.min(mostHeaderBytes, file.length - 4)) throw refusal(damaged);
  let at = aligned(4 + headerLength);
  for (const { terms, postings, skills } of parseHeader(file.subarray(4, 4 + headerLength), languages)) {
    const take = (length: number): Uint32Array => {
      if (!Number.isSafeInteger(length) || length < 0 || at + length * 4 > file.length) throw refusal(damaged);
      const array = new Uint32Array(file.buffer, file.byteOffset + at, length);
      at += length * 4;
      return array;
    };
    const segment: Segment = { size: skills.length, hashes: take(terms), offsets: take(terms + 1), postings: take(postings) };
    checkSegment(segment);
    yield { segment, skills };
  }
}

interface SegmentHeader {
  readonly terms: number;
  readonly postings: number;
  readonly skills: readonly FiledSkill[];
}

function parseHeader(bytes: Uint8Array, languages: readonly SearchLanguage[]): SegmentHeader[] {
  let header: unknown;
  try {
    header = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch (error) {
    throw refusal(damaged, error);
  }
  const { format: written, segments } = (header ?? {}) as { format?: unknown; segments?: unknown };
  if (written !== formatOf(languages)) throw refusal('it was written by another version of this package, or with other languages');
  if (!Array.isArray(segments)) throw refusal(damaged);
  return segments.map((segment: unknown) => {
    const { terms, postings, skills } = (segment ?? {}) as { terms?: unknown; postings?: unknown; skills?: unknown };
    if (typeof terms !== 'number' || typeof postings !== 'number' || !Array.isArray(skills) || skills.length > segmentSize)
      throw refusal(damaged);
    return {
      terms,
      postings,
      skills: skills.map((skill: unknown) => {
        const [name, mark, bodyMark] = Array.isArray(skill) ? (skill as unknown[]) : [];
        if (typeof name !== 'string' || typeof mark !== 'string' || typeof bodyMark !== 'string') throw refusal(damaged);
        return { name, mark, bodyMark };
      }),
    };
  });
}

/** Checks the offsets, which are followed later. */
function checkSegment({ size, hashes, offsets, postings }: Segment): void {
  let previous = 0;
  // Index loops, because there are millions of entries and iterators are several times slower.
  for (let term = 0; term < offsets.length; term += 1) {
    const offset = offsets[term] as number;
    if (offset < previous) throw refusal(damaged);
    previous = offset;
  }
  if (offsets[0] !== 0 || previous !== postings.length) throw refusal(damaged);
  for (let term = 1; term < hashes.length; term += 1) if ((hashes[term] as number) <= (hashes[term - 1] as number)) throw refusal(damaged);
  let highest = 0;
  for (let at = 0; at < postings.length; at += 1) {
    const place = (postings[at] as number) & placeMask;
    if (place > highest) highest = place;
  }
  if (postings.length > 0 && highest >= size) throw refusal(damaged);
}

function aligned(length: number): number {
  return Math.ceil(length / 4) * 4;
}

function refusal(why: string, cause?: unknown): SkillError {
  return new SkillError('invalid-options', `The search index cannot be used: ${why}. Write it again with exportIndex().`, { cause });
}
