import { basename, dirname, parse, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { SkillError } from '@repertoire/skills-core';
import { checkAgent, type AgentCheck, type CheckAgentOptions } from '../api/check-agent.ts';
import { compileAgent } from '../api/compile-agent.ts';
import type { CompileAgentOptions } from '../api/compile-agent-options.ts';
import { runAgent, type AgentRun, type RunAgentOptions } from '../api/run-agent.ts';
import { maxDocumentCharacters } from '../document/agent-document.ts';
import { problemText } from '../document/agent-problem.ts';
import type { AgentGraph } from '../graph/build-graph.ts';
import type { AgentSources } from '../sources/open-skills.ts';
import { skillCardProvider, type ReadCardFile } from '@repertoire/skill-cards/provider';
import { webReader } from '../sources/web-reader.ts';
import { diskReader, folderInside, isMissing, readFileStart } from './read-disk-file.ts';

/** Options of {@link readAgentFile}. */
export interface ReadAgentFileOptions {
  /**
   * Whether the file is the host's own. Then paths in it may lead anywhere on the disk, and skills
   * that it names by their cards are trusted; a card itself still leads no further than its own
   * folder, that of the file, and `within`. Pass `false` for the file of somebody else: it may name
   * what is in its own folder and in `within`, and the skills of its cards open nothing.
   * @default true, since the host named the file
   */
  readonly trusted?: boolean | undefined;
  /**
   * Further folders: that cards may lead to, and paths in a file that is not trusted. Relative ones
   * are resolved from the working directory.
   * @default none
   */
  readonly within?: readonly (string | URL)[] | undefined;
  /**
   * Origins, such as `https://skills.example.com`, that cards and their files may come from:
   * `skill_card_path`, and the `base_uri` of a card, can be a URL.
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
    readonly within: readonly (string | URL)[];
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
  { within = [], trusted = true, allowedOrigins = [], fetch, sources }: ReadAgentFileOptions = {},
): Promise<AgentFile> {
  const file = resolve(typeof path === 'string' ? path : fileURLToPath(path));
  const basePath = dirname(file);
  const named = within.map((folder) => resolve(typeof folder === 'string' ? folder : fileURLToPath(folder)));
  const allowed = [basePath, ...named];
  const onWeb = webReader({ allowedOrigins, fetch });
  const card = (location: URL) => {
    const isLocal = location.protocol === 'file:';
    // What a card names stays beside it, wherever a trusted file found it.
    const readable = trusted && isLocal ? [dirname(fileURLToPath(location)), ...allowed] : allowed;
    const onDisk = diskReader(readable);
    const readFile: ReadCardFile = (url, options) => (url.protocol === 'file:' ? onDisk : onWeb)(url, options);
    const folders = isLocal ? readable.map((folder) => pathToFileURL(folder).href) : undefined;
    return skillCardProvider({ location, readFile, within: folders, trusted, label: `card-${nameOf(location)}` });
  };
  const folder = sources?.folder === undefined || trusted ? {} : { folder: folderInside(allowed, sources.folder) };
  const maxBytes = maxDocumentCharacters * 4;
  const bytes = await readOrNull(file, maxBytes + 1);
  if (bytes === null) throw new SkillError('source-unavailable', `There is no file ${JSON.stringify(file)}.`, { path: file });
  if (bytes.length > maxBytes)
    throw new SkillError('limit-exceeded', `${JSON.stringify(file)} has more than ${maxBytes} bytes.`, { path: file });
  return {
    text: decode(bytes, file),
    options: {
      basePath,
      within: [...named, ...(trusted ? [parse(file).root] : []), ...allowedOrigins.map((origin) => new URL(origin))],
      fileName: basename(file),
      sources: { card, ...sources, ...folder },
    },
  };
}

/**
 * Reads the file of an agent and compiles it: the host's own file, unless it says `trusted: false`.
 * Calls `compileAgent` with the text of the file, and its folder as `basePath`.
 *
 * @throws {SkillError} what `readAgentFile` and `compileAgent` throw
 * @example
 * ```ts
 * import type { BaseChatModel } from '@langchain/core/language_models/chat_models';
 * import type { StructuredToolInterface } from '@langchain/core/tools';
 * import { loadAgentFile } from '@repertoire/declarative/node';
 *
 * export const agentOf = (model: BaseChatModel, tools: readonly StructuredToolInterface[]) =>
 *   loadAgentFile('agents/support.agent.yaml', { models: { main: model }, tools });
 * ```
 */
export async function loadAgentFile(
  path: string | URL,
  options: Omit<CompileAgentOptions, 'basePath' | 'fileName'> & ReadAgentFileOptions = {},
): Promise<AgentGraph> {
  const file = await withAgentFile(path, options);
  return compileAgent(file.text, file.options);
}

/** The result of checking a file. */
export interface AgentFileCheck extends AgentCheck {
  /** One line for each problem, with the fix: `support.agent.yaml:14:36 …`. */
  readonly lines: readonly string[];
}

/** Options of {@link checkAgentFile}. */
export interface CheckAgentFileOptions extends Omit<CheckAgentOptions, 'basePath' | 'within' | 'sources'>, ReadAgentFileOptions {}

/** Options of {@link runAgentFile}. */
export interface RunAgentFileOptions extends Omit<RunAgentOptions, 'basePath' | 'within' | 'sources'>, ReadAgentFileOptions {}

/**
 * Checks the file of an agent with the skills that it names. Calls `checkAgent` with the text of
 * the file, and its folder as `basePath`.
 *
 * @throws {SkillError} what `readAgentFile` throws; `source-unavailable` or `timeout` of a given
 *   source
 * @example
 * ```ts
 * import { checkAgentFile } from '@repertoire/declarative/node';
 *
 * const { ok, lines } = await checkAgentFile('agents/support.agent.yaml');
 * if (!ok) throw new Error(lines.join('\n'));
 * ```
 */
export async function checkAgentFile(path: string | URL, options: CheckAgentFileOptions = {}): Promise<AgentFileCheck> {
  const file = await withAgentFile(path, options);
  const check = await checkAgent(file.text, file.options);
  return { ...check, lines: check.problems.map(problemText) };
}

/**
 * Runs the file of an agent once. Calls `runAgent` with the text of the file, and its folder as
 * `basePath`.
 *
 * @throws {SkillError} what `readAgentFile` and `runAgent` throw
 * @example
 * ```ts
 * import { runAgentFile, type AgentHost } from '@repertoire/declarative/node';
 *
 * export async function ask(host: AgentHost, input: string): Promise<string> {
 *   const { text } = await runAgentFile('agents/support.agent.yaml', { ...host, input });
 *   return text;
 * }
 * ```
 */
export async function runAgentFile(path: string | URL, options: RunAgentFileOptions): Promise<AgentRun> {
  const file = await withAgentFile(path, options);
  return runAgent(file.text, file.options);
}

/** The text of a file, and the options with what resolves its paths. */
async function withAgentFile<Options extends ReadAgentFileOptions>(
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
