import type { SkillMetadata, SkillState } from '@repertoire/skills-core';
import colors from 'picocolors';
import type { Costs } from './costs.ts';
import type { DemoEvent } from './run-demo.ts';

/** Narrow enough to read, wide enough for tables. */
const width = Math.min(Math.max(process.stdout.columns ?? 92, 60), 100);
const indent = '   ';
const number = new Intl.NumberFormat('en-US');
let section = 0;

/** The first lines: what this is and what it runs on. */
export function printHead(model: { readonly name: string; readonly offline: boolean }, keyNames: readonly string[]): void {
  line();
  line(` ${colors.bold(colors.cyan('Repertoire'))}  ${colors.dim('skills for TypeScript agents')}`);
  line();
  if (!model.offline) return line(`${indent}Model: ${colors.bold(model.name)}`);
  text(
    `No API key: a stand-in model decides, by comparing words. It reads the same system prompt and tool results as a real model would. ` +
      `Set ${keyNames.slice(0, -1).join(', ')} or ${keyNames.at(-1)} for a real one.`,
    colors.yellow,
  );
}

/** What the agent knows before it loads anything, and what that costs. */
export function printCatalog(skills: readonly SkillMetadata[], costs: Costs): void {
  heading('What the agent knows at the start', `${skills.length} skills, one line each`);
  const nameWidth = Math.max(...skills.map(({ name }) => name.length));
  for (const { name, description } of skills) {
    line(`${indent}${colors.cyan(name.padEnd(nameWidth))}  ${colors.dim(cut(description, width - indent.length - nameWidth - 2))}`);
  }
  line();
  const labels = [`All instructions and ${costs.files} files`, 'This catalog'];
  const labelWidth = Math.max(...labels.map((label) => label.length));
  bar(labels[0] ?? '', labelWidth, costs.everything, costs, colors.red);
  bar(labels[1] ?? '', labelWidth, costs.catalog, costs, colors.green);
  const saved = 100 - (100 * costs.catalog) / Math.max(costs.everything, 1);
  line(
    `${indent}${colors.bold(`${saved.toFixed(0)} % fewer tokens`)} ${colors.dim('in every request; the rest is read when it is needed')}`,
  );
}

export function printRequest(request: string): void {
  heading('The request');
  // Indented text is a plan, a log or code, and keeps its shape.
  for (const part of request.split('\n')) {
    if (/^\s\s/.test(part)) line(`${indent}${colors.dim(part)}`);
    else text(part, colors.bold);
  }
}

export function printEvent(event: DemoEvent): void {
  switch (event.type) {
    case 'said':
      line();
      return text(`» ${event.text}`, colors.italic);
    case 'loaded':
      heading(`It loads the skill ${colors.cyan(event.skill)}`, `+${number.format(event.tokens)} tokens`);
      text('All it knew of the skill was this line of the catalog:', colors.dim);
      text(event.description);
      if (event.files.length === 0) return;
      line();
      text('Now it knows the instructions, and that there are these files:', colors.dim);
      for (const file of event.files) line(`${indent}${file}`);
      return;
    case 'read':
      heading(`It reads ${colors.cyan(event.path)}`, `+${number.format(event.tokens)} tokens`);
      text(event.headings.length === 0 ? `A file of ${event.skill}.` : `A file of ${event.skill} on: ${event.headings.join(' · ')}`);
      return;
    case 'failed':
      heading(`${event.tool} fails`);
      return text(event.message, colors.red);
    case 'answered':
      heading('The answer');
      return printMarkdown(event.text);
  }
}

/** The instructions that the request needed, compared with all. */
export function printState(state: SkillState, used: number, costs: Costs): void {
  heading('What is loaded now', 'plain JSON, derived from the messages alone');
  for (const part of JSON.stringify(state, null, 2).split('\n')) line(`${indent}${colors.dim(part)}`);
  line();
  line(`${indent}Read for this request: ${colors.bold(number.format(used))} of ${number.format(costs.catalog + costs.everything)} tokens.`);
  line();
  line(`${indent}${colors.dim('See it in a browser:')} node packages/cli/bin/repertoire.js inspect examples/skills`);
  line();
}

export function printHelp(keyNames: readonly string[]): void {
  line(`Shows how an agent finds, loads and uses a skill.

  pnpm demo                      with a request of its own
  pnpm demo "your request"       with yours
  pnpm demo --json               as one JSON object
  pnpm demo --offline            with the stand-in model, whatever keys there are
  pnpm demo --help               this text

With ${keyNames.slice(0, -1).join(', ')} or ${keyNames.at(-1)} in the environment it asks a real model
(REPERTOIRE_MODEL names another one); without, a stand-in that needs no network. NO_COLOR is respected.`);
}

export function printFailure(message: string, hint: string): void {
  process.stderr.write(`\n${colors.red(colors.bold('The demo could not go on.'))}\n${message}\n${hint}\n`);
}

function heading(title: string, note = ''): void {
  section += 1;
  line();
  line(` ${colors.bold(colors.cyan(`${section}`))} ${colors.bold(title)}${note === '' ? '' : `  ${colors.dim(note)}`}`);
  line();
}

function bar(label: string, labelWidth: number, tokens: number, costs: Costs, color: (text: string) => string): void {
  const figure = number.format(tokens).padStart(number.format(Math.max(costs.everything, costs.catalog)).length);
  const room = Math.min(width - indent.length - labelWidth - figure.length - 12, 48);
  const length = Math.max(1, Math.round((room * tokens) / Math.max(costs.everything, costs.catalog, 1)));
  line(`${indent}${label.padEnd(labelWidth)}  ${colors.bold(figure)} tokens  ${color('█'.repeat(length))}`);
}

/** Wraps prose and leaves code and tables unchanged. */
function printMarkdown(markdown: string): void {
  let inCode = false;
  for (const part of markdown.split('\n')) {
    if (part.startsWith('```')) inCode = !inCode;
    if (inCode || part.startsWith('```') || part.startsWith('|')) line(`${indent}${colors.dim(part)}`);
    else if (/^#+\s/.test(part)) text(part.replace(/^#+\s+/, ''), colors.bold);
    else text(part);
  }
}

/** A wrapped paragraph. Its further lines are indented like its list item. */
function text(content: string, style: (text: string) => string = String): void {
  const [lead = ''] = /^\s*(?:(?:[-*»]|\d+\.)\s+)?/.exec(content) ?? [];
  const room = width - indent.length - lead.length;
  const rows: string[] = [];
  for (const word of content.slice(lead.length).split(' ')) {
    const last = rows.at(-1);
    if (last === undefined || last.length + 1 + word.length > room) rows.push(word);
    else rows[rows.length - 1] = `${last} ${word}`;
  }
  for (const [index, row] of rows.entries()) line(`${indent}${index === 0 ? lead : ' '.repeat(lead.length)}${style(row)}`);
}

function cut(content: string, room: number): string {
  return content.length <= room ? content : `${content.slice(0, room - 1).trimEnd()}…`;
}

function line(content = ''): void {
  process.stdout.write(`${content.trimEnd()}\n`);
}
