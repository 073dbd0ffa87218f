import { parseSkillCard, resolveCardFile } from '@repertoire/skill-cards';
import { openCard } from '@repertoire/skill-cards/internal';
import { SkillError } from '@repertoire/skills-core';
import type { JsonObject } from '@repertoire/skills-core/internal';
import { checkUrl } from '../http/url-policy.ts';
import type { IndexReader } from './index-reader.ts';
import { entryOf } from './read-entry.ts';
import type { SkillEntry } from './skill-entry.ts';

/** Reads a skill card. Cards with required extensions that are not known are left out. */
export function readCardEntry(json: JsonObject, reader: IndexReader): SkillEntry[] {
  const { url, policy, maxFiles } = reader.context;
  const { card, diagnostics } = parseSkillCard(json, { url });
  for (const { severity, code, message, skill, fix } of diagnostics) reader.report(severity, code, message, skill, fix);
  if (card === null) return [];
  if (card.files.length > maxFiles) {
    reader.skip('card-file', card.id, `it lists ${card.files.length} files, and at most ${maxFiles} are read.`);
    return [];
  }
  try {
    const { base, metadata, isComplete } = openCard(card, url);
    const folder = checkUrl(base.url, policy).href;
    const files = new Map(card.files.map((path) => [path, { url: resolveCardFile({ url: folder }, path), digest: undefined }]));
    return [entryOf({ metadata, complete: isComplete }, folder, { kind: 'files', files })];
  } catch (error) {
    if (!SkillError.isInstance(error)) throw error;
    reader.skip(error.code === 'invalid-skill' ? 'card-extension' : 'card-base', card.id, error.message);
    return [];
  }
}
