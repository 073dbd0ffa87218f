import { metadataOfCard, parseSkillCard, resolveCardBase, resolveCardFile, type SkillCard } from '@repertoire/skill-cards';
import { frontmatterExtensionUri } from '@repertoire/skill-cards/internal';
import { SkillError } from '@repertoire/skills-core';
import type { JsonObject } from '@repertoire/skills-core/internal';
import { checkUrl } from '../http/url-policy.ts';
import type { IndexReader } from './index-reader.ts';
import { entryOf } from './read-entry.ts';
import type { SkillEntry } from './skill-entry.ts';

/** Reads a skill card. Cards with required extensions that are not known are left out. */
export function readCardEntry(json: JsonObject, reader: IndexReader): SkillEntry[] {
  const { card, diagnostics } = parseSkillCard(json, { url: reader.context.url });
  for (const { severity, code, message, skill, fix } of diagnostics) reader.report(severity, code, message, skill, fix);
  if (card === null) return [];
  const unknown = card.extensions.find(({ required, uri }) => required && uri !== frontmatterExtensionUri);
  if (unknown !== undefined) {
    reader.skip('card-extension', card.id, `it requires the extension ${JSON.stringify(unknown.uri)}, which is not known here.`);
    return [];
  }
  const files = filesOf(card, reader);
  if (files === null) return [];
  const isComplete = card.extensions.some(({ uri }) => uri === frontmatterExtensionUri);
  return [entryOf({ metadata: metadataOfCard(card), complete: isComplete }, files.folder, { kind: 'files', files: files.files })];
}

function filesOf(card: SkillCard, reader: IndexReader): { folder: string; files: Map<string, { url: string; digest: undefined }> } | null {
  const { url, policy, maxFiles } = reader.context;
  if (card.files.length > maxFiles)
    return reader.skip('card-file', card.id, `it lists ${card.files.length} files, and at most ${maxFiles} are read.`);
  try {
    const base = resolveCardBase(card, url);
    const folder = checkUrl(base.url, policy).href;
    return { folder, files: new Map(card.files.map((path) => [path, { url: resolveCardFile({ url: folder }, path), digest: undefined }])) };
  } catch (error) {
    if (!SkillError.isInstance(error)) throw error;
    return reader.skip('card-base', card.id, error.message);
  }
}
