import { s3SkillStore, type SkillStore } from '@repertoire/skill-storage';
import { withoutTrailing } from '@repertoire/skills-core/internal';
import { AwsClient } from 'aws4fetch';
import { folderSkillStore } from './folder-skill-store.ts';
import { kvRestSkillStore } from './kv-rest-skill-store.ts';
import { openLocalBinding, type OpenStore } from './local-bindings.ts';
import type { BucketTarget, PublishTarget } from './publish-target.ts';
import { wrongUsage } from '../text/wrong-usage.ts';

/** What else tells where a target is. */
export interface OpenTargetOptions {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The S3 endpoint or Cloudflare's API. @default that of AWS or Cloudflare */
  readonly endpoint?: string | undefined;
  /** @default AWS_REGION, AWS_DEFAULT_REGION */
  readonly region?: string | undefined;
  /** The folder of a Worker, whose local storage is meant. */
  readonly local?: string | undefined;
  readonly persistTo?: string | undefined;
}

const cloudflareApi = 'https://api.cloudflare.com/client/v4';

/**
 * Opens the store of a target.
 *
 * @throws {SkillError} `invalid-options` that names the environment variables that are missing
 */
export async function openTarget(target: PublishTarget, options: OpenTargetOptions): Promise<OpenStore> {
  if (options.local !== undefined) {
    if (target.kind !== 'r2' && target.kind !== 'kv') {
      throw wrongUsage('--local is the storage of wrangler dev. Give --to r2://BINDING/prefix or kv://BINDING/prefix.');
    }
    return await openLocalBinding({ kind: target.kind, binding: target.name, project: options.local, persistTo: options.persistTo });
  }
  return { store: openRemote(target, options), dispose: async () => undefined };
}

function openRemote(target: PublishTarget, { env, endpoint, region: givenRegion }: OpenTargetOptions): SkillStore {
  switch (target.kind) {
    case 'folder':
      return folderSkillStore(target.folder);
    case 'kv': {
      const { CLOUDFLARE_API_TOKEN: token } = need(env, ['CLOUDFLARE_API_TOKEN'], 'kv:// writes by the API of Cloudflare');
      return kvRestSkillStore({ url: `${kvBase(env, endpoint)}/storage/kv/namespaces/${target.name}`, token });
    }
    case 's3':
    case 'r2': {
      const { AWS_ACCESS_KEY_ID: accessKeyId, AWS_SECRET_ACCESS_KEY: secretAccessKey } = need(
        env,
        ['AWS_ACCESS_KEY_ID', 'AWS_SECRET_ACCESS_KEY'],
        target.kind === 'r2' ? 'r2:// writes by the S3 API of R2; make an API token of R2 for it' : 's3:// signs its requests',
      );
      const { url, region } = bucketOf(target, env, endpoint, givenRegion);
      const sessionToken = filled(env['AWS_SESSION_TOKEN']);
      if (sessionToken !== undefined) checkCredential('AWS_SESSION_TOKEN', sessionToken);
      const client = new AwsClient({
        accessKeyId,
        secretAccessKey,
        region,
        service: 's3',
        // With its own waits in between; ten, its default, is a minute.
        retries: 5,
        ...(sessionToken !== undefined && { sessionToken }),
      });
      return s3SkillStore({ url, fetch: (address, init) => client.fetch(address, init) });
    }
  }
}

function bucketOf(
  { kind, name }: BucketTarget,
  env: OpenTargetOptions['env'],
  givenEndpoint: string | undefined,
  givenRegion: string | undefined,
): { readonly url: string; readonly region: string } {
  if (kind === 'r2') {
    const endpoint =
      givenEndpoint ??
      `https://${need(env, ['CLOUDFLARE_ACCOUNT_ID'], 'r2:// needs the account').CLOUDFLARE_ACCOUNT_ID}.r2.cloudflarestorage.com`;
    return { url: `${withoutSlash(endpoint)}/${name}`, region: givenRegion ?? 'auto' };
  }
  const endpoint = givenEndpoint ?? filled(env['AWS_ENDPOINT_URL_S3']) ?? filled(env['AWS_ENDPOINT_URL']);
  const region = givenRegion ?? filled(env['AWS_REGION']) ?? filled(env['AWS_DEFAULT_REGION']);
  if (endpoint !== undefined) return { url: `${withoutSlash(endpoint)}/${name}`, region: region ?? 'us-east-1' };
  if (region === undefined) throw wrongUsage('s3:// needs the region of the bucket. Give --region, or set AWS_REGION.');
  // The certificate of AWS is for one label before its own name.
  const url = name.includes('.') ? `https://s3.${region}.amazonaws.com/${name}` : `https://${name}.s3.${region}.amazonaws.com`;
  return { url, region };
}

function kvBase(env: OpenTargetOptions['env'], endpoint: string | undefined): string {
  if (endpoint !== undefined) return withoutSlash(endpoint);
  return `${cloudflareApi}/accounts/${need(env, ['CLOUDFLARE_ACCOUNT_ID'], 'kv:// needs the account').CLOUDFLARE_ACCOUNT_ID}`;
}

function need<const Name extends string>(env: OpenTargetOptions['env'], names: readonly Name[], why: string): Record<Name, string> {
  const missing = names.filter((name) => filled(env[name]) === undefined);
  if (missing.length > 0) throw wrongUsage(`There are no credentials: ${why}. Set ${missing.join(' and ')}.`);
  for (const name of names) checkCredential(name, env[name] ?? '');
  return Object.fromEntries(names.map((name) => [name, env[name]])) as Record<Name, string>;
}

/** What refuses such a header quotes it, and a secret is nothing to quote. */
function checkCredential(name: string, value: string): void {
  if (/^[\u0021-\u007E]+$/.test(value)) return;
  throw wrongUsage(
    `${name} has a space, a line break or another character that no credential has. Set it again, without what stands around it.`,
  );
}

function filled(text: string | undefined): string | undefined {
  return text === '' ? undefined : text;
}

function withoutSlash(url: string): string {
  if (!URL.canParse(url))
    throw wrongUsage(`--endpoint ${JSON.stringify(url.replace(/^.*@/s, '…@'))} is no URL. Give one such as https://s3.example.com.`);
  const { username, password, search, hash, host } = new URL(url);
  if (username !== '' || password !== '' || search !== '' || hash !== '') {
    throw wrongUsage(
      `--endpoint of ${host} has a user, a query or a fragment. Give it without; credentials are taken from the environment.`,
    );
  }
  return withoutTrailing(url, '/');
}
