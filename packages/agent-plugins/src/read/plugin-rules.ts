import type { SkillDiagnostic } from '@repertoire/skills-core';

/**
 * The rules of Agent Plugins 1.0.0 that reading a plugin can find broken: the code of the
 * diagnostic, the section of the standard, and the rule in a sentence. Codes are added, never
 * renamed.
 */
export const pluginRules = {
  'plugin-manifest-missing': { section: '4.1', rule: 'A plugin has a plugin.json in its root.' },
  'plugin-manifest-outside': {
    section: '4.1',
    rule: 'plugin.json is inside the plugin, all links followed; otherwise the plugin is refused.',
  },
  'plugin-path-outside': { section: '4.1', rule: 'No file or folder of a plugin leads out of its root.' },
  'plugin-manifest-json': { section: '5.2', rule: 'plugin.json is a JSON object.' },
  'plugin-field-unknown': { section: '5.2', rule: 'plugin.json has no other fields than those of the standard. Others are ignored.' },
  'plugin-schema': { section: '5.2', rule: '$schema names a version of the standard that the client knows.' },
  'plugin-name': {
    section: '5.5',
    rule: 'The name has 1 to 64 of a-z, 0-9, "-" and "."; first and last a letter or digit; no "--" and no "..".',
  },
  'plugin-field-type': { section: '5.4', rule: 'A field of plugin.json has the type that the standard gives it.' },
  'plugin-icon': { section: '5.8 of the draft 1.1.0', rule: 'icon is a path that begins with "./" and stays inside the plugin.' },
  'plugin-extensions': { section: '8.1', rule: 'extensions is an object of objects by namespace.' },
  'plugin-skills-place': { section: '6.2', rule: 'skills is a folder inside the plugin.' },
  'plugin-skill-outside': { section: '7.1', rule: 'A SKILL.md is inside the plugin, all links followed; otherwise that skill is skipped.' },
  'plugin-skill-invalid': { section: '7.1', rule: 'A skill that does not conform to Agent Skills is skipped.' },
  'plugin-mcp-place': { section: '6.2', rule: 'mcp.json is a regular file inside the plugin.' },
  'plugin-mcp-json': { section: '7.2.1', rule: 'mcp.json is a JSON object with $schema and mcpServers, and no other field.' },
  'plugin-mcp-schema': { section: '10.1', rule: '$schema of mcp.json names the version that plugin.json names.' },
  'plugin-server-invalid': { section: '7.2.1', rule: 'A server has the fields of its type, and no others.' },
  'plugin-server-command': {
    section: '7.2.1',
    rule: 'command is one token: a bare name, or a path that begins with "./" and stays inside the plugin.',
  },
  'plugin-server-cwd': { section: '7.2.1', rule: 'cwd begins with "./", ${PLUGIN_ROOT} or ${PLUGIN_DATA}, and stays inside it.' },
  'plugin-server-env': { section: '9.2', rule: 'env does not name PLUGIN_ROOT or PLUGIN_DATA.' },
  'plugin-server-url': { section: '7.2.1', rule: 'url is https, or http to this machine; without user and fragment.' },
  'plugin-server-headers': { section: '7.2.1', rule: 'headers are valid, and none is there twice in other case.' },
  'plugin-server-failed': { section: '7.2.2', rule: 'A server that does not start or connect takes nothing else down.' },
} as const;

/** Code of a diagnostic that says which rule of the standard a plugin breaks. */
export type PluginRuleCode = keyof typeof pluginRules;

/**
 * The effect of a deviation: the plugin is refused, something is switched off, or it is only
 * reported.
 */
export type PluginDeviationSeverity = SkillDiagnostic['severity'];

/** A diagnostic for a broken rule, with its section of the standard. */
export function deviation(
  code: PluginRuleCode,
  severity: PluginDeviationSeverity,
  message: string,
  about: Pick<SkillDiagnostic, 'path' | 'skill' | 'fix'>,
): SkillDiagnostic {
  return { code, severity, message: `${message} (Agent Plugins 1.0.0, section ${pluginRules[code].section})`, ...about };
}
