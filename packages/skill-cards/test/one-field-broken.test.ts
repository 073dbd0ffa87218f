import { expect, it } from 'vitest';
import { brokenTable } from '../../../test/support/one-field-broken.ts';
import { parseSkillCard, validateSkillCard } from '../src/index.ts';

const card = {
  id: 'tides',
  version: '2.1.0',
  name: 'Tide Tables',
  description: 'Gives high and low water.',
  base_uri: '.',
  files: ['SKILL.md', 'references/ports.md'],
  mcps: {
    harbor: { id: 'harbor', version: '1.0.0', transport: 'streamable-http', url: 'https://mcp.example/', headers: { 'x-client': 'tides' } },
    local: { id: 'local', version: '1.0.0', transport: 'stdio', command: 'serve', args: ['-q'], env: { TZ: 'UTC' }, cwd: 'server' },
  },
  local_tools: { tide: { id: 'tide', version: '1.0.0', import_path: './tools.js#tide' } },
  extensions: [{ uri: 'urn:x', description: 'Units.', required: true, params: { heights: ['m'] } }],
};

it('FMT-4: a card in which one field is wrong is told of by its code', async () => {
  await expect(await brokenTable(card, (value) => parseSkillCard(value).diagnostics)).toMatchFileSnapshot('broken/card.txt');
});

it('FMT-4: and strictly where it is checked', async () => {
  const read = (value: unknown) => {
    const { card: whole } = parseSkillCard(value);
    return whole === null ? [{ code: 'no card', message: JSON.stringify(card) }] : validateSkillCard(whole);
  };
  await expect(await brokenTable(card, read)).toMatchFileSnapshot('broken/checked-card.txt');
});
