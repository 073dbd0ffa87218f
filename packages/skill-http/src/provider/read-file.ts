import type { SkillDiagnostic, SkillError } from '@repertoire/skills-core';
import type { SizedCache } from '@repertoire/skills-core/internal';
import { sha256Hex } from '@repertoire/skills-core/provider';
import { LiveDocument, questionFor } from '../http/live-document.ts';
import { mismatch, type ArtifactContext } from './read-artifact.ts';

/** What single files are read with. */
export interface FileContext extends ArtifactContext {
  readonly documents: SizedCache<LiveDocument<null>>;
}

/** A file as the server has it, or the last good copy. */
export interface ReadFile {
  readonly bytes: Uint8Array;
  readonly url: string;
  /** Why it is not the newest; `null` if it is. */
  readonly failure: SkillError | null;
}

/** Reads one file of a layout without artifacts, with HTTP caching. */
export async function readFile(
  { url, digest }: { readonly url: string; readonly digest: string | undefined },
  context: FileContext,
  signal: AbortSignal | undefined,
): Promise<ReadFile> {
  const key = `file ${url} ${digest ?? ''}`;
  const kept = `${context.scope} ${key}`;
  const document = context.documents.get(kept) ?? fileDocument(key, url, digest, context);
  const { bytes } = await document.current(signal);
  context.documents.set(kept, document, bytes.length + 1_000);
  return { bytes, url, failure: document.failure };
}

/** The diagnostic for a file that is not the newest. */
export function isNoticed({ failure, url }: ReadFile, skill: string): SkillDiagnostic[] {
  if (failure === null) return [];
  return [
    {
      code: 'stale-file',
      severity: 'warning',
      message: `The last good copy of ${url} serves, since there is no newer one: ${failure.message}`,
      skill,
      path: url,
      fix: 'Fix the server; nothing has to be done here.',
    },
  ];
}

function fileDocument(key: string, url: string, digest: string | undefined, context: FileContext): LiveDocument<null> {
  const { http, limits } = context;
  const check = async (bytes: Uint8Array) => {
    if (digest === undefined) return null;
    const found = await sha256Hex(bytes);
    if (found !== digest) throw mismatch(url, digest, found, http.label);
    return null;
  };
  return new LiveDocument<null>(
    {
      key,
      fetch: async (ask, previous) => {
        const answer = await ask(questionFor(url, '*/*', limits.artifactBytes, previous));
        return { answer, value: answer.bytes === null ? null : await check(answer.bytes) };
      },
      restore: check,
    },
    context,
  );
}
