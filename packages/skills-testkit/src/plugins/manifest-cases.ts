import { manifest, plugin, skill } from './fixture-parts.ts';
import { must, type PluginClientCase, type PluginExpectation } from './plugin-client-case.ts';

const loaded = { loaded: true, skills: ['pay'], servers: ['good'] };
const refused = { loaded: false, skills: [], servers: [] };
const withoutSkills = { loaded: true, skills: [], servers: ['good'] };

type ManifestCase = readonly [id: string, section: string, sentence: string, fields: Readonly<Record<string, unknown>>, reports?: string[]];

function ofManifest(expect: PluginExpectation, [id, section, sentence, fields, reports]: ManifestCase): PluginClientCase {
  const file = { 'plugin/plugin.json': manifest(fields) };
  return must(id, section, sentence, plugin(file), { ...expect, ...(reports !== undefined && { reports }) });
}

const refusing = (...of: ManifestCase): PluginClientCase => ofManifest(refused, of);
const loading = (...of: ManifestCase): PluginClientCase => ofManifest(loaded, of);

/** Cases about `plugin.json` and the places of things. */
export const manifestCases: readonly PluginClientCase[] = [
  must('load/directory', '11.1', 'loads a plugin from a directory', plugin(), loaded),
  must(
    'manifest/missing',
    '4.1',
    'refuses a directory without plugin.json',
    plugin({ 'plugin/plugin.json': undefined, 'plugin/readme.md': 'Nothing.\n' }),
    refused,
  ),
  must(
    'manifest/outside',
    '4.1',
    'refuses a plugin whose plugin.json leads out of it',
    plugin({ 'plugin/plugin.json': { link: '../outside/plugin.json' }, 'outside/plugin.json': manifest() }),
    refused,
  ),
  must(
    'manifest/link-inside',
    '4.1',
    'follows a link that stays inside the plugin',
    plugin({ 'plugin/plugin.json': { link: 'meta/plugin.json' }, 'plugin/meta/plugin.json': manifest() }),
    loaded,
  ),
  must('manifest/json', '5.2', 'refuses a plugin.json that is no JSON', plugin({ 'plugin/plugin.json': `${manifest()},` }), refused),
  must('manifest/object', '5.2', 'refuses a plugin.json that is a list', plugin({ 'plugin/plugin.json': `[${manifest()}]` }), refused),
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
  must(
    'places/none',
    '6.2',
    'loads a plugin that has a manifest only',
    { 'plugin/plugin.json': manifest() },
    { loaded: true, skills: [], servers: [] },
  ),
  must(
    'skills/kind',
    '6.2',
    'goes on with servers if skills is a file',
    plugin({ 'plugin/skills/pay/SKILL.md': undefined, 'plugin/skills': 'A file.\n' }),
    withoutSkills,
  ),
  must(
    'skills/outside',
    '4.1',
    'goes on with servers if skills leads out of the plugin',
    plugin({
      'plugin/skills/pay/SKILL.md': undefined,
      'plugin/skills': { link: '../outside' },
      'outside/pay/SKILL.md': skill('pay'),
    }),
    withoutSkills,
  ),
  must(
    'skills/file-outside',
    '4.1',
    'skips a skill whose SKILL.md leads out of the plugin, and loads the others',
    plugin({ 'plugin/skills/leak/SKILL.md': { link: '../../../outside/SKILL.md' }, 'outside/SKILL.md': skill('leak') }),
    loaded,
  ),
  must(
    'skills/folder-outside',
    '4.1',
    'skips a skill whose folder leads out of the plugin',
    plugin({ 'plugin/skills/leak': { link: '../../outside/leak' }, 'outside/leak/SKILL.md': skill('leak') }),
    loaded,
  ),
  must(
    'skills/folder-inside',
    '4.1',
    'takes a skill whose folder is a link inside the plugin',
    plugin({ 'plugin/skills/refund': { link: '../shared/refund' }, 'plugin/shared/refund/SKILL.md': skill('refund') }),
    { loaded: true, skills: ['pay', 'refund'] },
  ),
  must(
    'skills/depth',
    '7.1',
    'does not search deeper than the immediate children of skills',
    plugin({ 'plugin/skills/group/deep/SKILL.md': skill('deep') }),
    loaded,
  ),
  must(
    'skills/top',
    '7.1',
    'takes no SKILL.md that lies in skills itself, or in the root',
    plugin({ 'plugin/skills/SKILL.md': skill('skills'), 'plugin/SKILL.md': skill('plugin') }),
    loaded,
  ),
  must(
    'skills/file-name',
    '7.1',
    'takes only files that are named exactly SKILL.md',
    plugin({ 'plugin/skills/refund/skill.md': skill('refund') }),
    loaded,
  ),
  must(
    'skills/file-kind',
    '7.1',
    'takes no folder that is named SKILL.md',
    plugin({ 'plugin/skills/refund/SKILL.md/notes.md': 'Notes.\n' }),
    loaded,
  ),
  must(
    'skills/invalid',
    '7.1',
    'skips a skill without a description, and loads the others',
    plugin({ 'plugin/skills/refund/SKILL.md': '---\nname: refund\n---\n\nNothing.\n' }),
    { ...loaded, reports: ['refund'] },
  ),
  must(
    'skills/name-mismatch',
    '7.1',
    'skips a skill whose name is not that of its folder',
    plugin({ 'plugin/skills/refund/SKILL.md': skill('payout') }),
    loaded,
  ),
  must(
    'manifest/other-place',
    '5.1',
    'lets no other manifest add to plugin.json',
    plugin({
      'plugin/.claude-plugin/plugin.json': manifest({ name: 'other', skills: './more' }),
      'plugin/more/extra/SKILL.md': skill('extra'),
    }),
    loaded,
  ),
];
