import { SkillError, type SkillDiagnostic } from '@repertoire/skills-core';
import { sha256Hex } from '@repertoire/skills-core/provider';
import { indexCandidates } from '../discovery/candidates.ts';
import { signatureFile } from '../discovery/discovery-format.ts';
import { NoIndexError, parseIndex, type SkillIndex } from '../discovery/parse-index.ts';
import { failure, isAbsent } from '../http/http-failure.ts';
import {
  LiveDocument,
  questionFor,
  type AskServer,
  type DocumentContext,
  type DocumentCopy,
  type FetchDocument,
} from '../http/live-document.ts';
import type { HttpAnswer } from '../http/send-once.ts';
import type { HttpSkillSettings } from './http-skill-provider-options.ts';

/** The index of a place, with where it was found. */
interface FoundIndex extends SkillIndex {
  /** The address that was asked. A redirect may have led elsewhere. */
  readonly candidate: string;
  /**
   * When its signature stops being valid, in milliseconds since 1970. `Infinity` where none is
   * asked for.
   */
  readonly validUntil: number;
}

const accept = 'application/json, */*;q=0.5';

/** The most bytes of the signature of an index. */
const maxSignatureBytes = 1_048_576;

/** The index of the place, kept up to date. */
export type Catalog = LiveDocument<FoundIndex>;

/** What is needed to look for an index. */
interface IndexSearch {
  readonly settings: HttpSkillSettings;
  /** Where an index may be, best first. */
  readonly candidates: readonly string[];
}

/**
 * Looks for the index, best place first. An index with digests is never replaced by one without.
 */
export function createCatalog(settings: HttpSkillSettings, context: DocumentContext): Catalog {
  const { url, layout, verifyIndex } = settings;
  const all = indexCandidates(url, layout);
  // The signature of an index does not cover files without digests.
  const search: IndexSearch = { settings, candidates: verifyIndex === undefined ? all : all.slice(0, 1) };
  return new LiveDocument<FoundIndex>(
    {
      key: `index ${layout} ${url}`,
      fetch: (ask, previous) => fetchIndex(search, ask, previous),
      validUntil: ({ validUntil }) => validUntil,
      restore: (bytes, from) => restoreIndex(search, bytes, from),
    },
    context,
  );
}

async function fetchIndex(
  { settings, candidates }: IndexSearch,
  ask: AskServer,
  previous: DocumentCopy<FoundIndex> | null,
): ReturnType<FetchDocument<FoundIndex>> {
  const tried: string[] = [];
  const last = previous === null ? candidates.length : candidates.indexOf(previous.value.candidate) + 1;
  for (const candidate of candidates.slice(0, last)) {
    const known = previous?.value.candidate === candidate ? previous : null;
    try {
      const answer = await ask(questionFor(candidate, accept, settings.limits.indexBytes, known));
      // The same bytes are the same index, so everything that was derived from it stays valid.
      if (known !== null && (answer.bytes === null || isSame(answer, known))) {
        // Its signature may have been renewed, or have become too old.
        return { answer, value: { ...known.value, validUntil: await verified(settings, known.bytes, known.url, ask) } };
      }
      if (answer.bytes === null) continue;
      const validUntil = await verified(settings, answer.bytes, answer.url, ask);
      return { answer, value: { ...(await usableIndex(settings, answer.bytes, answer.url)), candidate, validUntil } };
    } catch (error) {
      if (error instanceof NoIndexError) tried.push(`${candidate} ${error.message}`);
      else if (isAbsent(error)) tried.push(`${candidate} is not there`);
      else throw error;
    }
  }
  const why = `publishes no skills that could be read: ${tried.join('; ')}. Check the url, or give that of the index.`;
  throw failure('source-unavailable', settings.url, why, { source: settings.label });
}

/**
 * Until when an index may serve. The name of the signature has the digest of the index, so the two
 * belong together.
 */
async function verified({ verifyIndex }: HttpSkillSettings, bytes: Uint8Array, url: string, ask: AskServer): Promise<number> {
  if (verifyIndex === undefined) return Number.POSITIVE_INFINITY;
  const digest = await sha256Hex(bytes);
  const question = questionFor(new URL(signatureFile(digest), url).href, accept, maxSignatureBytes, null);
  const answer = await ask(question).catch((error: unknown) => {
    if (isAbsent(error)) return null;
    throw error;
  });
  return (await verifyIndex({ digest, signature: answer?.bytes ?? null })).validUntil;
}

async function usableIndex(settings: HttpSkillSettings, bytes: Uint8Array, url: string): Promise<SkillIndex> {
  const { label, http, profile, limits, verifyIndex } = settings;
  const index = await parseIndex(bytes, { url, policy: http.policy, profile, maxSkills: limits.skills, maxFiles: limits.files });
  if (verifyIndex !== undefined && index.layout !== '0.2.0') {
    throw new SkillError(
      'signature-refused',
      `[skill-http] ${url} has no digests, so a signature cannot cover what it lists. Publish the discovery index 0.2.0.`,
      { source: label, path: url },
    );
  }
  return index;
}

async function restoreIndex({ settings, candidates }: IndexSearch, bytes: Uint8Array, url: string): Promise<FoundIndex> {
  // The signature is not cached, and an index without its signature must not be used.
  if (settings.verifyIndex !== undefined) throw new SkillError('source-unavailable', 'A signed index is read from its server.');
  try {
    const index = await usableIndex(settings, bytes, url);
    // Only the rank of the layout matters. A redirect may hide the candidate, so the first match is
    // used.
    const rank = index.layout === '0.2.0' ? 0 : index.layout === '0.1.0' ? 1 : 2;
    const candidate = candidates.find((each) => each === url) ?? candidates[Math.min(rank, candidates.length - 1)] ?? '';
    return { ...index, candidate, validUntil: Number.POSITIVE_INFINITY };
  } catch (error) {
    if (!(error instanceof NoIndexError)) throw error;
    throw new SkillError('source-unavailable', error.message);
  }
}

function isSame({ bytes, url }: HttpAnswer, known: DocumentCopy<FoundIndex>): boolean {
  return url === known.url && bytes?.length === known.bytes.length && bytes.every((byte, index) => byte === known.bytes[index]);
}

/** The diagnostics of the catalog: that an old copy serves, and why. */
export function catalogDiagnostics(catalog: Catalog, settings: Pick<HttpSkillSettings, 'url'>): SkillDiagnostic[] {
  const { copy, failure: error } = catalog;
  if (copy === null) return [];
  const notes: SkillDiagnostic[] = [...copy.value.diagnostics];
  if (error !== null) {
    notes.push({
      code: 'stale-index',
      severity: 'warning',
      message: `The last good copy of ${copy.url} serves, of ${new Date(copy.checkedAt).toISOString()}, since there is no newer one: ${error.message}`,
      path: copy.url,
      fix: 'Fix the server; nothing has to be done here.',
    });
  }
  if (copy.value.layout !== '0.2.0' && new URL(copy.url).protocol === 'http:') {
    notes.push({
      code: 'unverified',
      severity: 'warning',
      message: `${copy.url} has no digests and comes over http:, so that anyone on the way can change what it serves.`,
      path: settings.url,
      fix: 'Publish the discovery index 0.2.0, or over https.',
    });
  }
  return notes;
}
