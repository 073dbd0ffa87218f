import type { SkillMetadata } from './skill-provider.ts';
import { fieldOf, isJsonObject } from './json-object.ts';

/** Fields of level 1 beside name and description, without what a source finds out itself. */
export type OtherMetadataField = Exclude<keyof SkillMetadata, 'name' | 'description' | 'origin' | 'content'>;

const maxDepth = 32;

/** What a value written by others must be for each field of level 1. */
export const metadataShapes: Readonly<Record<OtherMetadataField, (value: unknown) => boolean>> = {
  license: isText,
  compatibility: isText,
  metadata: isTextMap,
  allowedTools: isTextList,
  version: (value) => value === null || isText(value),
  whenToUse: isText,
  tools: isTextList,
  autoActivate: (value) => value === 'currentSkill' || value === 'always',
  disableModelInvocation: isBoolean,
  userInvocable: isBoolean,
  argumentHint: isText,
  arguments: isTextList,
  model: isText,
  context: isText,
  agent: isText,
  surfaceMode: (value) => value === 'system-prompt' || value === 'tool-only' || value === 'both' || value === 'auto',
  refreshPolicy: isRefreshPolicy,
  steps: (value) => Array.isArray(value) && isShallow(value, 0),
  fields: (value) => isJsonObject(value) && isFieldValue(value, 0),
};

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

/** Whether JSON is nested no deeper than this reads it. */
export function isShallow(value: unknown, depth: number = 0): boolean {
  if (typeof value !== 'object' || value === null) return true;
  return depth <= maxDepth && Object.values(value).every((entry) => isShallow(entry, depth + 1));
}
