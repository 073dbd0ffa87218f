import { manifest, plugin, skill } from './fixture-parts.ts';
import type { PluginClientCase } from './plugin-client-case.ts';

const [loaded, refused] = [
  { loaded: true, skills: ['pay'], servers: ['good'] },
  { loaded: false, skills: [], servers: [] },
];

function refusing(
  id: string,
  section: string,
  sentence: string,
  fields: Readonly<Record<string, unknown>>,
  reports: readonly string[] = [],
): PluginClientCase {
  const file = { 'plugin/plugin.json': manifest(fields) };
  return { id, section, level: 'MUST', sentence, fixture: plugin(file), expect: { ...refused, ...(reports.length > 0 && { reports }) } };
}

function loading(
  id: string,
  section: string,
  sentence: string,
  fields: Readonly<Record<string, unknown>>,
  reports: readonly string[] = [],
): PluginClientCase {
  const file = { 'plugin/plugin.json': manifest(fields) };
  return { id, section, level: 'MUST', sentence, fixture: plugin(file), expect: { ...loaded, ...(reports.length > 0 && { reports }) } };
}

/** Cases about `plugin.json` and the places of things. */
export const manifestCases: readonly PluginClientCase[] = [
  { id: 'load/directory', section: '11.1', level: 'MUST', sentence: 'loads a plugin from a directory', fixture: plugin(), expect: loaded },
  {
    id: 'manifest/missing',
    section: '4.1',
    level: 'MUST',
    sentence: 'refuses a directory without plugin.json',
    fixture: plugin({ 'plugin/plugin.json': undefined, 'plugin/readme.md': 'Nothing.\n' }),
    expect: refused,
  },
  {
    id: 'manifest/outside',
    section: '4.1',
    level: 'MUST',
    sentence: 'refuses a plugin whose plugin.json leads out of it',
    fixture: plugin({ 'plugin/plugin.json': { link: '../outside/plugin.json' }, 'outside/plugin.json': manifest() }),
    expect: refused,
  },
  {
    id: 'manifest/link-inside',
    section: '4.1',
    level: 'MUST',
    sentence: 'follows a link that stays inside the plugin',
    fixture: plugin({ 'plugin/plugin.json': { link: 'meta/plugin.json' }, 'plugin/meta/plugin.json': manifest() }),
    expect: loaded,
  },
  {
    id: 'manifest/json',
    section: '5.2',
    level: 'MUST',
    sentence: 'refuses a plugin.json that is no JSON',
    fixture: plugin({ 'plugin/plugin.json': `${manifest()},` }),
    expect: refused,
  },
  {
    id: 'manifest/object',
    section: '5.2',
    level: 'MUST',
    sentence: 'refuses a plugin.json that is a list',
    fixture: plugin({ 'plugin/plugin.json': `[${manifest()}]` }),
    expect: refused,
  },
  loading('manifest/unknown-field', '5.2', 'reports and ignores a field that the schema does not have', { hooks: './hooks.json' }, [
    'hooks',
  ]),
  loading('manifest/unknown-places', '6.1', 'finds components at their fixed places, whatever plugin.json says', {
    skills: './elsewhere',
    mcpServers: './other.json',
  }),
  refusing('schema/missing', '5.2', 'refuses a plugin without $schema', { $schema: undefined }, ['$schema']),
  refusing(
    'schema/unknown',
    '5.2',
    'refuses a version that it does not know, and says which',
    { $schema: 'https://agent-plugins.org/schemas/9.0.0/plugin.schema.json' },
    ['9.0.0'],
  ),
  refusing('schema/other-host', '5.2', 'compares $schema exactly', { $schema: 'https://example.com/schemas/1.0.0/plugin.schema.json' }),
  refusing('name/missing', '5.3', 'refuses a plugin without a name, and says so', { name: undefined }, ['name']),
  refusing('name/type', '5.3', 'refuses a name that is no text', { name: 7 }),
  refusing('name/empty', '5.5', 'refuses an empty name', { name: '' }),
  refusing('name/capitals', '5.5', 'refuses a name with capitals', { name: 'Billing' }),
  refusing('name/characters', '5.5', 'refuses a name with other characters', { name: 'billing_tools' }),
  refusing('name/edge', '5.5', 'refuses a name that ends with a hyphen', { name: 'billing-' }),
  refusing('name/start', '5.5', 'refuses a name that begins with a period', { name: '.billing' }),
  refusing('name/hyphens', '5.5', 'refuses two hyphens in a row', { name: 'bil--ling' }),
  refusing('name/periods', '5.5', 'refuses two periods in a row', { name: 'bil..ling' }),
  refusing('name/length', '5.5', 'refuses a name of 65 characters', { name: 'a'.repeat(65) }),
  loading('name/periods-allowed', '5.5', 'takes a name with periods and 64 characters', { name: `acme.${'a'.repeat(59)}` }),
  refusing('field/type', '5.2', 'refuses a version that is no text', { version: 2 }),
  refusing('field/keywords', '5.4', 'refuses keywords that are not texts', { keywords: ['a', 1] }),
  refusing('author/field', '5.4', 'refuses an author with another field', { author: { name: 'Ann', phone: '1' } }),
  refusing('author/type', '5.4', 'refuses an author that is a text', { author: 'Ann' }),
  loading('field/values', '5.4', 'takes texts that are no SemVer, URL, address or license', {
    version: 'tomorrow',
    homepage: 'here',
    repository: 'there',
    license: 'ask us',
    author: { email: 'at home', url: 'x' },
  }),
  loading('extensions/type', '8.1', 'reports and ignores extensions that are no object', { extensions: ['com.example'] }, ['extensions']),
  loading('extensions/unknown', '8.1', 'does not look into namespaces of others', { extensions: { 'com.example.client': 5 } }),
  {
    id: 'places/none',
    section: '6.2',
    level: 'MUST',
    sentence: 'loads a plugin that has a manifest only',
    fixture: { 'plugin/plugin.json': manifest() },
    expect: { loaded: true, skills: [], servers: [] },
  },
  {
    id: 'skills/kind',
    section: '6.2',
    level: 'MUST',
    sentence: 'goes on with servers if skills is a file',
    fixture: plugin({ 'plugin/skills/pay/SKILL.md': undefined, 'plugin/skills': 'A file.\n' }),
    expect: { loaded: true, skills: [], servers: ['good'] },
  },
  {
    id: 'skills/outside',
    section: '4.1',
    level: 'MUST',
    sentence: 'goes on with servers if skills leads out of the plugin',
    fixture: plugin({
      'plugin/skills/pay/SKILL.md': undefined,
      'plugin/skills': { link: '../outside' },
      'outside/pay/SKILL.md': skill('pay'),
    }),
    expect: { loaded: true, skills: [], servers: ['good'] },
  },
  {
    id: 'skills/file-outside',
    section: '4.1',
    level: 'MUST',
    sentence: 'skips a skill whose SKILL.md leads out of the plugin, and loads the others',
    fixture: plugin({ 'plugin/skills/leak/SKILL.md': { link: '../../../outside/SKILL.md' }, 'outside/SKILL.md': skill('leak') }),
    expect: loaded,
  },
  {
    id: 'skills/folder-outside',
    section: '4.1',
    level: 'MUST',
    sentence: 'skips a skill whose folder leads out of the plugin',
    fixture: plugin({ 'plugin/skills/leak': { link: '../../outside/leak' }, 'outside/leak/SKILL.md': skill('leak') }),
    expect: loaded,
  },
  {
    id: 'skills/folder-inside',
    section: '4.1',
    level: 'MUST',
    sentence: 'takes a skill whose folder is a link inside the plugin',
    fixture: plugin({ 'plugin/skills/refund': { link: '../shared/refund' }, 'plugin/shared/refund/SKILL.md': skill('refund') }),
    expect: { loaded: true, skills: ['pay', 'refund'] },
  },
  {
    id: 'skills/depth',
    section: '7.1',
    level: 'MUST',
    sentence: 'does not search deeper than the immediate children of skills',
    fixture: plugin({ 'plugin/skills/group/deep/SKILL.md': skill('deep') }),
    expect: loaded,
  },
  {
    id: 'skills/top',
    section: '7.1',
    level: 'MUST',
    sentence: 'takes no SKILL.md that lies in skills itself, or in the root',
    fixture: plugin({ 'plugin/skills/SKILL.md': skill('skills'), 'plugin/SKILL.md': skill('plugin') }),
    expect: loaded,
  },
  {
    id: 'skills/file-name',
    section: '7.1',
    level: 'MUST',
    sentence: 'takes only files that are named exactly SKILL.md',
    fixture: plugin({ 'plugin/skills/refund/skill.md': skill('refund') }),
    expect: loaded,
  },
  {
    id: 'skills/file-kind',
    section: '7.1',
    level: 'MUST',
    sentence: 'takes no folder that is named SKILL.md',
    fixture: plugin({ 'plugin/skills/refund/SKILL.md/notes.md': 'Notes.\n' }),
    expect: loaded,
  },
  {
    id: 'skills/invalid',
    section: '7.1',
    level: 'MUST',
    sentence: 'skips a skill without a description, and loads the others',
    fixture: plugin({ 'plugin/skills/refund/SKILL.md': '---\nname: refund\n---\n\nNothing.\n' }),
    expect: { ...loaded, reports: ['refund'] },
  },
  {
    id: 'skills/name-mismatch',
    section: '7.1',
    level: 'MUST',
    sentence: 'skips a skill whose name is not that of its folder',
    fixture: plugin({ 'plugin/skills/refund/SKILL.md': skill('payout') }),
    expect: loaded,
  },
  {
    id: 'manifest/other-place',
    section: '5.1',
    level: 'MUST',
    sentence: 'lets no other manifest add to plugin.json',
    fixture: plugin({
      'plugin/.claude-plugin/plugin.json': manifest({ name: 'other', skills: './more' }),
      'plugin/more/extra/SKILL.md': skill('extra'),
    }),
    expect: loaded,
  },
];
