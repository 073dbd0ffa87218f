import { fileSystemSkillProvider } from '@repertoire/skill-fs';
import { withSkillCards } from '@repertoire/skill-cards';
import type { SkillProvider } from '@repertoire/skills-core';
import { skillFolders } from './skill-folders.ts';

/** The weather skill of the skill-card system, as its user writes it. */
export const weatherCard: Readonly<Record<string, unknown>> = {
  id: 'weather',
  version: '1.0.0',
  name: 'Weather Lookup',
  description: 'Get current weather conditions for any city worldwide.',
  base_uri: '.',
  files: ['SKILL.md', 'references/open-meteo-api.md', 'assets/weather-codes.md'],
  mcps: {},
  local_tools: { get_weather: { id: 'get_weather', version: '1.0.0', import_path: 'my_tools.get_weather' } },
  extensions: [{ uri: 'urn:skill:tools:local', description: 'Tools of the host, by import path' }],
};

export const weatherSkillMd: string = [
  '---',
  'name: Weather Lookup',
  'description: Get current weather conditions for any city worldwide.',
  'license: MIT',
  '---',
  '# Weather Lookup Skill',
  '',
  'Use the `get_weather` tool to retrieve current weather for a given city.',
  '',
].join('\n');

/** Its files, below a folder `weather`. */
export const weatherFiles: Readonly<Record<string, string>> = {
  'weather/skill-card.json': JSON.stringify(weatherCard),
  'weather/SKILL.md': weatherSkillMd,
  'weather/references/open-meteo-api.md': '# Open-Meteo\n\nGET /v1/forecast\n',
  'weather/assets/weather-codes.md': '0 Clear sky\n',
};

/** A folder with them, where the card counts. */
export async function weatherProvider(): Promise<SkillProvider> {
  return withSkillCards(fileSystemSkillProvider({ roots: [await skillFolders(weatherFiles)] }));
}

/** A server in memory: the files at their paths, on every origin. */
export function serveFiles(files: Readonly<Record<string, string>>): (request: Request) => Promise<Response> {
  return async (request) => {
    const content = files[new URL(request.url).pathname.slice(1)];
    return content === undefined ? new Response('no', { status: 404 }) : new Response(content);
  };
}
