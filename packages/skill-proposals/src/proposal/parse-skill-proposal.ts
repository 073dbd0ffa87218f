import { SkillError } from '@repertoire/skills-core';
import { fieldOf, isJsonObject, isSha256Hex } from '@repertoire/skills-core/internal';
import { checkSkillName } from '@repertoire/skills-core/provider';
import { digestOfChange } from './digest-of-change.ts';
import { refusePaths } from './refuse-paths.ts';
import { proposalLimits, type ProposedFile, type SkillEdit, type SkillProposal, type SkillProposalBase } from './skill-proposal.ts';

/**
 * Reads a proposal that was stored as JSON. A store may be a branch of a stranger, so everything is
 * looked at again, and the digest is computed.
 *
 * @throws {SkillError} `invalid-input`, `invalid-path`; `digest-mismatch` if the text is not that
 *   of the digest
 */
export async function parseSkillProposal(json: unknown, id: string): Promise<SkillProposal> {
  const damaged = (what: string): SkillError =>
    new SkillError('invalid-input', `The proposal ${JSON.stringify(id)} is damaged: ${what}. Remove it, or restore it.`);
  const text = (field: string, most: number = proposalLimits.wordCharacters): string => {
    const value = fieldIn(json, field);
    if (typeof value !== 'string' || value.length > most) throw damaged(`${field} is no text of up to ${most} characters`);
    return value;
  };
  const optional = (field: string): string | null => (fieldIn(json, field) === null ? null : text(field));
  const rows = (field: string, most: number): readonly unknown[] => {
    const value = fieldIn(json, field);
    if (!Array.isArray(value) || value.length > most) throw damaged(`${field} is no list of up to ${most}`);
    return value;
  };
  const texts = (row: unknown, fields: readonly string[]): string[] =>
    fields.map((field) => {
      const value = fieldIn(row, field);
      if (typeof value !== 'string' || value.length > proposalLimits.textBytes) throw damaged(`a file or an edit has no ${field}`);
      return value;
    });
  const files = rows('files', proposalLimits.files).map((row): ProposedFile => {
    const [path = '', content = ''] = texts(row, ['path', 'text']);
    const replaces = fieldIn(row, 'replaces');
    if (replaces !== null && (typeof replaces !== 'string' || !isSha256Hex(replaces)))
      throw damaged('a file does not say what it replaces');
    return { path, text: content, replaces };
  });
  const edits = rows('edits', proposalLimits.edits).map((row): SkillEdit => {
    const [path = '', old = '', by = ''] = texts(row, ['path', 'old', 'new']);
    return { path, old, new: by };
  });
  const skill = text('skill');
  if (checkSkillName(skill).length > 0) throw damaged('its skill has no valid name');
  refusePaths(
    [...files, ...edits].map(({ path }) => path),
    skill,
  );
  const digest = await digestOfChange(skill, { files, edits });
  if (digest !== text('digest') || id !== `${skill}-${digest.slice(0, 16)}` || text('id') !== id)
    throw new SkillError('digest-mismatch', `The proposal ${JSON.stringify(id)} has another text than its digest says. Remove it.`, {
      skill,
    });
  const created = text('created');
  if (Number.isNaN(Date.parse(created))) throw damaged('created is no time');
  return {
    id,
    digest,
    skill,
    base: baseOf(fieldIn(json, 'base'), damaged),
    files,
    edits,
    reason: text('reason', proposalLimits.reasonCharacters),
    conversation: optional('conversation'),
    model: optional('model'),
    author: optional('author'),
    created,
  };
}

function baseOf(value: unknown, damaged: (what: string) => SkillError): SkillProposalBase | null {
  if (value === null) return null;
  const [source, place, version, content] = ['source', 'place', 'version', 'content'].map((field) => fieldIn(value, field));
  const isWhole = typeof source === 'string' && typeof place === 'string' && (version === null || typeof version === 'string');
  if (!isWhole || typeof content !== 'string' || !isSha256Hex(content)) throw damaged('its base is none');
  return { source, place, version, content };
}

function fieldIn(value: unknown, field: string): unknown {
  return isJsonObject(value) ? fieldOf(value, field) : undefined;
}
