import { SkillRegistry, type SkillProvider } from '@repertoire/skills-core';
import { skillFromFiles } from '@repertoire/skills-core/skill-md';
import { groupBySkillDirectory, type SkillLibraryFiles } from '@repertoire/skills-testkit';

/** A provider of files whose whole library can be replaced. */
export function changingProvider(files: SkillLibraryFiles): { provider: SkillProvider; change: (files: SkillLibraryFiles) => void } {
  let current = provide(files);
  const watchers = new Set<() => void>();
  const provider: SkillProvider = {
    label: 'published',
    listSkills: (options) => current.listSkills(options),
    getSkill: (name, options) => current.getSkill(name, options),
    readResource: (name, path, options) => current.readResource(name, path, options),
    watch(onChange) {
      watchers.add(onChange);
      return () => void watchers.delete(onChange);
    },
  };
  const change = (next: SkillLibraryFiles): void => {
    current = provide(next);
    for (const watcher of watchers) watcher();
  };
  return { provider, change };
}

function provide(files: SkillLibraryFiles): SkillProvider {
  const skills = [...groupBySkillDirectory(files)].map(([directoryName, group]) => skillFromFiles(group, { directoryName }).definition);
  return new SkillRegistry({ skills: skills.filter((skill) => skill !== null), label: 'published' });
}
