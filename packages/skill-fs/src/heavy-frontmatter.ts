import type { SkillDiagnostic } from '@repertoire/skills-core';
import { isHeavyFrontmatter } from '@repertoire/skills-core/internal';
import type { DiscoveredRoot, SkillFile } from './discover-skill-files.ts';
import { directoryNameOf, type RecordWork } from './skill-file-record.ts';

/** This many, or one of twenty files, are read in one look at a root. */
const fewest = 16;
const partOfFiles = 1 / 20;

/**
 * Counts files with costly frontmatter by root: each is within its limits, but a thousand of them
 * would block the process.
 */
export class HeavyFrontmatter {
  readonly #read = new Map<DiscoveredRoot, Set<SkillFile>>();

  /** Why a file that needs the YAML parser is left out; `undefined` if it is parsed. */
  refusal({ file, root }: RecordWork, head: string | Uint8Array): SkillDiagnostic | undefined {
    if (!isHeavyFrontmatter(typeof head === 'string' ? head : Buffer.from(head).toString('latin1'))) return undefined;
    const read = this.#read.get(root) ?? new Set();
    this.#read.set(root, read);
    const most = Math.max(fewest, Math.floor(root.files.length * partOfFiles));
    if (read.has(file) || read.size < most) {
      // A file is asked about again once the parser is loaded.
      read.add(file);
      return undefined;
    }
    return {
      code: 'frontmatter-too-complex',
      severity: 'error',
      message: `${JSON.stringify(file.path)} has a frontmatter that takes long to parse, and one look at a root reads ${most} of that kind.`,
      skill: directoryNameOf(file),
      path: file.path,
      fix: 'Write it as plain fields, one a line, and move the rest into the body.',
    };
  }
}
