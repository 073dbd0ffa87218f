import { SkillRegistry } from '@repertoire/skills-core';
import { sha256Hex } from '@repertoire/skills-core/provider';
import { skillFromFiles } from '@repertoire/skills-core/skill-md';
import { httpSkillProvider } from '@repertoire/skill-http';
import { createSkillsHandler } from '@repertoire/skill-http/server';
import { groupBySkillDirectory, skillProviderCases, type SkillLibraryFiles } from '@repertoire/skills-testkit';
import { everydayLibrary } from '../../packages/skills-testkit/src/fixtures/everyday-library.ts';

const indexPath = '/.well-known/agent-skills/index.json';

/** Publishes a library, with an entry for each skill that cannot be read, as a careless publisher would. */
function publish(files: SkillLibraryFiles): (request: Request) => Promise<Response> {
  const skills = [...groupBySkillDirectory(files)].map(([directory, group]) => ({
    directory,
    group,
    definition: skillFromFiles(group).definition,
  }));
  const handler = createSkillsHandler(
    new SkillRegistry({ skills: skills.flatMap(({ definition }) => (definition === null ? [] : [definition])) }),
  );
  const broken = skills.filter(({ group, definition }) => 'SKILL.md' in group && definition === null);
  return async (request) => {
    const response = await handler(request);
    if (broken.length === 0 || new URL(request.url).pathname !== indexPath) return response;
    const index = (await response.json()) as { skills: unknown[] };
    return Response.json({ ...index, skills: [...index.skills, ...broken.map(({ directory }) => ({ name: directory, type: 'archive' }))] });
  };
}

async function conformance(): Promise<{ passed: number; failed: string[] }> {
  const cases = skillProviderCases({
    name: 'skill-http in workerd',
    abilities: ['dispose', 'versions', 'raw'],
    trusted: false,
    create: async (files) => ({ provider: httpSkillProvider({ url: 'https://skills.example', fetch: publish(files) }) }),
    failing: async () => ({
      provider: httpSkillProvider({ url: 'https://skills.example', retries: 0, fetch: async () => new Response(null, { status: 500 }) }),
    }),
  });
  const failed: string[] = [];
  for (const { title, run } of cases) {
    try {
      await run();
    } catch (error) {
      failed.push(`${title}: ${String(error)}`);
    }
  }
  return { passed: cases.length - failed.length, failed };
}

/** Reads a server by the platform's own fetch, over a socket. */
async function read(url: string): Promise<unknown> {
  const provider = httpSkillProvider({ url, allowHttp: true, allowPrivateAddresses: true, minFreshMs: 0 });
  const { skills: listed, diagnostics } = await provider.listSkills();
  const texts: Record<string, string> = {};
  for (const { name } of listed) {
    const skill = await provider.getSkill(name);
    for (const { path } of skill?.resources ?? []) {
      const resource = await provider.readResource(name, path);
      texts[`${name}/${path}`] = await sha256Hex(resource?.bytes ?? '');
    }
  }
  return { names: listed.map(({ name }) => name), texts, diagnostics };
}

export default {
  async fetch(request: Request): Promise<Response> {
    const origin = new URL(request.url).searchParams.get('origin');
    if (new URL(request.url).pathname === indexPath) return await publish(everydayLibrary)(request);
    return Response.json(origin === null ? await conformance() : await read(origin));
  },
};
