import type { SkillStore, SkillStoreEntry } from './skill-store.ts';

/** Options of {@link s3SkillStore}. */
export interface S3SkillStoreOptions {
  /** The bucket, by its path or by its host: `https://s3.eu-central-1.amazonaws.com/my-bucket`, `https://my-bucket.s3.eu-central-1.amazonaws.com`. */
  readonly url: string | URL;
  /** Signs a request and sends it, such as the `fetch` of an `AwsClient` of aws4fetch. */
  readonly fetch: (url: string, init: RequestInit) => Promise<Response>;
}

/**
 * Skills in a bucket that speaks the S3 API: AWS, R2 from outside of Workers, MinIO and others. Ranges are read as ranges. Two publishers take turns where the
 * server honors `If-Match` at writing, as AWS and R2 do; a server that ignores it lets the last to end win.
 *
 * @throws {TypeError} for a URL that is none. Calls reject with an `Error` that tells the status and the server's own code.
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
  const base = new URL(options.url).href.replace(/\/$/, '');
  const urlOf = (key: string): string => `${base}/${key}`;
  const send = (url: string, init: RequestInit, signal: AbortSignal | undefined): Promise<Response> =>
    options.fetch(url, signal === undefined ? init : { ...init, signal });

  return {
    label: 's3',
    conditional: true,

    async get(key, { maxBytes, signal } = {}) {
      const range = maxBytes === undefined ? {} : { range: `bytes=0-${maxBytes - 1}` };
      let response = await send(urlOf(key), { headers: range }, signal);
      // No range of an empty object can be satisfied.
      if (response.status === 416) response = await send(urlOf(key), {}, signal);
      if (response.status === 404 && (await isAboutObject(response))) return null;
      if (!response.ok) throw await failureOf(response, `GET ${urlOf(key)}`);
      const bytes = new Uint8Array(await response.arrayBuffer());
      const whole = /\/(\d+)$/.exec(response.headers.get('content-range') ?? '')?.[1];
      const etag = response.headers.get('etag');
      return {
        bytes: bytes.slice(0, maxBytes),
        size: whole === undefined ? bytes.length : Number(whole),
        ...(etag !== null && { etag }),
      };
    },

    async put(key, bytes, { ifMatch, signal } = {}) {
      const condition: Record<string, string> =
        ifMatch === undefined ? {} : ifMatch === null ? { 'if-none-match': '*' } : { 'if-match': ifMatch };
      const response = await send(
        urlOf(key),
        { method: 'PUT', body: bytes as Uint8Array<ArrayBuffer>, headers: { 'content-type': 'application/octet-stream', ...condition } },
        signal,
      );
      // 409 is what S3 answers where another one is writing just now, 404 where what should match is gone.
      if (ifMatch !== undefined && [412, 409, 404].includes(response.status) && (await isAboutObject(response))) return false;
      if (!response.ok) throw await failureOf(response, `PUT ${urlOf(key)}`);
      await response.body?.cancel();
      return true;
    },

    async list(prefix, { signal } = {}) {
      const entries: SkillStoreEntry[] = [];
      let token: string | undefined;
      do {
        const query = new URLSearchParams({ 'list-type': '2', prefix, ...(token !== undefined && { 'continuation-token': token }) });
        const response = await send(`${base}?${query}`, {}, signal);
        if (!response.ok) throw await failureOf(response, `GET ${base}?${query}`);
        const page = await response.text();
        if (!page.includes('<ListBucketResult')) throw new Error(`GET ${base}?${query}: the answer is no listing of S3.`);
        for (const [, contents = ''] of page.matchAll(/<Contents>(.*?)<\/Contents>/gs)) {
          const [size, modified] = [Number(textIn(contents, 'Size') ?? Number.NaN), Date.parse(textIn(contents, 'LastModified') ?? '')];
          entries.push({
            key: textIn(contents, 'Key') ?? '',
            ...(!Number.isNaN(size) && { size }),
            ...(!Number.isNaN(modified) && { uploadedAt: modified }),
          });
        }
        token = textIn(page, 'IsTruncated') === 'true' ? textIn(page, 'NextContinuationToken') : undefined;
      } while (token !== undefined);
      return entries;
    },

    async delete(keys, { signal } = {}) {
      for (const key of keys) {
        const response = await send(urlOf(key), { method: 'DELETE' }, signal);
        if (!response.ok && response.status !== 404) throw await failureOf(response, `DELETE ${urlOf(key)}`);
        await response.body?.cancel();
      }
    },
  };
}

/** Whether it is the object that is missing, or another; that there is no such bucket is another matter. */
async function isAboutObject(response: Response): Promise<boolean> {
  return textIn(await response.clone().text(), 'Code') !== 'NoSuchBucket';
}

async function failureOf(response: Response, what: string): Promise<Error> {
  const body = await response.text();
  const told = [textIn(body, 'Code'), textIn(body, 'Message')].filter((text) => text !== undefined).join(': ');
  return new Error(`${what}: ${response.status}${told === '' ? '' : ` ${told}`}`);
}

/** The text of an element. Keys of ours need no unescaping; tokens and messages may. */
function textIn(xml: string, element: string): string | undefined {
  const text = new RegExp(`<${element}>([^<]*)</${element}>`).exec(xml)?.[1];
  return text?.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&quot;', '"').replaceAll('&#34;', '"').replaceAll('&amp;', '&');
}
