import type { SkillProvider } from '@repertoire/skills-core';
import type { GetSkillOptions, WriteSkillOptions } from '@repertoire/skills-core/provider';
import type { FileSystemSkillProviderOptions } from './file-system-skill-provider-options.ts';
import { FolderSkills } from './folder-skills.ts';

/** A {@link SkillProvider} of folders, with every optional ability of the contract. */
export type FileSystemSkillProvider = SkillProvider & Required<Pick<SkillProvider, 'watch'>> & { [Symbol.asyncDispose](): Promise<void> };

/**
 * Skills from folders on disk. Each folder with a `SKILL.md`, at whatever depth below a root, is a
 * skill; the other files in it are its resources, also a `SKILL.md` that lies in its `scripts`,
 * `references` or `assets`. So is a folder with a `skill-card.json` alone, whose `base_uri` may
 * lead to another folder of the root.
 *
 * Listing reads no more of a `SKILL.md` than its frontmatter. `getSkill` and `readResource` read
 * the disk each time, so edits are seen at once; new and removed skills are seen after
 * `staleAfterMs`, or at once where someone watches.
 *
 * The same listing is the same frozen object as long as nothing changed. It is `complete: false` if
 * a limit cut it, a folder could not be read, or a root that is not `optional` is missing.
 *
 * A root that does not exist lists no skills, and a diagnostic says so: it may be made later. One
 * that exists and cannot be read is an error diagnostic. If that is so of every root that exists,
 * calls reject. A name that no other root has is not unknown then, unless the root is `optional`,
 * was read before without it, or is made by the first `write`: `getSkill` and `readResource`
 * reject.
 *
 * `readResource` with the path `SKILL.md` answers the bytes of that file. Resources are read afresh
 * each time.
 *
 * Diagnostics of a listing: `root-missing`, `root-unreadable`, `folder-unreadable`,
 * `discovery-truncated`, `link-broken`, `link-outside-root`, `skill-file-name`,
 * `skill-file-ignored`, `skill-unreadable`, `skill-too-large`, `skill-shadowed`, `skill-duplicate`,
 * `skill-look-alike`, `phase-file`, `hard-link-refused`, `watch-degraded`, `digests-not-kept`,
 * `skills-in-hidden-folder`, `skills-too-deep`, `openai-settings-unusable`, `card-unusable`,
 * `card-without-skill-md`, `roots-share-label`. Those of a skill: `skill-among-resources`,
 * `resources-truncated`, `link-outside-skill`, `folder-unreadable`, `hard-link-refused`. Both also
 * have those of the parser.
 *
 * @throws {SkillError} `invalid-options`, at once. Calls reject with `source-unavailable` where no
 *   root can be read, a root that may have the skill is away, or the provider was disposed, and
 *   `readResource` with `limit-exceeded` for a huge file without `maxBytes`.
 * @example
 * ```ts
 * import { fileSystemSkillProvider } from '@repertoire/skill-fs';
 *
 * const provider = fileSystemSkillProvider({ roots: ['./skills'] });
 * for (const { name, description } of (await provider.listSkills()).skills) console.log(`${name}: ${description}`);
 * ```
 */
export function fileSystemSkillProvider(options: FileSystemSkillProviderOptions): FileSystemSkillProvider {
  const skills = new FolderSkills(options);
  const { settings, trusted } = skills;
  return {
    label: settings.label,
    ...(trusted !== undefined && { trusted }),
    listSkills: async ({ signal } = {}) => await skills.ask('list', [], signal),
    getSkill: async (name, { signal, ...given } = {}) => await skills.ask('get', [name, given], signal),
    readResource: async (name, path, { signal, ...given } = {}) => await skills.ask('read', [name, path, given], signal),
    ...(settings.digests !== false && {
      contentOf: async (name: string, { signal, ...given }: GetSkillOptions = {}) => await skills.ask('contentOf', [name, given], signal),
    }),
    ...(settings.writable && {
      write: async (name: string, files: Readonly<Record<string, Uint8Array>> | null, { signal, expected }: WriteSkillOptions) =>
        await skills.ask('write', [name, files, expected], signal),
    }),
    watch: (onChange) => skills.subscribe(onChange),
    [Symbol.asyncDispose]: async () => await skills.close(),
  };
}
