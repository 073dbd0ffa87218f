import type { Plugin, PluginFiles } from '@repertoire/agent-plugins';
import { readPlugin } from '@repertoire/agent-plugins/internal';
import type { SkillDiagnostic } from '@repertoire/skills-core';
import { decodeText } from '@repertoire/skills-core/provider';
import { parseSkillMd } from '@repertoire/skills-core/skill-md';
import { readRisks, riskDiagnostic, type RiskText } from '@repertoire/skill-proposals/internal';
import { secretName } from './fix-server.ts';

/** A plugin as its author should see it. */
export interface CheckedPlugin {
  /** `null` for a plugin that clients refuse. */
  readonly plugin: Plugin | null;
  readonly diagnostics: readonly SkillDiagnostic[];
}

/** Checks a plugin for its author: what clients do with it, and what the standard recommends. */
export async function checkPlugin(files: PluginFiles): Promise<CheckedPlugin> {
  const { plugin, diagnostics } = await readPlugin(files);
  if (plugin === null) return { plugin, diagnostics };
  const skills: SkillDiagnostic[] = [];
  for (const { path, directoryName } of plugin.skills) {
    const file = await files.read(`${path}/SKILL.md`);
    if (file === null || file === 'outside') continue;
    const { metadata, diagnostics: ofFormat } = parseSkillMd(file.bytes, { profile: 'strict', directoryName, path: `${path}/SKILL.md` });
    skills.push(...ofFormat);
    const texts = (await textsBelow(files, path)).map((one) => ({ ...one, path: one.path.slice(path.length + 1) }));
    const risks = readRisks(texts, metadata ?? {}).map((risk) => riskDiagnostic(risk, directoryName));
    skills.push(...risks.map((risk) => ({ ...risk, path: `${path}/${risk.path ?? ''}` })));
    skills.push(...(await deeperSkills(files, path)));
  }
  const servers = await files.read('mcp.json');
  const started = servers === null || servers === 'outside' ? [] : readRisks([{ path: 'mcp.json', text: decodeText(servers.bytes) ?? '' }]);
  const ofServers = started.map((risk) => riskDiagnostic(risk, plugin.manifest.name));
  return { plugin, diagnostics: [...diagnostics, ...skills, ...ofServers, ...recommendations(plugin)] };
}

const maxTexts = 1_000;

async function textsBelow(files: PluginFiles, folder: string, found: RiskText[] = []): Promise<RiskText[]> {
  const entries = await files.list(folder);
  for (const { name, kind } of entries === null || entries === 'outside' ? [] : entries) {
    if (found.length >= maxTexts) break;
    const path = `${folder}/${name}`;
    if (kind === 'folder') await textsBelow(files, path, found);
    const file = kind === 'folder' ? null : await files.read(path);
    const text = file === null || file === 'outside' ? null : decodeText(file.bytes);
    if (text !== null) found.push({ path, text });
  }
  return found;
}

/** Clients do not search deeper, so a skill there is found by none. */
async function deeperSkills(files: PluginFiles, path: string): Promise<SkillDiagnostic[]> {
  const entries = await files.list(path);
  if (entries === null || entries === 'outside') return [];
  const found: SkillDiagnostic[] = [];
  for (const { name, kind } of entries) {
    const inner = kind === 'folder' ? await files.list(`${path}/${name}`) : null;
    if (inner === null || inner === 'outside' || !inner.some((entry) => entry.name === 'SKILL.md')) continue;
    found.push({
      code: 'plugin-skill-too-deep',
      severity: 'warning',
      message: `${path}/${name}/SKILL.md is found by no client: only the folders right below skills are skills. (Agent Plugins 1.0.0, section 7.1)`,
      path: `${path}/${name}/SKILL.md`,
      fix: `Move it to skills/${name}, or rename it if it is an example.`,
    });
  }
  return found;
}

function recommendations({ manifest, servers, skills }: Plugin): SkillDiagnostic[] {
  const found: SkillDiagnostic[] = [];
  const advise = (code: string, message: string, fix: string, path: string = 'plugin.json'): void =>
    void found.push({ code, severity: 'warning', message, path, fix });
  const { version, description } = manifest;
  if (manifest.standard === '1.1.0')
    advise('plugin-draft', 'The plugin targets 1.1.0, which is a draft; most clients refuse it.', 'Name 1.0.0 in both files.');
  if (version === undefined)
    advise('plugin-no-version', 'The plugin has no version, so clients cannot tell an update.', 'Add one, such as "1.0.0".');
  else if (!/^\d{1,9}\.\d{1,9}\.\d{1,9}(?:[-+][\dA-Za-z.+-]{1,100})?$/.test(version))
    advise(
      'plugin-version',
      `The version ${JSON.stringify(version)} is no Semantic Version. (Agent Plugins 1.0.0, section 10.2)`,
      'Write one, such as "1.0.0".',
    );
  if (description === undefined) advise('plugin-no-description', 'The plugin has no description.', 'Say in a sentence what it is for.');
  if (skills.length === 0 && servers.size === 0 && Object.keys(manifest.extensions ?? {}).length === 0)
    advise('plugin-empty', 'The plugin has neither skills nor servers.', 'Add a skill below skills, or a server to mcp.json.');
  for (const [name, server] of servers) {
    const texts = server.type === 'stdio' ? server.env : server.headers;
    const secret = Object.keys(texts).find((key) => secretName.test(key) && (texts[key] ?? '') !== '');
    if (secret !== undefined)
      advise(
        'plugin-secret',
        `Server ${JSON.stringify(name)} has a value for ${secret}, which everybody can read. (Agent Plugins 1.0.0, section 7.2.1)`,
        'Remove it. Name the secret under extensions, "dev.repertoire", secrets.',
        'mcp.json',
      );
  }
  return found;
}
