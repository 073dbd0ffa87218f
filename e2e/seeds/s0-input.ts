/** What a person writes who follows the description of declarative agents: a card, a SKILL.md, and the sections of a file, each as it stands there. */
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { tool, type StructuredToolInterface } from '@langchain/core/tools';
import * as z from 'zod';

export const skillCard = `{
  "id": "weather",
  "version": "1.0.0",
  "name": "Weather Lookup",
  "description": "Get current weather conditions for any city worldwide.",
  "base_uri": ".",
  "files": [
    "SKILL.md",
    "references/open-meteo-api.md",
    "assets/weather-codes.md"
  ],
  "mcps": {},
  "local_tools": {
    "get_weather": {
      "id": "get_weather",
      "version": "1.0.0",
      "import_path": "my_tools.get_weather"
    }
  },
  "extensions": [
    {
      "uri": "urn:skill:tools:local",
      "description": "Python tool references loaded via import_path"
    }
  ]
}
`;

export const skillMd = `---
name: Weather Lookup
description: Get current weather conditions for any city worldwide.
license: MIT
---
# Weather Lookup Skill

Use the \`get_weather\` tool to retrieve current weather for a given city.

## Usage

Call \`get_weather(city="<city name>")\`. The tool returns a JSON string with:

- Location name and country
- Temperature
- Wind speed and direction
`;

export const skillsSection = `skills:
  - id: weather
    version: "1.0.0"
    skill_card_path: ../skills/weather/skill-card.json  # Relative to YAML file
`;

/** What the excerpts name and do not show. */
const rest = `llms:
  - id: my-llm
    version: "1.0.0"
`;

const discoverPrompt = `prompts:
  - id: discover-skills
    version: "1.0.0"
    instructions: >
      Here are the available skills: \${available_skills}
      Call load_skill_md for the most relevant skill.
`;

const executePrompt = `  - id: execute
    version: "1.0.0"
    instructions: Do what the loaded skill says.
`;

const discoverNode = `nodes:
  - name: discover
    type: call_llm
    args:
      llm: { id: my-llm, version: "1.0.0" }
      prompt:
        - role: system
          content: 'template(prompts["discover-skills"]["instructions"], {"available_skills": string(skills)})'
        - role: messages
          content: 'state.messages'
      tools:
        - id: load_skill_md
        - id: unload_skill
      state_updates:
        messages: '[llm_response]'
`;

const executeNode = `  - name: execute
    type: call_llm
    args:
      llm: { id: my-llm, version: "1.0.0" }
      prompt: 'prompts["execute"]["instructions"]'
      use_tools_from_loaded_skills: true
      state_updates:
        messages: '[llm_response]'
`;

const planPrompts = `prompts:
  - id: find-relevant-skills
    instructions: Name the skills that the request needs.
  - id: plan
    instructions: Answer with the loaded skills.
`;

const planNodes = `nodes:
  - name: find_relevant_skills
    type: call_llm
    args:
      prompt:
        - role: system
          content: 'prompts["find-relevant-skills"]["instructions"]'
        - role: messages
          content: 'state.messages'
      response_format:
        name: SelectedSkills
        description: Skills relevant to the request
        schema:
          type: object
          properties:
            skills:
              type: array
              items:
                type: object
                properties:
                  id: { type: string }
                  version: { type: string }
                required: [id]
          required: [skills]
      state_updates:
        messages: '[llm_response]'
  - name: load_selected_skills
    type: load_skills
    args:
      skill_ids: 'json(state.messages[size(state.messages) - 1].content)["skills"]'
  - name: plan
    type: call_llm
    args:
      prompt:
        - role: system
          content: 'prompts["plan"]["instructions"]'
        - role: messages
          content: 'state.messages'
      use_tools_from_loaded_skills: true
      state_updates:
        messages: '[llm_response]'
`;

/** Progressive disclosure: discover, then execute. */
export const discoverAgent: string = skillsSection + rest + discoverPrompt + executePrompt + discoverNode + executeNode;
/** Skills that a node loads before the plan. */
export const planAgent: string = skillsSection + rest + planPrompts + planNodes;

/** The tools of the host: that of the card, and what it was asked. */
export function weatherTool(): { readonly cities: string[]; readonly get_weather: StructuredToolInterface } {
  const cities: string[] = [];
  const get_weather = tool(
    async ({ city }) => {
      cities.push(city);
      return `{"place":"${city}","temperature":-3}`;
    },
    { name: 'get_weather', description: 'Current weather.', schema: z.object({ city: z.string() }) },
  );
  return { cities, get_weather };
}

/** A folder with the skill and the files of agents, as the description lays them out. */
export async function seedFolder(): Promise<{
  readonly path: string;
  write(path: string, text: string): Promise<string>;
  remove(): Promise<void>;
}> {
  const path = await mkdtemp(join(tmpdir(), 'repertoire-s0-'));
  const write = async (file: string, text: string): Promise<string> => {
    await mkdir(join(path, file, '..'), { recursive: true });
    await writeFile(join(path, file), text);
    return join(path, file);
  };
  await write('skills/weather/skill-card.json', skillCard);
  await write('skills/weather/SKILL.md', skillMd);
  await write('skills/weather/references/open-meteo-api.md', '# The API\n');
  await write('skills/weather/assets/weather-codes.md', '# Codes\n');
  await write('agents/discover.yaml', discoverAgent);
  await write('agents/plan.yaml', planAgent);
  return { path, write, remove: () => rm(path, { recursive: true, force: true }) };
}
