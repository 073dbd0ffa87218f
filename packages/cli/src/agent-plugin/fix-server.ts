import { isJsonObject } from '@repertoire/skills-core/internal';

/** A JSON object that is changed before it is written. */
export type JsonRecord = Record<string, unknown>;

/** Names of headers and variables whose values nobody should read in a package. */
export const secretName: RegExp = /authorization|api-?_?key|token|secret|password/i;

/**
 * Corrects an entry of `mcp.json`: type, command line, variables of other clients, secrets.
 *
 * @param manifest gets the names of secrets
 */
export function fixServer(name: string, entry: JsonRecord, manifest: JsonRecord, done: string[]): JsonRecord {
  const fixed: JsonRecord = { ...entry };
  const told = (what: string): void => void done.push(`Server ${JSON.stringify(name)}: ${what}`);
  const type =
    entry['type'] === 'http' || (entry['type'] === undefined && typeof entry['url'] === 'string') ? 'streamable-http' : entry['type'];
  fixed['type'] = type === undefined && typeof entry['command'] === 'string' ? 'stdio' : type;
  if (fixed['type'] !== entry['type']) told(`its type is ${JSON.stringify(fixed['type'])}.`);
  if (fixed['type'] === undefined) delete fixed['type'];
  if (fixed['type'] === 'stdio') fixCommand(fixed, told);
  const place = fixed['type'] === 'stdio' ? 'env' : 'headers';
  const texts = fixed[place];
  if (isJsonObject(texts)) fixed[place] = withoutSecrets(name, place, texts, manifest, told);
  return fixed;
}

function fixCommand(entry: JsonRecord, told: (what: string) => void): void {
  const renamed = JSON.stringify(entry).replaceAll('${CLAUDE_PLUGIN_ROOT}', '${PLUGIN_ROOT}');
  if (renamed !== JSON.stringify(entry)) {
    Object.assign(entry, JSON.parse(renamed));
    told('it says ${PLUGIN_ROOT} for the folder of the plugin.');
  }
  const { command, args, env } = entry;
  // Quotes and signs of a shell mean more than a blank does, and no shell reads them here.
  const words =
    typeof command === 'string' && !/["'`\\$|&;<>*?(){}[\]]/.test(command.replace(/^\$\{PLUGIN_ROOT\}\//, './'))
      ? command.trim().split(/\s+/)
      : [];
  const [first = '', ...rest] = words;
  const inside = first.replace(/^\$\{PLUGIN_ROOT\}\//, './');
  if (first !== '' && (rest.length > 0 || inside !== command)) {
    entry['command'] = inside;
    if (rest.length > 0) entry['args'] = [...rest, ...(Array.isArray(args) ? (args as unknown[]) : [])];
    told(`its command is ${JSON.stringify(inside)}${rest.length === 0 ? '' : ', and the rest of it are arguments'}.`);
  }
  if (isJsonObject(env) && ('PLUGIN_ROOT' in env || 'PLUGIN_DATA' in env)) {
    const { PLUGIN_ROOT: _root, PLUGIN_DATA: _data, ...others } = env;
    entry['env'] = others;
    told('clients set PLUGIN_ROOT and PLUGIN_DATA, so its env does not.');
  }
}

function withoutSecrets(
  name: string,
  place: 'env' | 'headers',
  texts: JsonRecord,
  manifest: JsonRecord,
  told: (what: string) => void,
): JsonRecord {
  const kept: JsonRecord = {};
  const secrets: Record<string, string> = {};
  for (const [key, value] of Object.entries(texts)) {
    if (secretName.test(key) && typeof value === 'string' && value !== '') secrets[key] = key.toLowerCase().replaceAll('_', '-');
    else kept[key] = value;
  }
  if (Object.keys(secrets).length === 0) return texts;
  const under = (object: unknown, field: string): JsonRecord => {
    const inner = isJsonObject(object) ? object[field] : undefined;
    return isJsonObject(inner) ? inner : {};
  };
  const extensions = under(manifest, 'extensions');
  const own = under(extensions, 'dev.repertoire');
  const all = under(own, 'secrets');
  const ofServer = under(all, name);
  const named = { ...ofServer, [place]: { ...secrets, ...under(ofServer, place) } };
  manifest['extensions'] = { ...extensions, 'dev.repertoire': { ...own, secrets: { ...all, [name]: named } } };
  told(
    `${Object.keys(secrets).join(', ')} is told by the host, as ${Object.values(secrets).join(', ')}. Whoever has read the file knows the old value: replace it.`,
  );
  return kept;
}
