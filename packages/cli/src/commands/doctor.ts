import { stat } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { fileSystemSkillProvider, type SkillRoot } from '@repertoire/skill-fs';
import { createSkillset, type SkillDiagnostic, type SkillMetadata, type SkillProvider } from '@repertoire/skills-core';
import { readListing } from '@repertoire/skills-core/provider';
import type { Command } from 'commander';
import { listSource, openSource } from '../source/open-source.ts';
import { skippedCode } from '../source/skipped-code.ts';
import { sourceHelp } from '../source/source-word.ts';
import { columns } from '../text/columns.ts';
import { count } from '../text/count.ts';
import { parseNames } from '../text/parse-names.ts';
import { runCommand, type CommandIo, type CommandReport } from './command.ts';

interface DoctorOptions {
  readonly json?: boolean;
  readonly verbose?: boolean;
  readonly tools?: readonly string[];
}

/** More skills than this, and more that are hidden for one reason, are summed up. */
const [mostSkills, mostHidden] = [100, 5];

interface SearchedPlace {
  readonly path: string;
  readonly label: string;
  readonly state: 'found' | 'missing' | 'unreadable';
  readonly trusted: boolean;
  readonly skills: readonly string[];
}

interface HiddenSkill {
  readonly skill: string;
  readonly from: 'everyone' | 'the model' | 'people';
  readonly reason: string;
}

/** Codes of sources for a skill that another one hides. */
const shadowCodes: ReadonlySet<string> = new Set(['skill-shadowed', 'skill-duplicate', 'duplicate-skill', 'skill-look-alike']);

/** `repertoire doctor`: why an agent sees the skills that it sees. */
export function doctorCommand(command: Command, io: CommandIo): void {
  command
    .description(
      'Explains which places are searched, what was found in each, which skill shadows which, and what is hidden and why.\nWithout sources, these are the places where agents keep skills by convention.',
    )
    .argument('[sources...]', 'folders, archives, URLs, MCP servers or storage')
    .option(
      '--tools <names>',
      'names of the tools that your agent has, with commas between them; skills that need others are told',
      parseNames,
    )
    .addHelpText('after', `${sourceHelp}${helpFooter}`)
    .action((words: string[], options: DoctorOptions) =>
      runCommand(io, options, async (report) => await doctor(words, options, report, io)),
    );
}

const helpFooter = `
Examples:
  repertoire doctor
  repertoire doctor ./skills ../shared-skills
  repertoire doctor --tools search_orders,refund_order --json

Exit codes: 0 all is well, 1 a skill or a source cannot be read or a tool is missing, 2 wrong usage.`;

async function doctor(
  words: readonly string[],
  { tools: available, verbose = false }: DoctorOptions,
  report: CommandReport,
  io: CommandIo,
) {
  await using source = await openSource(words, io, report);
  const places = await Promise.all([
    ...source.roots.map(async (root) => await searchPlace(root, io.signal)),
    ...source.parts.flatMap(({ plugins, provider }) => (plugins === null ? [] : [searchPlugins(plugins, provider, io.signal)])),
  ]);
  const { skills, diagnostics, complete } = await listSource(source, io, report);
  const { catalog } = await createSkillset({ provider: source.provider, onDiagnostic: 'silent' }).open({ signal: io.signal });
  const shadowed = diagnostics.filter(({ code }) => shadowCodes.has(code));
  const skipped = diagnostics.filter(({ code, severity }) => severity !== 'error' && skippedCode.test(code));
  const hidden = [
    ...hiddenByErrors(diagnostics),
    ...skills.flatMap((skill) => hiddenByFields(skill)),
    ...catalog.cut.dropped.map(droppedByBudget),
  ];
  const missingTools = available === undefined ? [] : skills.flatMap((skill) => lackingTools(skill, available));
  const isShown = new Set([...shadowed, ...skipped]);
  report.diagnostics(diagnostics.filter((diagnostic) => !isShown.has(diagnostic) || diagnostic.severity === 'error'));
  const isIll = !complete || diagnostics.some(({ severity }) => severity === 'error') || missingTools.length > 0;
  const told = verbose ? skills : skills.slice(0, mostSkills);
  const left = told.length === skills.length ? [] : [`and ${skills.length - told.length} more. --verbose tells each of them.`];
  const summary = [
    ...table('Places', places.map(placeRow)),
    ...section(
      `Skills (${skills.length})`,
      skills.length === 0 ? ['none'] : [columns(told.map((skill) => skillRow(skill, io.cwd))), ...left],
    ),
    ...section(
      'Shadowed',
      shadowed.map(({ message }) => message),
    ),
    ...section('Skipped', skipped.map(skippedLine)),
    ...table('Hidden', hiddenRows(hidden, verbose)),
    ...section('Missing tools', missingTools),
    isIll ? 'Something needs your attention; see above.' : `No problem found: ${count(skills.length, 'skill')}.`,
  ].join('\n');
  const named = skills.map(({ name, version, origin }) => ({ name, version, origin }));
  return { summary, data: { complete, places, skills: named, shadowed, skipped, hidden, missingTools }, hasFindings: isIll };
}

async function searchPlace(root: SkillRoot, signal: AbortSignal): Promise<SearchedPlace> {
  const folder = String(root.path);
  const { label = '', trusted = true } = root;
  const place = { path: folder, label, trusted };
  if ((await stat(folder).catch(() => null)) === null) return { ...place, state: 'missing', skills: [] };
  await using provider = fileSystemSkillProvider({ roots: [root] });
  return { ...place, ...(await listPlace(provider, signal)) };
}

async function searchPlugins(folder: string, provider: SkillProvider, signal: AbortSignal): Promise<SearchedPlace> {
  return { path: folder, label: 'plugins', trusted: false, ...(await listPlace(provider, signal)) };
}

async function listPlace(provider: SkillProvider, signal: AbortSignal): Promise<Pick<SearchedPlace, 'state' | 'skills'>> {
  try {
    const { skills } = await readListing(provider, { signal });
    return { state: 'found', skills: [...new Set(skills.map(({ name }) => name))] };
  } catch {
    signal.throwIfAborted();
    return { state: 'unreadable', skills: [] };
  }
}

function placeRow({ path: folder, label, state, trusted, skills }: SearchedPlace): string[] {
  const found = state === 'found' ? count(skills.length, 'skill') : state;
  return [folder, label === folder ? '' : label, found, trusted ? '' : 'untrusted'];
}

function skillRow({ name, version, origin }: SkillMetadata, cwd: string): string[] {
  return [name, version ?? '', origin?.uri === undefined ? (origin?.label ?? '') : placeOf(origin.uri, cwd)];
}

/** People read paths, not addresses of files. */
function placeOf(uri: string, cwd: string): string {
  if (!uri.startsWith('file:')) return uri;
  const full = fileURLToPath(uri);
  const relative = path.relative(cwd, full);
  return relative.startsWith('..') || path.isAbsolute(relative) ? full : relative || '.';
}

function hiddenByErrors(diagnostics: readonly SkillDiagnostic[]): HiddenSkill[] {
  return diagnostics
    .filter(({ severity, code }) => severity === 'error' && !shadowCodes.has(code))
    .map(({ skill, path: place, message }) => ({ skill: skill ?? place ?? '(unknown)', from: 'everyone', reason: message }));
}

function hiddenByFields({ name, disableModelInvocation, userInvocable }: SkillMetadata): HiddenSkill[] {
  return [
    ...(disableModelInvocation === true ? [{ skill: name, from: 'the model' as const, reason: 'disable-model-invocation is true' }] : []),
    ...(userInvocable === false ? [{ skill: name, from: 'people' as const, reason: 'user-invocable is false' }] : []),
  ];
}

/** Many skills that are hidden for one reason are one row. */
function hiddenRows(hidden: readonly HiddenSkill[], verbose: boolean): string[][] {
  return [...Map.groupBy(hidden, ({ from, reason }) => `${from}\0${reason}`).values()].flatMap((alike) => {
    const isShort = verbose || alike.length <= mostHidden;
    const names = isShort ? alike.map(({ skill }) => skill) : [`${alike[0]?.skill ?? ''} and ${alike.length - 1} more`];
    return names.map((name) => [name, `from ${alike[0]?.from ?? ''}`, alike[0]?.reason ?? '']);
  });
}

function droppedByBudget(skill: string): HiddenSkill {
  return { skill, from: 'the model', reason: 'the budget of the catalog has no room for it; it can be loaded by name' };
}

function lackingTools({ name, tools = [] }: SkillMetadata, available: readonly string[]): string[] {
  return tools.filter((tool) => !available.includes(tool)).map((tool) => `${name} needs the tool ${tool}`);
}

function skippedLine({ message, fix, path: place }: SkillDiagnostic): string {
  const shown = place === undefined || message.includes(place) ? [] : [`(${place})`];
  return [message, ...shown, fix ?? ''].filter((part) => part !== '').join(' ');
}

function table(title: string, rows: string[][]): string[] {
  return section(title, rows.length === 0 ? [] : [columns(rows)]);
}

function section(title: string, lines: readonly string[]): string[] {
  return lines.length === 0 ? [] : [title, ...lines, ''];
}
