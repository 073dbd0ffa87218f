import { SkillError } from '@repertoire/skills-core';
import { assertKnownOptions, type OptionRules } from '@repertoire/skills-core/internal';
import { readUpTo } from './read-up-to.ts';
import type {
  SkillStore,
  SkillStoreCallOptions,
  SkillStoreEntry,
  SkillStoreGetOptions,
  SkillStoreObject,
  SkillStorePutOptions,
} from './skill-store.ts';

/** Options of {@link s3SkillStore}. */
export interface S3SkillStoreOptions {
  /**
   * URL of the bucket, with the bucket in the path or in the host:
   * `https://s3.eu-central-1.amazonaws.com/my-bucket`,
   * `https://my-bucket.s3.eu-central-1.amazonaws.com`.
   */
  readonly url: string | URL;
  /** Signs and sends a request, such as the `fetch` of an `AwsClient` of aws4fetch. */
  readonly fetch: (url: string, init: RequestInit) => Promise<Response>;
}

/** Signs and sends a request of the bucket. */
type Send = (url: string, init: RequestInit, signal: AbortSignal | undefined) => Promise<Response>;

const maxErrorBytes = 65_536;
const maxQuoted = 500;
const noSuchBucket = 'NoSuchBucket';

const knownOptions: OptionRules<S3SkillStoreOptions> = {
  url: { string: true, '{}': true },
  fetch: '()',
};

/**
 * Keeps skills in a bucket with the S3 API: AWS, R2 from outside of Workers, MinIO and others.
 * Ranges are supported. Concurrent publishers take turns if the server honors `If-Match` for
 * writes, as AWS and R2 do; otherwise the last one wins. Redirects are not followed, because a
 * signature is valid for one URL.
 *
 * @throws {SkillError} `invalid-options` for an invalid URL, and for one with a user, a query or a
 *   fragment. Calls reject with an `Error` that contains the status and the server's code
 * @example
 * ```ts
 * import { s3SkillStore, storageSkillProvider } from '@repertoire/skill-storage';
 *
 * // For example `(url, init) => new AwsClient({ accessKeyId, secretAccessKey, region, service: 's3' }).fetch(url, init)`.
 * export function skillsOf(signedFetch: (url: string, init: RequestInit) => Promise<Response>) {
 *   const store = s3SkillStore({ url: 'https://s3.eu-central-1.amazonaws.com/my-skills', fetch: signedFetch });
 *   return storageSkillProvider({ label: 'team', store });
 * }
 * ```
 */
export function s3SkillStore(options: S3SkillStoreOptions): SkillStore {
  assertKnownOptions('s3SkillStore', options, knownOptions);
  const base = bucketUrl(options.url);
  const urlOf = (key: string): string => `${base}/${key}`;
  const send: Send = (url, init, signal) => options.fetch(url, { ...init, redirect: 'manual', ...(signal !== undefined && { signal }) });

  return {
    label: 's3',
    conditional: true,
    get: async (key, given = {}) => await getObject(send, urlOf(key), given),
    put: async (key, bytes, given = {}) => await putObject(send, urlOf(key), bytes, given),
    list: async (prefix, given = {}) => await listObjects(send, base, prefix, given),

    async delete(keys, { signal } = {}) {
      for (const key of keys) {
        const response = await send(urlOf(key), { method: 'DELETE' }, signal);
        if (!response.ok && response.status !== 404) throw (await failureOf(response, `DELETE ${urlOf(key)}`)).error;
        await response.body?.cancel();
      }
    },
  };
}

async function getObject(send: Send, url: string, { maxBytes, signal }: SkillStoreGetOptions): Promise<SkillStoreObject | null> {
  const range = maxBytes === undefined ? {} : { range: `bytes=0-${maxBytes - 1}` };
  let response = await send(url, { headers: range }, signal);
  // An empty object has no valid range.
  if (response.status === 416) response = await send(url, {}, signal);
  if (!response.ok) {
    const failure = await failureOf(response, `GET ${url}`);
    if (response.status === 404 && failure.code !== noSuchBucket) return null;
    throw failure.error;
  }
  const etag = response.headers.get('etag');
  const { bytes, length } = maxBytes === undefined ? await readWhole(response) : await readUpTo(response, maxBytes, lengthOf(response));
  return { bytes, size: length, ...(etag !== null && { etag }) };
}

async function putObject(send: Send, url: string, bytes: Uint8Array, { ifMatch, signal }: SkillStorePutOptions): Promise<boolean> {
  const condition: Record<string, string> =
    ifMatch === undefined ? {} : ifMatch === null ? { 'if-none-match': '*' } : { 'if-match': ifMatch };
  const write = async (headers: Record<string, string>): Promise<Response> => {
    const all = { 'content-type': 'application/octet-stream', ...headers };
    return await send(url, { method: 'PUT', body: bytes as Uint8Array<ArrayBuffer>, headers: all }, signal);
  };
  let response = await write(condition);
  // A server that does not support conditions may answer 501, or ignore them silently.
  if (ifMatch !== undefined && response.status === 501) {
    await response.body?.cancel();
    response = await write({});
  }
  if (!response.ok) {
    const failure = await failureOf(response, `PUT ${url}`);
    // S3 answers 409 during another write, and 404 if the object to match is gone.
    if (ifMatch !== undefined && [412, 409, 404].includes(response.status) && failure.code !== noSuchBucket) return false;
    throw failure.error;
  }
  await response.body?.cancel();
  return true;
}

async function listObjects(send: Send, base: string, prefix: string, { signal }: SkillStoreCallOptions): Promise<SkillStoreEntry[]> {
  const entries: SkillStoreEntry[] = [];
  let token: string | undefined;
  do {
    const query = new URLSearchParams({ 'list-type': '2', prefix, ...(token !== undefined && { 'continuation-token': token }) });
    const url = `${base}?${query}`;
    const response = await send(url, {}, signal);
    if (!response.ok) throw (await failureOf(response, `GET ${url}`)).error;
    const page = await response.text();
    if (!page.includes('<ListBucketResult')) throw new Error(`GET ${url}: the answer is no listing of S3.`);
    const contents = page.split('<Contents>').slice(1);
    entries.push(...contents.map((part) => listedObject(part.split('</Contents>', 1)[0] ?? '')));
    const next = textIn(page, 'IsTruncated') === 'true' ? textIn(page, 'NextContinuationToken') : undefined;
    if (next !== undefined && next === token) throw new Error(`GET ${url}: the listing goes in circles.`);
    token = next;
  } while (token !== undefined);
  return entries;
}

function listedObject(contents: string): SkillStoreEntry {
  const [size, modified] = [Number(textIn(contents, 'Size') ?? Number.NaN), Date.parse(textIn(contents, 'LastModified') ?? '')];
  return {
    key: textIn(contents, 'Key') ?? '',
    ...(!Number.isNaN(size) && { size }),
    ...(!Number.isNaN(modified) && { uploadedAt: modified }),
  };
}

/** Errors contain the URL, so it must not contain a secret. */
function bucketUrl(text: string | URL): string {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url === null) throw new SkillError('invalid-options', 'The url of s3SkillStore is no URL. Write it with https:// and the bucket.');
  if (url.username !== '' || url.password !== '' || url.search !== '' || url.hash !== '') {
    throw new SkillError(
      'invalid-options',
      `The URL of a bucket of ${url.host} has a user, a query or a fragment. Leave that out; options.fetch signs.`,
    );
  }
  return url.href.replace(/\/$/, '');
}

async function readWhole(response: Response): Promise<{ readonly bytes: Uint8Array; readonly length: number }> {
  const bytes = new Uint8Array(await response.arrayBuffer());
  return { bytes, length: bytes.length };
}

function lengthOf({ headers, status }: Response): number | undefined {
  const told =
    status === 206
      ? /\/(\d+)$/.exec(headers.get('content-range') ?? '')?.[1]
      : headers.has('content-encoding')
        ? null
        : headers.get('content-length');
  return told === undefined || told === null ? undefined : Number(told);
}

/** The server's message, if short: it tells a missing bucket from a missing object. */
async function failureOf(response: Response, what: string): Promise<{ readonly error: Error; readonly code: string | undefined }> {
  const { bytes } = await readUpTo(response, maxErrorBytes, maxErrorBytes);
  const body = new TextDecoder().decode(bytes);
  const code = textIn(body, 'Code');
  const told = [code, textIn(body, 'Message')].filter((text) => text !== undefined).join(': ');
  return { error: new Error(`${what}: ${response.status}${told === '' ? '' : ` ${told.slice(0, maxQuoted)}`}`), code };
}

/** The text of an element. Our keys need no unescaping; tokens and messages may. */
function textIn(xml: string, element: string): string | undefined {
  const text = new RegExp(`<${element}>([^<]*)</${element}>`).exec(xml)?.[1];
  return text?.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&quot;', '"').replaceAll('&#34;', '"').replaceAll('&amp;', '&');
}
