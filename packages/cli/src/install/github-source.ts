import { existsSync } from 'node:fs';
import path from 'node:path';
import { SkillError, type SkillProvider } from '@repertoire/skills-core';
import { openArchiveBytes } from '../source/open-archive.ts';

/** A repository at GitHub, as a person names it. */
export interface GitHubWord {
  readonly owner: string;
  readonly repository: string;
  /** A branch, tag or commit. @default the default branch */
  readonly ref: string | undefined;
  /** Only skills below this folder. @default the whole repository */
  readonly folder: string;
}

const maxBytes = 256 * 2 ** 20;
const nameForm = /^[A-Za-z0-9_.-]{1,100}$/;

/**
 * Reads `github:owner/repository[/folder][@ref]`, the address of a page of GitHub, and
 * `owner/repository` where no folder has that name. `null` for any other source.
 */
export function parseGitHubWord(word: string, cwd: string): GitHubWord | null {
  const page = /^https:\/\/github\.com\/([^/?#]+)\/([^/?#]+?)(?:\.git)?(?:\/tree\/([^/?#]+)((?:\/[^?#]*)?))?\/?$/.exec(word);
  if (page !== null) return wordOf(page[1], page[2], page[3], page[4]);
  const isShort = !word.startsWith('github:');
  if (isShort && (word.startsWith('.') || word.includes(':') || existsSync(path.resolve(cwd, word)))) return null;
  const short = /^(?:github:)?([^/@]+)\/([^/@]+)((?:\/[^@]*)?)(?:@([^@]+))?$/.exec(word);
  return short === null ? null : wordOf(short[1], short[2], short[4], short[3]);
}

function wordOf(owner = '', repository = '', ref: string | undefined, folder = ''): GitHubWord | null {
  const below = folder.split('/').filter((part) => part !== '');
  if (!nameForm.test(owner) || !nameForm.test(repository) || below.some((part) => part === '.' || part === '..')) return null;
  return { owner, repository, ref, folder: below.join('/') };
}

/** Skills of one commit of a repository. */
export interface GitHubSource {
  readonly provider: SkillProvider;
  /** The commit that the word stands for now. */
  readonly commit: string;
}

/**
 * Asks which commit a word stands for, and downloads that commit as one archive. It asks the server
 * of `GITHUB_API_URL` (as GitHub's own runners name it), with the token of `GITHUB_TOKEN` or
 * `GH_TOKEN` if there is one, which private repositories need.
 *
 * @throws {SkillError} `skill-not-found` for a repository or ref that does not exist;
 *   `permission-denied`, `source-unavailable`; `limit-exceeded` for more than 256 MiB
 */
export async function openGitHub(
  word: GitHubWord,
  { env, signal }: { readonly env: Readonly<Record<string, string | undefined>>; readonly signal: AbortSignal },
): Promise<GitHubSource> {
  const base = (env['GITHUB_API_URL'] ?? 'https://api.github.com').replace(/\/$/, '');
  const repository = `${base}/repos/${word.owner}/${word.repository}`;
  const token = env['GITHUB_TOKEN'] ?? env['GH_TOKEN'];
  const ask = async (url: string, accept: string, limit: number): Promise<Uint8Array> => {
    const headers = {
      accept,
      'user-agent': 'repertoire',
      ...(token !== undefined && token !== '' && { authorization: `Bearer ${token}` }),
    };
    // A redirect to another origin takes no authorization along: fetch leaves it out.
    const response = await fetch(url, { headers, signal }).catch((cause: unknown) => {
      signal.throwIfAborted();
      throw new SkillError('source-unavailable', `${new URL(url).host} does not answer. Check the network, and try again.`, { cause });
    });
    if (!response.ok) throw refused(word, response.status);
    return await bounded(response, limit);
  };
  const told = await ask(`${repository}/commits/${encodeURIComponent(word.ref ?? 'HEAD')}`, 'application/vnd.github.sha', 4096);
  const commit = new TextDecoder().decode(told).trim();
  if (!/^[0-9a-f]{40}(?:[0-9a-f]{24})?$/.test(commit))
    throw new SkillError('source-unavailable', `${new URL(base).host} answered something that is no commit. Is GITHUB_API_URL right?`);
  const packed = await ask(`${repository}/tarball/${commit}`, 'application/vnd.github+json', maxBytes);
  const label = `github.com/${word.owner}/${word.repository}`;
  return { provider: await openArchiveBytes(packed, `${word.repository}.tar.gz`, label, word.folder), commit };
}

async function bounded(response: Response, limit: number): Promise<Uint8Array> {
  const parts: Uint8Array[] = [];
  let total = 0;
  for await (const part of response.body ?? []) {
    total += part.length;
    if (total > limit)
      throw new SkillError('limit-exceeded', `The archive has more than ${limit} bytes. Clone the repository, and add the folder.`);
    parts.push(part);
  }
  return Buffer.concat(parts);
}

function refused({ owner, repository, ref }: GitHubWord, status: number): SkillError {
  const name = `${owner}/${repository}${ref === undefined ? '' : `@${ref}`}`;
  if (status === 404 || status === 422)
    return new SkillError(
      'skill-not-found',
      `There is no ${name} at GitHub, or it is private. Check the name and the ref; for a private one, set GITHUB_TOKEN.`,
    );
  if (status === 401 || status === 403 || status === 429)
    return new SkillError(
      'permission-denied',
      `GitHub refuses ${name} (${status}). Set GITHUB_TOKEN, or wait until its limit of requests is over.`,
    );
  return new SkillError('source-unavailable', `GitHub answers ${name} with ${status}. Try again later.`);
}
