import type { SkillMetadata } from '@repertoire/skills-core';
import { fieldOf, isJsonObject, type JsonObject } from './index-reader.ts';

/** Deeper than any frontmatter. */
const maxDepth = 32;

/** Fields of level 1 as JSON has them, and what they must be to be taken. Name, description and origin have places of their own. */
const shapes: readonly (readonly [keyof SkillMetadata, (value: unknown) => boolean])[] = [
  ['license', isText],
  ['compatibility', isText],
  ['metadata', isTextMap],
  ['allowedTools', isTextList],
  ['version', isText],
  ['whenToUse', isText],
  ['tools', isTextList],
  ['autoActivate', (value) => value === 'currentSkill' || value === 'always'],
  ['disableModelInvocation', isBoolean],
  ['userInvocable', isBoolean],
  ['argumentHint', isText],
  ['arguments', isTextList],
  ['model', isText],
  ['context', isText],
  ['agent', isText],
  ['surfaceMode', (value) => value === 'system-prompt' || value === 'tool-only' || value === 'both' || value === 'auto'],
  ['refreshPolicy', isRefreshPolicy],
  ['steps', (value) => Array.isArray(value) && isShallow(value, 0)],
  ['fields', (value) => isJsonObject(value) && isFieldValue(value, 0)],
];

/** Level 1 of a skill as an index carries it. */
export function levelOneToJson(metadata: SkillMetadata, listedDescription: string): JsonObject {
  const { name: _name, description, origin: _origin, ...rest } = metadata;
  return description === listedDescription ? { ...rest } : { description, ...rest };
}

/** Reads it back. What has another shape is left out, as if it were not there; `left` is told its key. */
export function levelOneFromJson(json: JsonObject, name: string, listedDescription: string, left: (key: string) => void): SkillMetadata {
  const description = fieldOf(json, 'description');
  const metadata: Record<string, unknown> = {
    name,
    description: typeof description === 'string' && description.trim() !== '' ? description : listedDescription,
  };
  for (const [key, fits] of shapes) {
    const value = fieldOf(json, key);
    if (value === undefined) continue;
    if (fits(value)) metadata[key] = value;
    else left(key);
  }
  return metadata as unknown as SkillMetadata;
}

function isText(value: unknown): boolean {
  return typeof value === 'string';
}

function isBoolean(value: unknown): boolean {
  return typeof value === 'boolean';
}

function isTextList(value: unknown): boolean {
  return Array.isArray(value) && value.every(isText);
}

function isTextMap(value: unknown): boolean {
  return isJsonObject(value) && Object.values(value).every(isText);
}

function isRefreshPolicy(value: unknown): boolean {
  if (!isJsonObject(value)) return false;
  const [afterTokens, via] = [fieldOf(value, 'afterTokens'), fieldOf(value, 'via')];
  return typeof afterTokens === 'number' && (via === undefined || via === 'tool-result' || via === 'on-load');
}

function isFieldValue(value: unknown, depth: number): boolean {
  if (typeof value === 'string') return true;
  if (depth > maxDepth || typeof value !== 'object' || value === null) return false;
  return Object.values(value).every((entry) => isFieldValue(entry, depth + 1));
}

function isShallow(value: unknown, depth: number): boolean {
  if (typeof value !== 'object' || value === null) return true;
  return depth <= maxDepth && Object.values(value).every((entry) => isShallow(entry, depth + 1));
}
