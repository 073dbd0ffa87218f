import type { DatabaseSync } from 'node:sqlite';
import { SkillError, type SkillDiagnostic, type SkillMetadata, type SkillProvider } from '@repertoire/skills-core';
import {
  compareResources,
  compareSkills,
  isResourcePath,
  mediaTypeOf,
  resourceEntry,
  type SkillOrigin,
} from '@repertoire/skills-core/provider';

export const schema = `
  CREATE TABLE skill (id INTEGER PRIMARY KEY, metadata TEXT NOT NULL, body TEXT NOT NULL);
  CREATE TABLE skill_file (skill_id INTEGER NOT NULL REFERENCES skill, path TEXT NOT NULL, bytes BLOB NOT NULL, PRIMARY KEY (skill_id, path));
`;

interface Row extends SkillMetadata {
  readonly id: number;
}

export function sqliteSkillProvider(database: DatabaseSync, label = 'sqlite', trusted = false): SkillProvider {
  const origin: SkillOrigin = { kind: 'sqlite', label, trusted };

  /** Runs a query, and turns what the database throws into the error of the contract. */
  function all(sql: string, ...values: (string | number)[]): Record<string, unknown>[] {
    try {
      return database.prepare(sql).all(...values);
    } catch (cause) {
      throw new SkillError('source-unavailable', `[${label}] The skills cannot be read. Is the database open?`, { source: label, cause });
    }
  }

  /** The skills, and why others are left out: one bad row never hides another. */
  function read(): { readonly rows: readonly Row[]; readonly diagnostics: readonly SkillDiagnostic[] } {
    const rows: Row[] = [];
    const diagnostics: SkillDiagnostic[] = [];
    // Sorted here and not by SQL: a database compares bytes or by a collation, the contract compares UTF-16 code units.
    const found = all('SELECT id, metadata FROM skill')
      .map(({ id, metadata }) => ({ ...(JSON.parse(String(metadata)) as SkillMetadata), origin: { ...origin }, id: Number(id) }))
      .sort(compareSkills);
    for (const row of found) {
      const { name: skill, version, description } = row;
      const previous = rows.at(-1);
      const problem =
        (description ?? '') === ''
          ? 'has no description'
          : previous?.name === skill && previous.version === version
            ? 'is there twice'
            : null;
      if (problem === null) rows.push(row);
      else
        diagnostics.push({
          code: 'row-invalid',
          severity: 'error',
          skill,
          message: `[${label}] "${skill}" ${problem}.`,
          fix: `Look at row ${row.id}.`,
        });
    }
    return { rows, diagnostics };
  }

  function find(name: string, version: string | null | undefined): Row | undefined {
    // The newest version stands first.
    return read().rows.find((row) => row.name === name && (version === undefined || row.version === version));
  }

  return {
    label,

    async listSkills({ signal } = {}) {
      signal?.throwIfAborted();
      const { rows, diagnostics } = read();
      const skills = rows.map(({ id: _id, ...metadata }) => metadata);
      // Made for this call, so it belongs to the caller. What is kept and given out again has to be frozen at every depth.
      return { skills, diagnostics, complete: true };
    },

    async getSkill(name, { version, signal } = {}) {
      signal?.throwIfAborted();
      const row = find(name, version);
      if (row === undefined) return null;
      const { id, ...metadata } = row;
      const [found] = all('SELECT body FROM skill WHERE id = ?', id);
      if (found === undefined) return null;
      const resources = all('SELECT path, length(bytes) AS size FROM skill_file WHERE skill_id = ?', id)
        .map(({ path, size }) => resourceEntry(String(path), { size: Number(size) }))
        .sort(compareResources);
      return { ...metadata, body: String(found['body']), resources, diagnostics: [] };
    },

    async readResource(name, path, { version, maxBytes, signal } = {}) {
      signal?.throwIfAborted();
      const row = isResourcePath(path) ? find(name, version) : undefined;
      if (row === undefined) return null;
      const most = maxBytes ?? Number.MAX_SAFE_INTEGER;
      const [file] = all(
        'SELECT substr(bytes, 1, ?) AS bytes, length(bytes) AS size FROM skill_file WHERE skill_id = ? AND path = ?',
        most,
        row.id,
        path,
      );
      if (file === undefined) return null;
      return { path, bytes: new Uint8Array(file['bytes'] as Uint8Array), size: Number(file['size']), mediaType: mediaTypeOf(path) };
    },
  };
}
