import type { SkillMetadata } from './skill-provider.ts';
import { SkillError } from '../errors/skill-error.ts';
import { isResourcePath } from './resource-path.ts';
import { isJsonObject } from './json-object.ts';
import { metadataShapes, type OtherMetadataField } from './metadata-shapes.ts';
import { nearNames } from './near-names.ts';
import { checkSkillName, suggestSkillName } from './skill-name.ts';

type SkillResourceContent = string | Uint8Array;

/**
 * A file of a skill that is made in code: text, bytes, a function that gives either each time it is
 * asked for, or such a function with what is known of the file before: its size, and its SHA-256 in
 * lower-case hex. Neither is checked against the bytes.
 */
export type SkillResourceSource =
  | SkillResourceContent
  | (() => SkillResourceContent | Promise<SkillResourceContent>)
  | {
      /** Bytes of the whole file. */
      readonly size: number;
      /** SHA-256 of them in lower-case hex. @default none is told */
      readonly digest?: string | undefined;
      /** Gives the contents, each time they are asked for. */
      readonly read: () => SkillResourceContent | Promise<SkillResourceContent>;
    };

/** A skill as TypeScript data: level 1, and the rest as values or loaders. */
export interface SkillDefinition extends Omit<SkillMetadata, 'origin' | 'version' | 'content'> {
  /** Version of the skill. @default null: none */
  readonly version?: string | null | undefined;
  /**
   * Digest of everything that the skill consists of, see {@link SkillMetadata.content}: for bundled
   * skills whose files are loaded when they are asked for. Whoever bundles a skill computes it.
   * @default computed where the body is a text and each file is a text, bytes, or has a digest;
   *   else `null`: the skill is unpinned
   */
  readonly content?: string | null | undefined;
  /** The instructions, in Markdown; or a function that returns them, called at each load. */
  readonly body: string | (() => string | Promise<string>);
  /** Files by their path inside the skill. @default none */
  readonly resources?: Readonly<Record<string, SkillResourceSource>> | undefined;
  /**
   * The tools that the skill names, as objects of a framework, by name: `defineSkill` puts tools
   * here, and the adapter of that framework takes them from the skillset.
   * @default none: the host hands the tools to the adapter
   */
  readonly toolSet?: Readonly<Record<string, object>> | undefined;
  /**
   * The `SKILL.md` that the skill was made of, byte for byte. A skill that has one is a file that
   * was bundled, not the host's own words: it closes no tools by naming them.
   * @default none: the skill is the host's own code
   */
  readonly skillMd?: string | Uint8Array | (() => string | Uint8Array | Promise<string | Uint8Array>) | undefined;
}

/** What {@link defineSkill} takes: a definition whose tools can be given themselves. */
export interface SkillToDefine extends Omit<SkillDefinition, 'tools'> {
  /**
   * The tools that the skill opens: names, or tools of a framework, in a list or by name. They
   * refuse until the skill is loaded.
   */
  readonly tools?: readonly string[] | readonly NamedTool[] | Readonly<Record<string, object>> | undefined;
}

interface NamedTool {
  readonly name: string;
}

/**
 * The definition as it was written, with the names of its tools as `tools` and themselves as
 * `toolSet`.
 */
export type DefinedSkill<Definition> = Definition extends { readonly tools: readonly string[] }
  ? Definition
  : Definition extends { readonly tools: infer Tools extends object }
    ? Omit<Definition, 'tools' | 'toolSet'> & {
        readonly tools: readonly string[];
        readonly toolSet: Tools extends readonly (infer Tool)[] ? Readonly<Record<string, Tool>> : Tools;
      }
    : Definition;

/** The most Unicode code points of a description, by the specification. */
export const maxDescriptionLength = 1024;
/** The most characters (Unicode code points) of `compatibility`. */
export const maxCompatibilityLength = 500;

/** Fields of a definition besides level 1. The type reports one that is missing here. */
const otherFields: Readonly<Record<Exclude<keyof SkillDefinition, OtherMetadataField>, true>> = {
  name: true,
  description: true,
  content: true,
  body: true,
  resources: true,
  skillMd: true,
  toolSet: true,
};

/**
 * Declares a skill in code: returns what it was given, frozen, after checking it by the standard's
 * rules. The types of the fields stay as they were written, so that `tools` and `resources` can be
 * used by type.
 *
 * `tools` are names of tools that the host hands to the adapter; or the tools themselves, which an
 * adapter takes from the skillset: a list of LangChain's or OpenAI's tools, or an object of the AI
 * SDK's, whose types `toolSet` of the result keeps.
 *
 * @throws {SkillError} `invalid-skill`, naming every rule that is broken
 * @example
 * ```ts
 * import { defineSkill } from '@repertoire/skills-core';
 *
 * export const billing = defineSkill({
 *   name: 'billing',
 *   description: 'Refunds, charges and invoices. Use when a customer asks about money.',
 *   body: 'Confirm the order id, then call process_refund.',
 *   tools: ['process_refund'],
 *   resources: { 'references/policy.md': '# Refund policy' },
 * });
 * ```
 */
export function defineSkill<const Definition extends SkillToDefine>(
  // A field that does not exist would pass, since the type is inferred from what is given.
  definition: Definition & Readonly<Record<Exclude<keyof Definition, keyof SkillDefinition>, never>>,
): DefinedSkill<Definition> {
  const problems = [...problemsOf(definition)];
  if (problems.length > 0) throw invalid(definition, problems);
  return Object.freeze({ ...definition, ...toolsThemselves(definition) }) as unknown as DefinedSkill<Definition>;
}

/**
 * Refuses a definition whose name or description the standard does not allow, unless it was bundled
 * from a file.
 *
 * @throws {SkillError} `invalid-skill`
 */
export function assertStandard(definition: SkillDefinition): void {
  const problems = definition.skillMd === undefined ? [...textProblems(definition)] : [];
  if (problems.length > 0) throw invalid(definition, problems);
}

/**
 * Refuses a skill in code of which a field is not what its type says: programs without types give
 * these too, and a restriction of another shape would restrict nothing.
 *
 * @throws {SkillError} `invalid-skill`
 */
export function assertShapes(definition: SkillDefinition): void {
  for (const [field, fits] of Object.entries({ ...metadataShapes, resources: isJsonObject })) {
    const value = definition[field as keyof SkillDefinition];
    if (value !== undefined && !fits(value)) throw invalid(definition, [`${field} has another shape than it needs`]);
  }
}

function invalid({ name }: Pick<SkillDefinition, 'name'>, problems: readonly string[]): SkillError {
  return new SkillError('invalid-skill', `Skill ${JSON.stringify(name)} is not valid: ${problems.join('; ')}.`, { skill: name });
}

function toolsThemselves({ tools = [] }: SkillToDefine): Pick<SkillDefinition, 'tools' | 'toolSet'> {
  const byName = Array.isArray(tools)
    ? (tools as readonly (string | NamedTool)[]).flatMap((tool) => (typeof tool === 'string' ? [] : [[tool.name, tool] as const]))
    : Object.entries(tools);
  if (Array.isArray(tools) && byName.length === 0) return {};
  const toolSet = Object.freeze(Object.fromEntries(byName));
  return { tools: Object.keys(toolSet), toolSet };
}

function areTools(tools: unknown): boolean {
  if (Array.isArray(tools))
    return tools.every((tool) => typeof tool === 'string') || tools.every((tool) => typeof nameOf(tool) === 'string');
  // The gate of a name that is not the tool's own would close nothing.
  return isObject(tools) && Object.entries(tools).every(([key, tool]) => isObject(tool) && [key, undefined].includes(nameOf(tool)));
}

function nameOf(tool: unknown): string | undefined {
  return (tool as Partial<NamedTool> | null)?.name;
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}

function* problemsOf(definition: SkillToDefine): Generator<string> {
  const { body, compatibility, resources, tools } = definition;
  const known = Object.keys({ ...metadataShapes, ...otherFields });
  for (const field of Object.keys(definition)) {
    if (known.includes(field)) continue;
    const [near] = nearNames(field, known);
    yield `${JSON.stringify(field)} is no field of a skill${near === undefined ? '; put your own under metadata' : `; did you mean ${near}?`}`;
  }
  yield* textProblems(definition);
  if (compatibility !== undefined && (compatibility === '' || [...compatibility].length > maxCompatibilityLength)) {
    yield `compatibility must have 1 to ${maxCompatibilityLength} characters`;
  }
  if (tools !== undefined && !areTools(tools)) yield 'tools must be a list of names, a list of tools that have names, or tools by name';
  if (typeof body !== 'string' && typeof body !== 'function') yield 'body must be a string or a function that returns one';
  for (const { problem } of resourceProblems(resources)) yield problem;
}

function* textProblems({ name, description }: Pick<SkillDefinition, 'name' | 'description'>): Generator<string> {
  if (typeof name !== 'string') {
    yield 'name must be a string';
  } else {
    for (const issue of checkSkillName(name)) yield `name ${issue.message}${suggestion(name)}`;
  }
  if (typeof description !== 'string' || description.trim() === '') {
    yield 'description must say what the skill does and when to use it';
  } else if ([...description].length > maxDescriptionLength) {
    yield `description exceeds ${maxDescriptionLength} characters (${[...description].length})`;
  }
}

/** What is wrong with the files of a definition. */
export function* resourceProblems(
  resources: SkillDefinition['resources'] = {},
): Generator<{ readonly path: string; readonly problem: string }> {
  for (const [path, source] of Object.entries(resources)) {
    const quoted = JSON.stringify(path);
    if (!isResourceSource(source))
      yield { path, problem: `resource ${quoted} must be text, bytes, a function that returns either, or { size, read }` };
    if (!isResourcePath(path)) yield { path, problem: `resource path ${quoted} must be relative to the skill, without ".."` };
    else if (path === 'SKILL.md') yield { path, problem: 'SKILL.md is made of the definition and cannot be one of its resources' };
  }
}

function isResourceSource(source: unknown): boolean {
  if (typeof source === 'string' || typeof source === 'function' || source instanceof Uint8Array) return true;
  return typeof source === 'object' && source !== null && 'read' in source && typeof source.read === 'function';
}

function suggestion(name: string): string {
  const suggested = suggestSkillName(name);
  return suggested === '' ? '' : ` (try ${JSON.stringify(suggested)})`;
}
