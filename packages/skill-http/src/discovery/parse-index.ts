import { SkillError, type SkillDiagnostic } from '@repertoire/skills-core';
import { deepFreeze, fieldOf, isJsonObject, type JsonObject, messageOf, Pace } from '@repertoire/skills-core/internal';
import { compareSkills } from '@repertoire/skills-core/provider';
import { discoverySchema } from './discovery-format.ts';
import { IndexReader, quote, type IndexContext } from './index-reader.ts';
import { readCardEntry } from './read-card-entry.ts';
import { readEntry, readLegacyEntry } from './read-entry.ts';
import { entryKey, type SkillEntry } from './skill-entry.ts';

/** What an entry costs, in characters of text. */
const entryCost = 256;

/** What a place publishes. */
export interface SkillIndex {
  /** In the order of the contract. */
  readonly entries: readonly SkillEntry[];
  readonly diagnostics: readonly SkillDiagnostic[];
  /** Whether every entry was looked at; `false` beyond the limit. */
  readonly complete: boolean;
  /** Which format it was. */
  readonly layout: '0.2.0' | '0.1.0' | 'card';
}

/** Thrown for bytes that are no index, such as the page that a site serves for every address. */
export class NoIndexError extends Error {}

/**
 * Reads an index of either version, or a card; the content decides which. A bad entry is left out
 * and reported; the rest is used.
 *
 * @throws {NoIndexError} if the bytes are no index
 * @throws {SkillError} `unsupported` for an index of an unknown version, `source-unavailable` if no
 *   entry can be used
 */
export async function parseIndex(bytes: Uint8Array, context: IndexContext): Promise<SkillIndex> {
  const json = parseJson(bytes);
  if (!isJsonObject(json)) throw new NoIndexError(`is no JSON object`);
  const reader = new IndexReader(context);
  const skills = fieldOf(json, 'skills');
  if (Array.isArray(skills))
    return finished(skills, await readEntries(json, skills, reader), schemaOf(json) === undefined ? '0.1.0' : '0.2.0', reader);
  if (typeof fieldOf(json, 'id') === 'string') return finished([json], readCardEntry(json, reader), 'card', reader);
  throw new NoIndexError('is neither an index of skills nor a card');
}

async function readEntries(json: JsonObject, skills: readonly unknown[], reader: IndexReader): Promise<SkillEntry[]> {
  const { url, maxSkills, policy } = reader.context;
  const schema = schemaOf(json);
  if (schema !== undefined && schema !== discoverySchema) {
    throw new SkillError(
      'unsupported',
      `[skill-http] The index ${url} has the $schema ${quote(schema)}, which this version does not know. It reads ${discoverySchema}, and indexes without one.`,
      { source: policy.label, path: url },
    );
  }
  if (skills.length > maxSkills) {
    reader.report(
      'warning',
      'index-truncated',
      `The index has ${skills.length} entries; the first ${maxSkills} are used.`,
      undefined,
      'Raise limits.skills where that is right.',
    );
  }
  const read = schema === undefined ? readLegacyEntry : readEntry;
  const found = new Map<string, SkillEntry>();
  const owners = new Map<string, number>();
  const pace = new Pace();
  for (const [position, entry] of skills.slice(0, maxSkills).entries()) {
    await pace.spend(entryCost);
    for (const skill of read(entry, reader)) {
      const owner = owners.get(skill.name) ?? position;
      if (owner !== position || found.has(entryKey(skill))) {
        reader.skip('index-entry-duplicate', skill.name, 'its name is there already; the first is used.');
        continue;
      }
      owners.set(skill.name, owner);
      found.set(entryKey(skill), skill);
    }
  }
  return [...found.values()];
}

function finished(listed: readonly unknown[], entries: SkillEntry[], layout: SkillIndex['layout'], reader: IndexReader): SkillIndex {
  const { diagnostics, context } = reader;
  if (listed.length > 0 && entries.length === 0) {
    throw new SkillError('source-unavailable', `[skill-http] Nothing in ${context.url} can be used. ${diagnostics[0]?.message ?? ''}`, {
      source: context.policy.label,
      path: context.url,
    });
  }
  const complete = listed.length <= context.maxSkills;
  return { entries: entries.map(withFrozenMetadata).sort(compareSkills), diagnostics, complete, layout };
}

function withFrozenMetadata(entry: SkillEntry): SkillEntry {
  return { ...entry, metadata: deepFreeze(entry.metadata) };
}

function schemaOf(json: JsonObject): unknown {
  return fieldOf(json, '$schema');
}

function parseJson(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch (error) {
    throw new NoIndexError(`is not JSON (${messageOf(error)})`);
  }
}
