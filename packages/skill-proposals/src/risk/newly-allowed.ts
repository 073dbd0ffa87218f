import { compareText } from '@repertoire/skills-core/internal';
import { parseSkillMd } from '@repertoire/skills-core/skill-md';
import { textOf } from '../proposal/apply-change.ts';
import type { SkillFilesByPath } from '../proposal/skill-proposal.ts';
import { hostsIn } from './hosts-in.ts';
import { linesOf } from './lines-of.ts';
import type { NewlyAllowed } from '../check/proposal-finding.ts';

const effectFields = [
  'model',
  'context',
  'agent',
  'autoActivate',
  'disableModelInvocation',
  'userInvocable',
  'surfaceMode',
  'refreshPolicy',
] as const;
const otherFields: ReadonlySet<string> = new Set([
  'hooks',
  'mcps',
  'local_tools',
  'mcp_servers',
  'mcpServers',
  'permissions',
  'env',
  'shell',
]);
const programs =
  /^(?:npm|npx|pnpm|yarn|bun|deno|node|python3?|pip3?|uv|uvx|ruby|gem|cargo|go|git|gh|curl|wget|ssh|scp|rsync|docker|kubectl|terraform|aws|gcloud|az|psql|mysql|sqlite3|bash|sh|zsh|make|chmod|chown|rm|mv|cp|dd|sudo|systemctl|crontab|nc|openssl|base64|eval|source|apt|apt-get|brew|powershell|pwsh)$/;
const scriptEndings = /\.(?:sh|bash|zsh|ps1|bat|cmd|py|rb|pl|js|mjs|cjs|ts|mts|lua|php)$/;

/** What a change would newly allow: tools, fields with an effect, hosts, programs, scripts. */
export function newlyAllowed(before: SkillFilesByPath, after: SkillFilesByPath): NewlyAllowed[] {
  const old = new Set(asksOf(before).map(keyOf));
  const asks = asksOf(after).filter((ask) => !old.has(keyOf(ask)));
  for (const [path, bytes] of Object.entries(after)) {
    const there = before[path];
    const isScript = path.startsWith('scripts/') || scriptEndings.test(path) || (bytes[0] === 0x23 && bytes[1] === 0x21);
    if (isScript && (there === undefined || textOf(there) !== textOf(bytes))) asks.push({ kind: 'script', what: path });
  }
  const unique = new Map(asks.map((ask) => [keyOf(ask), ask]));
  return [...unique.values()].sort((a, b) => compareText(keyOf(a), keyOf(b)));
}

function asksOf(files: SkillFilesByPath): NewlyAllowed[] {
  const { metadata } = parseSkillMd(files['SKILL.md'] ?? '');
  const asks: NewlyAllowed[] = [];
  if (metadata !== null) {
    for (const what of metadata.allowedTools ?? []) asks.push({ kind: 'allowed-tools', what });
    for (const what of metadata.tools ?? []) asks.push({ kind: 'tool', what });
    for (const field of effectFields)
      if (metadata[field] !== undefined) asks.push({ kind: 'field', what: `${field}: ${JSON.stringify(metadata[field])}` });
    for (const step of metadata.steps ?? []) asks.push({ kind: 'field', what: `step: ${JSON.stringify(step).slice(0, 200)}` });
    for (const [field, value] of Object.entries(metadata.fields ?? {}))
      if (otherFields.has(field)) asks.push({ kind: 'field', what: `${field}: ${JSON.stringify(value).slice(0, 200)}` });
  }
  for (const { text } of linesOf(files)) {
    for (const host of hostsIn(text)) asks.push({ kind: 'host', what: host });
    for (const command of commandsIn(text)) asks.push({ kind: 'command', what: command });
  }
  return asks;
}

/** Programs at the start of a line or of inline code, and behind `|`, `;` and `&&`. */
function commandsIn(line: string): string[] {
  const parts = line.split(/`|\|\|?|;|&&|\$\(|!/);
  return parts.flatMap((part, index) => {
    const words = part.trim().replace(/^\$\s/, '').split(/\s+/, 3);
    const [first = '', second = ''] = words[0] === 'sudo' ? ['sudo', words[1]] : words;
    // A word of prose: a command has something behind it, or stands in code.
    if (!programs.test(first) || (index === 0 && second === '')) return [];
    return [/^[a-z][\w-]{0,30}$/.test(second) ? `${first} ${second}` : first];
  });
}

function keyOf({ kind, what }: NewlyAllowed): string {
  return `${kind} ${what}`;
}
