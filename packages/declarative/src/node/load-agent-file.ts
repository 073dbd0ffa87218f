import { basename, dirname, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { SkillError } from '@repertoire/skills-core';
import { compileAgent } from '../api/compile-agent.ts';
import type { CompileAgentOptions } from '../api/compile-agent-options.ts';
import { maxDocumentCharacters } from '../document/agent-document.ts';
import type { AgentGraph } from '../graph/agent-graph.ts';
import type { AgentSources } from '../sources/agent-sources.ts';
import { skillCardProvider, type ReadCardFile } from '../sources/skill-card-provider.ts';
import { webReader } from '../sources/web-reader.ts';
import { diskReader, folderInside, isMissing, readFileStart } from './read-disk-file.ts';

/** Options of {@link readAgentFile}. */
export interface ReadAgentFileOptions {
  /**
   * Folders that paths in the file may lead to, in addition to its own folder. Relative ones are
   * resolved from the working directory.
   * @default none
   */
  readonly within?: readonly (string | URL)[] | undefined;
  /** Whether the host trusts skills that the file names by their cards. @default false */
  readonly trusted?: boolean | undefined;
  /**
   * Origins, such as `https://skills.example.com`, that files of cards may come from: the
   * `base_uri` of a card on the disk can be a URL.
   * @default none
   */
  readonly allowedOrigins?: readonly string[] | undefined;
  /** Makes these requests. @default the global `fetch` */
  readonly fetch?: ((request: Request) => Promise<Response>) | undefined;
  /** How folders and URLs become sources; also cards, if not read from the disk. */
  readonly sources?: AgentSources | undefined;
}

/**
 * What a host gives the file of an agent: the default export of a module for
 * `repertoire agent --host`.
 */
export type AgentHost = Omit<CompileAgentOptions, 'basePath' | 'within' | 'sources' | 'fileName' | 'signal'> & ReadAgentFileOptions;

/** A file and the options that resolve its paths. */
export interface AgentFile {
  readonly text: string;
  readonly options: {
    readonly basePath: string;
    readonly within: readonly string[];
    readonly fileName: string;
    readonly sources: AgentSources;
  };
}

/**
 * Reads the file of an agent. Its relative paths start at its folder, and cards are read from the
 * disk.
 *
 * @throws {SkillError} `source-unavailable` if the file does not exist; `limit-exceeded` if it is
 *   too long; `invalid-agent` if it is not text
 * @example
 * ```ts
 * import { agentGraph } from '@repertoire/declarative';
 * import { readAgentFile } from '@repertoire/declarative/node';
 *
 * const { text, options } = await readAgentFile('agents/support.agent.yaml');
 * console.log(await agentGraph(text, options));
 * ```
 */
export async function readAgentFile(
  path: string | URL,
  { within = [], trusted = false, allowedOrigins = [], fetch, sources }: ReadAgentFileOptions = {},
): Promise<AgentFile> {
  const file = resolve(typeof path === 'string' ? path : fileURLToPath(path));
  const basePath = dirname(file);
  const folders = within.map((folder) => resolve(typeof folder === 'string' ? folder : fileURLToPath(folder)));
  const onDisk = diskReader([basePath, ...folders]);
  const onWeb = webReader({ allowedOrigins, fetch });
  const readFile: ReadCardFile = (location, options) => (location.protocol === 'file:' ? onDisk : onWeb)(location, options);
  const baseFolders = [basePath, ...folders].map((allowed) => pathToFileURL(allowed).href);
  const folder = sources?.folder === undefined ? {} : { folder: folderInside([basePath, ...folders], sources.folder) };
  const maxBytes = maxDocumentCharacters * 4;
  const bytes = await readOrNull(file, maxBytes + 1);
  if (bytes === null) throw new SkillError('source-unavailable', `There is no file ${JSON.stringify(file)}.`, { path: file });
  if (bytes.length > maxBytes)
    throw new SkillError('limit-exceeded', `${JSON.stringify(file)} has more than ${maxBytes} bytes.`, { path: file });
  return {
    text: decode(bytes, file),
    options: {
      basePath,
      within: folders,
      fileName: basename(file),
      sources: {
        card: (location) => skillCardProvider({ location, readFile, within: baseFolders, trusted, label: `card-${nameOf(location)}` }),
        ...sources,
        ...folder,
      },
    },
  };
}

/**
 * Reads the file of an agent and compiles it. Calls `compileAgent` with the text of the file, and
 * its folder as `basePath`.
 *
 * @throws {SkillError} what `readAgentFile` and `compileAgent` throw
 * @example
 * ```ts
 * import type { BaseChatModel } from '@langchain/core/language_models/chat_models';
 * import { loadAgentFile } from '@repertoire/declarative/node';
 * import { fileSystemSkillProvider } from '@repertoire/skill-fs';
 *
 * export const agentOf = (model: BaseChatModel) =>
 *   loadAgentFile('agents/support.agent.yaml', {
 *     models: { main: model },
 *     within: ['skills'],
 *     sources: { folder: (location) => fileSystemSkillProvider({ roots: [location] }) },
 *   });
 * ```
 */
export async function loadAgentFile(
  path: string | URL,
  options: Omit<CompileAgentOptions, 'basePath' | 'fileName'> & ReadAgentFileOptions = {},
): Promise<AgentGraph> {
  const file = await withAgentFile(path, options);
  return compileAgent(file.text, file.options);
}

/** The text of a file, and the options with what resolves its paths. */
export async function withAgentFile<Options extends ReadAgentFileOptions>(
  path: string | URL,
  given: Options,
): Promise<{ readonly text: string; readonly options: Omit<Options, keyof ReadAgentFileOptions> & AgentFile['options'] }> {
  const { within, trusted, allowedOrigins, fetch, sources, ...options } = given;
  const file = await readAgentFile(path, { within, trusted, allowedOrigins, fetch, sources });
  return { text: file.text, options: { ...file.options, ...options } };
}

async function readOrNull(file: string, maxBytes: number): Promise<Uint8Array | null> {
  try {
    return await readFileStart(file, maxBytes);
  } catch (error) {
    if (isMissing(error)) return null;
    throw error;
  }
}

function decode(bytes: Uint8Array, file: string): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch (cause) {
    throw new SkillError('invalid-agent', `${JSON.stringify(file)} is not text in UTF-8.`, { path: file, cause });
  }
}

/** The folder of a card, which usually has the name of the skill. */
function nameOf(location: URL): string {
  return location.pathname.split('/').at(-2) ?? '';
}
