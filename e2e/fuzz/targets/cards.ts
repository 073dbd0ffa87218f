import {
  metadataOfCard,
  parseSkillCard,
  resolveCardBase,
  resolveCardFile,
  serializeSkillCard,
  validateSkillCard,
} from '@repertoire/skill-cards';
import { cardToolsOf } from '@repertoire/skills-core/adapter';
import type { FuzzTarget } from '../../../tools/fuzz/fuzz-target.ts';
import { bytesOf, textOf } from '../support/bytes.ts';
import { checkDiagnostics, checkSame, checkSize, refusedOr } from '../support/orderly.ts';

const url = 'https://cards.example/a/skill-card.json';
const card = {
  id: 'weather',
  version: '1.0.0',
  name: 'Weather',
  description: 'Tells the weather.',
  base_uri: '.',
  files: ['SKILL.md', 'references/a.md'],
  mcps: {
    local: { transport: 'stdio', command: 'node', args: ['a.js'], env: { A: 'b' } },
    far: { transport: 'http', url: 'https://x.example/mcp', headers: { a: 'b' } },
  },
  local_tools: { get_weather: { import_path: './tools.js#getWeather', description: 'd' } },
  extensions: [{ uri: 'urn:repertoire:skill-card:frontmatter', required: false, params: { tools: ['a'], metadata: { a: 'b' } } }],
};

/** Reading a skill card; what was read can be written, and reads back as the same. */
export const target: FuzzTarget = {
  form: 'json',
  words: [
    ...Object.keys(card),
    'transport',
    'stdio',
    'streamable-http',
    'sse',
    'command',
    'url',
    'import_path',
    'params',
    'required',
    'uri',
    'baseUri',
    'https://x.example/',
    'file:///etc',
    '../',
    '%2e%2e/',
    './a.js#b',
    '@a/b#c',
    'urn:repertoire:skill-card:frontmatter',
  ],
  seeds: () => bytesOf(JSON.stringify(card), JSON.stringify(card, null, 2), '{"id":"a","name":"a","description":"b"}'),
  async run(input) {
    const parsed = parseSkillCard(textOf(input), { url });
    checkDiagnostics(parsed.diagnostics, input);
    if (parsed.card === null) return;
    const { card: read } = parsed;
    checkSize(read, input);
    checkDiagnostics(validateSkillCard(read, { url }), input);
    const metadata = metadataOfCard(read);
    checkDiagnostics(cardToolsOf(metadata).diagnostics, input);
    const written = serializeSkillCard(read);
    checkSame('Written and read', serializeSkillCard(parseSkillCard(written).card ?? read), written);
    const base = await refusedOr(() => resolveCardBase(read, url));
    if (base === undefined) return;
    for (const path of read.files.slice(0, 20)) {
      const file = await refusedOr(() => resolveCardFile(base, path));
      if (file !== undefined && !file.startsWith(base.url)) throw new Error(`The file ${file} is not below ${base.url}.`);
    }
  },
};
