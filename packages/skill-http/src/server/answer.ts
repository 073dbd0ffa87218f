import { SkillError } from '@repertoire/skills-core';
import { compressedOnItsWay } from './compressed-on-its-way.ts';
import { bytesOfFile, type SiteFile } from './site.ts';
import type { SiteKeeper } from './site-keeper.ts';

/** How answers are made. */
export interface AnswerSettings {
  readonly cacheControl: string;
  readonly cors: boolean | string;
}

const immutable = 'public, max-age=31536000, immutable';
const retryAfterSeconds = '5';

/** Answers one request. */
export async function answer(request: Request, keeper: SiteKeeper, settings: AnswerSettings): Promise<Response> {
  const headers = commonHeaders(settings);
  if (request.method === 'OPTIONS') {
    headers.set('access-control-allow-methods', 'GET, HEAD');
    headers.set('access-control-allow-headers', 'if-none-match');
    headers.set('access-control-max-age', '86400');
    headers.set('allow', 'GET, HEAD, OPTIONS');
    return new Response(null, { status: 204, headers });
  }
  if (request.method !== 'GET' && request.method !== 'HEAD') {
    headers.set('allow', 'GET, HEAD, OPTIONS');
    return plain(405, 'Only GET and HEAD are answered.', request, headers);
  }
  const path = decodedPath(request.url);
  let file: SiteFile | null;
  try {
    file = path === null ? null : keeper.find(await keeper.current(request.signal), path);
  } catch (error) {
    request.signal.throwIfAborted();
    if (!SkillError.isInstance(error)) throw error;
    headers.set('retry-after', retryAfterSeconds);
    headers.set('cache-control', 'no-store');
    // Only the host sees the reason, in `diagnostics`.
    return plain(503, 'The skills cannot be read just now.', request, headers);
  }
  if (file === null) {
    headers.set('cache-control', 'no-cache');
    return plain(404, 'Not found.', request, headers);
  }
  return await served(file, request, headers, settings);
}

async function served(file: SiteFile, request: Request, headers: Headers, settings: AnswerSettings): Promise<Response> {
  const etag = `"${file.digest.slice(0, 32)}"`;
  headers.set('etag', etag);
  headers.set('cache-control', file.immutable ? immutable : settings.cacheControl);
  if (matches(request.headers.get('if-none-match'), etag)) return new Response(null, { status: 304, headers });
  headers.set('content-type', file.mediaType);
  const bytes = request.method === 'HEAD' ? null : await bytesOfFile(file);
  if (file.isStored) {
    headers.append('vary', 'accept-encoding');
    const compressed = bytes && compressedOnItsWay(bytes, request);
    if (compressed !== null) {
      headers.set('etag', `W/${etag}`);
      headers.set('content-encoding', 'gzip');
      return new Response(compressed, { headers, encodeBody: 'manual' } as ResponseInit);
    }
  }
  headers.set('content-length', String(file.length));
  // The platform refuses shared memory by itself.
  return new Response(bytes as Uint8Array<ArrayBuffer> | null, { headers });
}

function commonHeaders({ cors }: AnswerSettings): Headers {
  const headers = new Headers({
    'x-content-type-options': 'nosniff',
    // Pages of skills must not run as a part of the site that serves them.
    'content-security-policy': "default-src 'none'; sandbox",
  });
  if (cors !== false) {
    headers.set('access-control-allow-origin', cors === true ? '*' : cors);
    headers.set('access-control-expose-headers', 'etag, retry-after');
    if (cors !== true) headers.set('vary', 'origin');
  }
  return headers;
}

function plain(status: number, text: string, request: Request, headers: Headers): Response {
  headers.set('content-type', 'text/plain; charset=utf-8');
  return new Response(request.method === 'HEAD' ? null : `${text}\n`, { status, headers });
}

function decodedPath(url: string): string | null {
  try {
    return decodeURIComponent(new URL(url).pathname);
  } catch {
    // A path that is not UTF-8 leads to nothing here.
    return null;
  }
}

/** RFC 9110, section 13.1.2: compared weakly. */
function matches(ifNoneMatch: string | null, etag: string): boolean {
  if (ifNoneMatch === null) return false;
  return ifNoneMatch.split(',').some((tag) => tag.trim() === '*' || tag.trim().replace(/^W\//, '') === etag);
}
