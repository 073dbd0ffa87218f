import { SkillRegistry, type SkillProvider } from '@repertoire/skills-core';
import { skillFromFiles } from '@repertoire/skills-core/skill-md';
import { groupBySkillDirectory, type SkillLibraryFiles } from '@repertoire/skills-testkit';
import { createSkillsHandler } from '../../src/server.ts';

const indexPath = '/.well-known/agent-skills/index.json';

/** A library as a provider of code, without the skills that cannot be read. */
export function providerOf(files: SkillLibraryFiles): { readonly provider: SkillProvider; readonly broken: readonly string[] } {
  const read = [...groupBySkillDirectory(files)].map(([directoryName, group]) => ({
    directoryName,
    isSkill: 'SKILL.md' in group,
    // The name is not checked against the folder: versions of one skill lie in folders of other names.
    definition: skillFromFiles(group).definition,
  }));
  return {
    provider: new SkillRegistry({ skills: read.flatMap(({ definition }) => (definition === null ? [] : [definition])) }),
    broken: read.filter(({ definition, isSkill }) => isSkill && definition === null).map(({ directoryName }) => directoryName),
  };
}

/**
 * Publishes a library as a careless publisher would: by our handler, with an entry in the index for each skill that cannot be read.
 */
export function publishLibrary(files: SkillLibraryFiles, basePath = ''): (request: Request) => Promise<Response> {
  const { provider, broken } = providerOf(files);
  const handler = createSkillsHandler(provider, { basePath });
  return async (request) => {
    const response = await handler(request);
    if (broken.length === 0 || new URL(request.url).pathname !== `${basePath}${indexPath}` || response.status !== 200) return response;
    const index = (await response.json()) as { skills: unknown[] };
    const entries = broken.map((name) => ({ name, type: 'skill-md', url: `${name}/SKILL.md`, digest: `sha256:${'0'.repeat(64)}` }));
    return Response.json({ ...index, skills: [...index.skills, ...entries] });
  };
}
