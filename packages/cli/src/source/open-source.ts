import { stat } from 'node:fs/promises';
import { homedir } from 'node:os';
import path from 'node:path';
import { fileSystemSkillProvider, standardSkillRoots, type FileSystemSkillProviderOptions, type SkillRoot } from '@repertoire/skill-fs';
import { composeProviders, SkillError, type SkillProvider } from '@repertoire/skills-core';
import type { CommandIo } from '../commands/command.ts';

/** Skills that a person named on the command line. Dispose of it after use. */
export interface OpenedSource {
  readonly provider: SkillProvider;
  /** The folders among the sources, in order of precedence. Empty if every source is a URL. */
  readonly roots: readonly SkillRoot[];
  [Symbol.asyncDispose](): Promise<void>;
}

/** Files of a skill that are listed. Authors want to see all of them. */
const maxListedResources = 100_000;

/**
 * Opens the sources that a person named: folders, and `http(s)` URLs of what `@repertoire/skill-http` reads. The first source that has a
 * skill of some name wins. Without words: the places where agents keep skills by convention, see `standardSkillRoots`.
 *
 * @param digests whether folders tell the digests of files, see `fileSystemSkillProvider`
 * @throws {SkillError} `invalid-options` for a folder that does not exist, and for a URL of another protocol
 */
export async function openSource(
  words: readonly string[],
  { cwd, env }: Pick<CommandIo, 'cwd' | 'env'>,
  digests: FileSystemSkillProviderOptions['digests'] = false,
): Promise<OpenedSource> {
  const groups = words.length === 0 ? [standardRoots(cwd, env)] : await groupSources(words, cwd);
  const providers = await Promise.all(groups.map((group, index) => openGroup(group, groups.length === 1 ? '' : `-${index + 1}`, digests)));
  const [only] = providers;
  const provider = only !== undefined && providers.length === 1 ? only : composeProviders(providers, { label: 'sources' });
  return {
    provider,
    roots: groups.flatMap((group) => (group instanceof URL ? [] : group)),
    async [Symbol.asyncDispose]() {
      await Promise.all(providers.map(async (each) => await each[Symbol.asyncDispose]?.()));
    },
  };
}

/** The home folder is taken from the environment, so that a program that runs a command decides what is searched. */
function standardRoots(cwd: string, env: CommandIo['env']): readonly SkillRoot[] {
  return standardSkillRoots({ cwd, home: env['HOME'] ?? env['USERPROFILE'] ?? homedir() });
}

/** Folders next to each other share a provider, which reports what one of them hides of another. */
async function groupSources(words: readonly string[], cwd: string): Promise<(URL | SkillRoot[])[]> {
  const groups: (URL | SkillRoot[])[] = [];
  for (const word of words) {
    const url = urlOf(word);
    const last = groups.at(-1);
    if (url !== undefined) groups.push(url);
    else {
      const root: SkillRoot = { path: await existingFolder(word, cwd), label: word };
      if (Array.isArray(last)) last.push(root);
      else groups.push([root]);
    }
  }
  return groups;
}

async function openGroup(
  group: URL | readonly SkillRoot[],
  suffix: string,
  digests: FileSystemSkillProviderOptions['digests'],
): Promise<SkillProvider> {
  if (!(group instanceof URL)) {
    return fileSystemSkillProvider({
      roots: group,
      label: `folders${suffix}`,
      staleAfterMs: Infinity,
      limits: { resources: maxListedResources },
      digests,
    });
  }
  const { httpSkillProvider } = await import('@repertoire/skill-http');
  return httpSkillProvider({
    url: group,
    label: `${group.host}${suffix}`,
    // A person typed this address. Redirects and entries cannot leave its origin.
    allowHttp: group.protocol === 'http:',
    allowPrivateAddresses: true,
    retries: 1,
  });
}

function urlOf(word: string): URL | undefined {
  const protocol = /^([a-z][a-z0-9+.-]{1,20}):\/\//i.exec(word)?.[1]?.toLowerCase();
  if (protocol === undefined) return undefined;
  if ((protocol === 'https' || protocol === 'http') && URL.canParse(word)) return new URL(word);
  throw new SkillError('invalid-options', `The source ${JSON.stringify(word)} cannot be opened. Give a folder, or an http(s) URL.`);
}

async function existingFolder(word: string, cwd: string): Promise<string> {
  const folder = path.resolve(cwd, word);
  const found = await stat(folder).catch(() => null);
  if (found?.isDirectory() === true) return folder;
  if (found !== null && path.basename(folder).toLowerCase() === 'skill.md') return path.dirname(folder);
  throw new SkillError('invalid-options', `There is no folder ${JSON.stringify(word)}. Give a folder that holds skills, or a URL.`, {
    path: folder,
  });
}
