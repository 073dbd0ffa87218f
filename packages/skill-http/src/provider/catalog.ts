import { SkillError, type SkillDiagnostic } from '@repertoire/skills-core';
import { sha256Hex } from '@repertoire/skills-core/provider';
import { indexCandidates } from '../discovery/candidates.ts';
import { signatureFile } from '../discovery/discovery-format.ts';
import { NoIndexError, parseIndex, type SkillIndex } from '../discovery/parse-index.ts';
import { failure, isAbsent } from '../http/http-failure.ts';
import { LiveDocument, questionFor, type DocumentContext, type DocumentCopy } from '../http/live-document.ts';
import type { HttpAnswer, HttpQuestion } from '../http/send-once.ts';
import type { HttpSkillSettings } from './http-skill-provider-options.ts';

/** The index of a place, with where it was found. */
interface FoundIndex extends SkillIndex {
  /** What was asked for: redirects may have led elsewhere. */
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

/** The index of the place, followed. */
export type Catalog = LiveDocument<FoundIndex>;

/**
 * Looks for the index, best place first. An index with digests is never replaced by one without.
 */
export function createCatalog(settings: HttpSkillSettings, context: DocumentContext): Catalog {
  const { verifyIndex } = settings;
  const all = indexCandidates(settings.url, settings.layout);
  // The signature of an index does not cover files without digests.
  const candidates = verifyIndex === undefined ? all : all.slice(0, 1);
  const { label, policy } = settings.http;

  const parse = async (bytes: Uint8Array, url: string): Promise<SkillIndex> =>
    await parseIndex(bytes, {
      url,
      policy,
      profile: settings.profile,
      maxSkills: settings.limits.skills,
      maxFiles: settings.limits.files,
    });

  /** The name of the signature has the digest of the index, so the two belong together. */
  const verified = async (bytes: Uint8Array, url: string, ask: (question: HttpQuestion) => Promise<HttpAnswer>): Promise<number> => {
    if (verifyIndex === undefined) return Number.POSITIVE_INFINITY;
    const digest = await sha256Hex(bytes);
    const question = questionFor(new URL(signatureFile(digest), url).href, accept, maxSignatureBytes, null);
    const answer = await ask(question).catch((error: unknown) => {
      if (isAbsent(error)) return null;
      throw error;
    });
    return (await verifyIndex({ digest, signature: answer?.bytes ?? null })).validUntil;
  };

  const verifiedIndex = async (
    answer: HttpAnswer,
    bytes: Uint8Array,
    candidate: string,
    ask: (question: HttpQuestion) => Promise<HttpAnswer>,
  ) => {
    const validUntil = await verified(bytes, answer.url, ask);
    const index = await parse(bytes, answer.url);
    if (verifyIndex !== undefined && index.layout !== '0.2.0') {
      throw new SkillError(
        'signature-refused',
        `[skill-http] ${answer.url} has no digests, so a signature cannot cover what it lists. Publish the discovery index 0.2.0.`,
        {
          source: label,
          path: answer.url,
        },
      );
    }
    return { ...index, candidate, validUntil };
  };

  const fetchIndex = async (ask: (question: HttpQuestion) => Promise<HttpAnswer>, previous: DocumentCopy<FoundIndex> | null) => {
    const tried: string[] = [];
    const last = previous === null ? candidates.length : candidates.indexOf(previous.value.candidate) + 1;
    for (const candidate of candidates.slice(0, last)) {
      const known = previous?.value.candidate === candidate ? previous : null;
      try {
        const answer = await ask(questionFor(candidate, accept, settings.limits.indexBytes, known));
        // The same bytes are the same index, and what was derived from it stays right.
        if (known !== null && (answer.bytes === null || isSame(answer, known))) {
          // Its signature may have been renewed, or have become too old.
          return { answer, value: { ...known.value, validUntil: await verified(known.bytes, known.url, ask) } };
        }
        if (answer.bytes !== null) return { answer, value: await verifiedIndex(answer, answer.bytes, candidate, ask) };
      } catch (error) {
        if (error instanceof NoIndexError) tried.push(`${candidate} ${error.message}`);
        else if (isAbsent(error)) tried.push(`${candidate} is not there`);
        else throw error;
      }
    }
    throw failure(
      'source-unavailable',
      settings.url,
      `publishes no skills that could be read: ${tried.join('; ')}. Check the url, or give that of the index.`,
      {
        source: label,
      },
    );
  };

  return new LiveDocument<FoundIndex>(
    {
      key: `index ${settings.layout} ${settings.url}`,
      fetch: fetchIndex,
      validUntil: ({ validUntil }) => validUntil,
      restore: async (bytes, url) => {
        // The signature is not kept, and an index without it is none.
        if (verifyIndex !== undefined) throw new SkillError('source-unavailable', 'A signed index is read from its server.');
        try {
          // Only its rank matters; a redirect may hide the candidate, so the first fit is right.
          const index = await parse(bytes, url);
          return { ...index, candidate: candidateOf(index, url), validUntil: Number.POSITIVE_INFINITY };
        } catch (error) {
          if (!(error instanceof NoIndexError)) throw error;
          throw new SkillError('source-unavailable', error.message);
        }
      },
    },
    context,
  );

  function candidateOf(index: SkillIndex, url: string): string {
    const rank = index.layout === '0.2.0' ? 0 : index.layout === '0.1.0' ? 1 : 2;
    return candidates.find((candidate) => candidate === url) ?? candidates[Math.min(rank, candidates.length - 1)] ?? '';
  }
}

function isSame({ bytes, url }: HttpAnswer, known: DocumentCopy<FoundIndex>): boolean {
  return url === known.url && bytes?.length === known.bytes.length && bytes.every((byte, index) => byte === known.bytes[index]);
}

/** What there is to say of the catalog besides its entries: that an old copy serves, and why. */
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
