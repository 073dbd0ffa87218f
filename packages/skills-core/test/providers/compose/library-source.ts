import type { SkillDefinition, SkillDiagnostic, SkillProvider } from '@repertoire/skills-core';
import { skillFromFiles } from '@repertoire/skills-core/skill-md';
import { SkillRegistry } from '../../../src/skillset/skill-registry.ts';
import { groupBySkillDirectory, type SkillLibraryFiles } from '../../../../skills-testkit/src/index.ts';

/** A library of the conformance suite, parsed. */
export interface ParsedLibrary {
  readonly skills: readonly SkillDefinition[];
  readonly diagnostics: readonly SkillDiagnostic[];
}

export function parseLibrary(files: SkillLibraryFiles): ParsedLibrary {
  const groups = [...groupBySkillDirectory(files)].filter(([, group]) => Object.hasOwn(group, 'SKILL.md'));
  const parsed = groups.map(([directoryName, group]) => skillFromFiles(group, { directoryName }));
  return {
    skills: parsed.flatMap(({ definition }) => (definition === null ? [] : [definition])),
    diagnostics: parsed.flatMap(({ diagnostics }) => diagnostics),
  };
}

/** A source that can change and that reports what it could not parse. */
export interface LibrarySource {
  readonly provider: SkillProvider;
  set(library: ParsedLibrary): void;
}

export function librarySource(label: string, library: ParsedLibrary): LibrarySource {
  const registry = new SkillRegistry({ label });
  let reported = library.diagnostics;
  const set = ({ skills, diagnostics }: ParsedLibrary) => {
    reported = diagnostics;
    registry.clear();
    for (const skill of skills) registry.register(skill);
  };
  set(library);
  const provider: SkillProvider = {
    label,
    listSkills: async (options) => {
      const { skills, complete } = await registry.listSkills(options);
      return { skills, diagnostics: structuredClone(reported), complete };
    },
    getSkill: (name, options) => registry.getSkill(name, options),
    readResource: (name, path, options) => registry.readResource(name, path, options),
    watch: (onChange) => registry.watch(onChange),
    gatedTools: () => registry.gatedTools(),
  };
  return { provider, set };
}

/** Splits a library in two by name, so that versions of one skill stay together. */
export function splitLibrary({ skills, diagnostics }: ParsedLibrary): [ParsedLibrary, ParsedLibrary] {
  const left = (skill: SkillDefinition) => skill.name.charCodeAt(0) % 2 === 0;
  return [
    { skills: skills.filter(left), diagnostics },
    { skills: skills.filter((skill) => !left(skill)), diagnostics: [] },
  ];
}
