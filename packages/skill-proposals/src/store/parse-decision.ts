import { SkillError } from '@repertoire/skills-core';
import { fieldOf, isJsonObject, isSha256Hex } from '@repertoire/skills-core/internal';
import type { KeptFile, SkillProposalDecision } from './skill-proposal-store.ts';

/**
 * Reads a decision that was stored as JSON.
 *
 * @throws {SkillError} `invalid-input`
 */
export function parseDecision(json: unknown, id: string): SkillProposalDecision {
  const [type, by, at, reason, content, shown, before, wholeRead] = [
    'type',
    'by',
    'at',
    'reason',
    'content',
    'shown',
    'before',
    'wholeRead',
  ].map((field) => (isJsonObject(json) ? fieldOf(json, field) : undefined));
  const isDigest = (value: unknown): value is string => typeof value === 'string' && isSha256Hex(value);
  if (typeof by === 'string' && typeof at === 'string') {
    if (type === 'rejected' && typeof reason === 'string') return { type, by, at, reason };
    if (type === 'accepted' && isDigest(content)) return { type, by, at, content };
    if (type === 'undone' && (content === null || isDigest(content))) return { type, by, at, content };
    if (type === 'accepting' && isDigest(content) && isDigest(shown) && (before === null || isBefore(before)))
      return { type, by, at, shown, content, before, wholeRead: wholeRead === true };
  }
  throw new SkillError('invalid-input', `A decision on the proposal ${JSON.stringify(id)} is damaged. Restore the store.`);
}

function isBefore(value: unknown): value is { readonly content: string; readonly files: readonly KeptFile[] } {
  if (!isJsonObject(value) || typeof value['content'] !== 'string' || !Array.isArray(value['files'])) return false;
  return value['files'].every(
    (file) =>
      isJsonObject(file) && typeof file['path'] === 'string' && (typeof file['text'] === 'string' || typeof file['base64'] === 'string'),
  );
}
