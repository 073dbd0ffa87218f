import { SkillError, type SkillErrorCode } from '@repertoire/skills-core';
import { isPrivateHost } from './is-private-host.ts';

/** Where requests may go. */
export interface UrlPolicy {
  readonly label: string;
  /** Origins that may be asked, and whether each is private, cached since indexes repeat hosts. */
  readonly origins: ReadonlyMap<string, boolean>;
  readonly allowHttp: boolean;
  readonly allowPrivateAddresses: boolean;
}

/**
 * A URL that may be asked: parsed, and without a fragment.
 *
 * @throws {SkillError} `permission-denied` (or another code) with what it breaks and which option
 *   allows it
 */
export function checkUrl(
  reference: string,
  policy: UrlPolicy,
  { base, code = 'permission-denied' }: { base?: string | undefined; code?: SkillErrorCode | undefined } = {},
): URL {
  const refuse = (reason: string) =>
    new SkillError(code, `[skill-http] ${shortened(reference)} is not asked: ${reason}`, { source: policy.label, path: reference });
  if (!URL.canParse(reference, base)) throw refuse('it is no valid URL.');
  const url = new URL(reference, base);
  url.hash = '';
  if (url.protocol !== 'https:' && url.protocol !== 'http:') throw refuse(`its scheme is ${url.protocol} and must be https:.`);
  if (url.protocol === 'http:' && !policy.allowHttp) throw refuse('it is not https. Where that is meant, say allowHttp: true.');
  if (url.username !== '' || url.password !== '') throw refuse('it carries credentials. Give them as headers.');
  const known = policy.origins.get(url.origin);
  if (!policy.allowPrivateAddresses && (known ?? isPrivateHost(url.hostname)))
    throw refuse(`${url.hostname} is not a public host. Where that is meant, say allowPrivateAddresses: true.`);
  if (known === undefined) throw refuse(`${url.origin} is not an allowed origin. Where that is meant, add it to allowedOrigins.`);
  return url;
}

function shortened(text: string): string {
  return JSON.stringify(text.length > 200 ? `${text.slice(0, 200)}…` : text);
}
