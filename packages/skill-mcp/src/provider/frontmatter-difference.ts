import { isJsonObject } from '@repertoire/skills-core/internal';
import { parseSkillFrontmatter } from '@repertoire/skills-core/skill-md';
import { scanFrontmatter } from '@repertoire/skills-core/provider';
import type { McpSkillSettings } from './mcp-skill-provider-options.ts';
import { readCoreYaml } from './read-core-yaml.ts';

/**
 * The first difference between the promised frontmatter and that of the received `SKILL.md`. All
 * keys are compared in both directions, by value, with YAML's core schema, as the extension
 * requires. Returns `undefined` if they are equal.
 *
 * With `lenient`, if the YAML is so broken that readers disagree, both are compared as the text
 * that the lenient reading produces.
 */
export function frontmatterDifference(
  promised: Readonly<Record<string, unknown>>,
  text: string,
  { profile, limits }: Pick<McpSkillSettings, 'profile' | 'limits'>,
): string | undefined {
  const scan = scanFrontmatter(text);
  if (scan.status !== 'complete') return 'it has no frontmatter';
  // The promised frontmatter is bounded. The received one may be anything with a matching digest.
  const characters = scan.yamlEnd - scan.yamlStart;
  if (characters > limits.frontmatterCharacters)
    return `its frontmatter has ${characters} characters, and ${limits.frontmatterCharacters} is the limit (limits.frontmatterCharacters)`;
  let read: unknown;
  try {
    read = readCoreYaml(text.slice(scan.yamlStart, scan.yamlEnd));
  } catch (error) {
    if (profile === 'strict') return `its frontmatter cannot be read: ${(error as Error).message.slice(0, 200)}`;
    return difference(asText(promised), parseSkillFrontmatter(text).frontmatter, '');
  }
  return difference(promised, read, '');
}

function difference(promised: unknown, read: unknown, path: string): string | undefined {
  if (Array.isArray(promised) && Array.isArray(read)) {
    if (promised.length !== read.length) return `${path} has ${read.length} items, and ${promised.length} were promised`;
    return first(promised.keys(), (index) => difference(promised[index], read[index], `${path}[${index}]`));
  }
  if (isJsonObject(promised) && isJsonObject(read)) {
    const keys = new Set([...Object.keys(promised), ...Object.keys(read)]);
    return first(keys, (key) => difference(own(promised, key), own(read, key), path === '' ? key : `${path}.${key}`));
  }
  return promised === read ? undefined : `${path === '' ? 'its frontmatter' : path} is ${show(read)}, and ${show(promised)} was promised`;
}

function first<Item>(items: Iterable<Item>, of: (item: Item) => string | undefined): string | undefined {
  for (const item of items) {
    const found = of(item);
    if (found !== undefined) return found;
  }
  return undefined;
}

function own(record: Readonly<Record<string, unknown>>, key: string): unknown {
  return Object.hasOwn(record, key) ? record[key] : undefined;
}

/** Scalars as text, as the lenient reading returns them. */
function asText(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(asText);
  if (isJsonObject(value)) return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, asText(item)]));
  return String(value);
}

function show(value: unknown): string {
  return (JSON.stringify(value) ?? 'nothing').slice(0, 80);
}
