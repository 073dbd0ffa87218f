import type { SkillResource } from '@repertoire/skills-core/provider';
import type { SkillView } from './skill-view.ts';

/** A file or a folder of a {@link SkillTree}. */
export interface TreeEntry {
  readonly name: string;
  readonly isFolder: boolean;
  readonly size?: number | undefined;
  readonly mediaType?: string | undefined;
}

/**
 * A view as a tree of POSIX paths: `/`, then a folder for each skill. Paths may lack the first
 * slash and may end with one.
 */
export interface SkillTree {
  /** `null` if there is no such file or folder. */
  stat(path: string): Promise<TreeEntry | null>;
  /** What is directly in a folder; `null` if there is no such folder. */
  list(path: string): Promise<readonly TreeEntry[] | null>;
  /** A file, whole; `null` if there is none. */
  read(path: string): Promise<SkillResource | null>;
}

export function skillTree(view: SkillView): SkillTree {
  async function list(path: string): Promise<readonly TreeEntry[] | null> {
    const segments = segmentsOf(path);
    if (segments === null) return null;
    const [name, ...rest] = segments;
    if (name === undefined) return (await view.list()).skills.map((skill) => ({ name: skill.name, isFolder: true }));
    const skill = await view.get(name);
    if (skill === null) return null;
    const files: { path: string; size?: number | undefined; mediaType: string }[] = [
      { path: 'SKILL.md', size: skill.skillMd.length, mediaType: 'text/markdown' },
      ...skill.files,
    ];
    const folder = rest.length === 0 ? '' : `${rest.join('/')}/`;
    const entries = new Map<string, TreeEntry>();
    for (const file of files) {
      if (!file.path.startsWith(folder)) continue;
      const [first = '', ...deeper] = file.path.slice(folder.length).split('/');
      const isFolder = deeper.length > 0;
      entries.set(first, { name: first, isFolder, ...(!isFolder && { size: file.size, mediaType: file.mediaType }) });
    }
    return entries.size === 0 ? null : [...entries.values()];
  }

  return {
    list,
    async stat(path) {
      const segments = segmentsOf(path);
      if (segments === null) return null;
      const name = segments.at(-1);
      if (name === undefined) return { name: '/', isFolder: true };
      const entries = await list(segments.length === 1 ? name : segments.slice(0, -1).join('/'));
      if (segments.length === 1) return entries === null ? null : { name, isFolder: true };
      return entries?.find((entry) => entry.name === name) ?? null;
    },
    async read(path) {
      const [name, ...rest] = segmentsOf(path) ?? [];
      if (name === undefined || rest.length === 0) return null;
      return await view.read(name, rest.join('/'));
    },
  };
}

/** `null` for a path that leads upwards. */
function segmentsOf(path: string): string[] | null {
  const segments = path.split('/').filter((segment) => segment !== '' && segment !== '.');
  return segments.includes('..') ? null : segments;
}
