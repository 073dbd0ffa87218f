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
