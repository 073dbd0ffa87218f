import { isInsideUrl } from '../../contract/inside-url.ts';
import { messageOf } from '../../errors/message-of.ts';
import { SkillError } from '../../errors/skill-error.ts';
import { trimEndWhere } from '../../contract/trim-end.ts';
import { cardToolsOf } from '../../format/card/card-tools.ts';
import { parseLocalToolReference } from '../../format/card/local-tool-reference.ts';
import type { SkillDiagnostic, SkillMetadata } from '../../contract/skill-provider.ts';
import { isTrusted } from '../../contract/is-trusted.ts';

/** Where local tools come from. Without any of it, none do. */
export interface LocalSkillToolOptions {
  /** Tools by `import_path` or name; works in Workers. @default none */
  readonly map?: Readonly<Record<string, unknown>> | undefined;
  /**
   * Folders whose trusted skills may import their own modules: `file:` URLs, or absolute paths.
   * @default none
   */
  readonly folders?: readonly (string | URL)[] | undefined;
  /** `(url) => import(url)`, so that no bundle imports unknown modules. @default no imports */
  readonly importModule?: ((url: string) => Promise<unknown>) | undefined;
}

/** What a tool of a framework is. */
export interface LocalSkillToolKind<Tool> {
  /** Whether a value is one. */
  readonly isTool: (value: unknown) => value is Tool;
  /** What it is called in a message, such as `tool of LangChain`. */
  readonly title: string;
  /** What a module must export, such as `Export what tool({ inputSchema, execute }) returns.` */
  readonly fix: string;
}

/** The local tools of a skill, and what could not be loaded. */
export interface LocalSkillTools<Tool> {
  /** By the name that the card gives them. */
  readonly tools: ReadonlyMap<string, Tool>;
  readonly diagnostics: readonly SkillDiagnostic[];
}

/**
 * Returns a function that finds the tools which a skill names in `local_tools`. A skill that the
 * host does not trust gets none. A tool that cannot be loaded, or is no tool of the framework, is
 * left out with the diagnostic `local-tool` (warning).
 *
 * @throws {SkillError} `invalid-options` for a folder that is neither a `file:` URL nor an absolute
 *   path
 *
 * @example
 * ```ts
 * import type { SkillMetadata } from '@repertoire/skills-core';
 * import { localSkillTools } from '@repertoire/skills-core/adapter';
 *
 * interface Tool { readonly run: () => string }
 *
 * export const toolsOf: (skill: SkillMetadata) => Promise<{ readonly tools: ReadonlyMap<string, Tool> }> = localSkillTools(
 *   { folders: ['/srv/skills'], importModule: (url) => import(url) },
 *   {
 *     isTool: (value): value is Tool => typeof value === 'object' && value !== null && 'run' in value,
 *     title: 'tool with a method run',
 *     fix: 'Export { run }.',
 *   },
 * );
 * ```
 */
export function localSkillTools<Tool>(
  options: LocalSkillToolOptions,
  kind: LocalSkillToolKind<Tool>,
): (skill: SkillMetadata) => Promise<LocalSkillTools<Tool>> {
  const source = { ...options, folders: (options.folders ?? []).map(folderUrl) };
  return async (skill) => await toolsOfSkill(skill, source, kind);
}

interface LocalToolSource extends Omit<LocalSkillToolOptions, 'folders'> {
  readonly folders: readonly URL[];
}

/** A path would match no skill, and nobody but the model would learn why. */
function folderUrl(folder: string | URL): URL {
  const text = String(folder);
  // `#` and `?` are characters of a path.
  const address = text.startsWith('/') ? `file://${encodeURI(text).replace(/[?#]/g, encodeURIComponent)}` : text;
  if (URL.canParse(address) && new URL(address).protocol === 'file:')
    return new URL(`${trimEndWhere(address, (character) => character === '/')}/`);
  throw new SkillError(
    'invalid-options',
    `localTools cannot import from the folder ${JSON.stringify(text)}. Give a file: URL, such as new URL('./skills/', import.meta.url), or an absolute path.`,
  );
}

async function toolsOfSkill<Tool>(
  skill: SkillMetadata,
  options: LocalToolSource,
  { isTool, title, fix }: LocalSkillToolKind<Tool>,
): Promise<LocalSkillTools<Tool>> {
  const { localTools, diagnostics: found } = cardToolsOf(skill);
  const diagnostics: SkillDiagnostic[] = [...found];
  const tools = new Map<string, Tool>();
  for (const [name, { importPath }] of isTrusted(skill) ? Object.entries(localTools) : []) {
    const result = await find(skill, name, importPath, options);
    if ('tool' in result && isTool(result.tool)) {
      tools.set(name, result.tool);
      continue;
    }
    const message = `The local tool ${JSON.stringify(name)} of skill ${JSON.stringify(skill.name)} is no ${title}.`;
    const problem = 'problem' in result ? result.problem : { message, fix };
    diagnostics.push({ severity: 'warning', code: 'local-tool', skill: skill.name, ...problem });
  }
  return { tools, diagnostics };
}

type Found = { readonly tool: unknown } | { readonly problem: Pick<SkillDiagnostic, 'message' | 'fix'> };

async function find(
  skill: SkillMetadata,
  name: string,
  importPath: string,
  { map = {}, folders, importModule }: LocalToolSource,
): Promise<Found> {
  for (const key of [importPath, name]) if (Object.hasOwn(map, key)) return { tool: map[key] };
  const not = (why: string, fix: string): Found => ({
    problem: { message: `The local tool ${JSON.stringify(name)} (${importPath}) of skill ${JSON.stringify(skill.name)}${why}`, fix },
  });
  const reference = parseLocalToolReference(importPath);
  if (importModule === undefined || reference === null)
    return not(' is not in the map of local tools.', 'Put it there, by its import_path or its name.');
  const url = reference.kind === 'package' ? null : inside(skill.origin?.uri, reference.module, folders);
  const where = 'Name the folder of the skills in `folders`, or put the tool into the map. Packages only come from the map.';
  if (url === null) return not(' lies in no folder that may be imported from.', where);
  try {
    const module = await importModule(url);
    const tool = (module as Readonly<Record<string, unknown>> | null)?.[reference.export];
    if (tool !== undefined) return { tool };
    return not(`: the module has no export ${JSON.stringify(reference.export)}.`, 'Correct the name behind "#".');
  } catch (error) {
    return not(` could not be imported: ${messageOf(error)}`, 'Make sure that the module exists and runs.');
  }
}

/** The module's URL inside the skill's folder and one of the folders; else `null`. */
function inside(uri: string | undefined, module: string, folders: readonly URL[]): string | null {
  if (uri === undefined || !URL.canParse(uri)) return null;
  const base = new URL(uri.endsWith('/') ? uri : `${uri}/`);
  const url = new URL(module, base);
  if (base.protocol !== 'file:' || !isInsideUrl(url, base)) return null;
  return folders.some((folder) => isInsideUrl(base, folder)) ? url.href : null;
}
