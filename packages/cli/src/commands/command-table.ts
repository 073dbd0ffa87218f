import type { Command } from 'commander';
import type { CommandIo, RegisterCommand } from './command.ts';

/** What `repertoire --help` shows of a command, and how to get the rest of it. */
export interface CommandEntry {
  readonly name: string;
  /** Its arguments, as the help shows them. The command itself declares them again. */
  readonly usage: string;
  readonly summary: string;
  /** Imports the command, so that it costs nothing until it is called. */
  readonly load: () => Promise<RegisterCommand>;
}

/** Every command, in the order of `--help`. */
export const commandTable: readonly CommandEntry[] = [
  {
    name: 'new',
    usage: '<name>',
    summary: 'make the folder of a new skill',
    load: async () => (await import('./new.ts')).newCommand,
  },
  {
    name: 'add',
    usage: '<source> [skills...]',
    summary: 'install skills from GitHub, a site, an MCP server, storage or an archive',
    load: async () => (await import('./install.ts')).addCommand,
  },
  {
    name: 'update',
    usage: '[skills...]',
    summary: 'update skills that add installed, or check that they are as installed',
    load: async () => (await import('./install.ts')).updateCommand,
  },
  {
    name: 'remove',
    usage: '<skills...>',
    summary: 'remove skills that add installed',
    load: async () => (await import('./install.ts')).removeCommand,
  },
  {
    name: 'check',
    usage: '[sources...]',
    summary: 'check skills against the standard, as its reference validator does',
    load: async () => (await import('./check.ts')).checkCommand,
  },
  {
    name: 'lint',
    usage: '[sources...]',
    summary: 'find mistakes in skills: dead links, secrets, hidden characters, misspelt fields',
    load: async () => (await import('./lint.ts')).lintCommand,
  },
  {
    name: 'test',
    usage: '[sources...]',
    summary: 'test whether the right skill gets chosen, and whether it helps',
    load: async () => (await import('./test.ts')).testCommand,
  },
  {
    name: 'list',
    usage: '[sources...]',
    summary: 'list the skills of folders, URLs and other sources',
    load: async () => (await import('./list.ts')).listCommand,
  },
  {
    name: 'show',
    usage: '<skill> [sources...]',
    summary: 'show one skill: its fields, files and instructions',
    load: async () => (await import('./show.ts')).showCommand,
  },
  {
    name: 'catalog',
    usage: '[sources...]',
    summary: 'print the catalog exactly as a model gets it, and what each skill costs',
    load: async () => (await import('./catalog.ts')).catalogCommand,
  },
  {
    name: 'search',
    usage: '[query] [sources...]',
    summary: 'find the skills that fit a request, and say why',
    load: async () => (await import('./search.ts')).searchCommand,
  },
  {
    name: 'doctor',
    usage: '[sources...]',
    summary: 'explain which places are searched, what they hold, and what is hidden and why',
    load: async () => (await import('./doctor.ts')).doctorCommand,
  },
  {
    name: 'diff',
    usage: '<before> <after>',
    summary: 'compare two sources: text, permissions, tools',
    load: async () => (await import('./diff.ts')).diffCommand,
  },
  {
    name: 'approve',
    usage: '<sources...>',
    summary: 'approve the present content of skills, for what they ask or less',
    load: async () => (await import('./approve.ts')).approveCommand,
  },
  {
    name: 'approvals',
    usage: '<action> [skill] [sources...]',
    summary: 'list, revoke and explain approvals of skills',
    load: async () => (await import('./approvals.ts')).approvalsCommand,
  },
  {
    name: 'lock',
    usage: '<action> [sources...]',
    summary: 'write or verify a file that pins skills to their bytes',
    load: async () => (await import('./lock.ts')).lockCommand,
  },
  {
    name: 'card',
    usage: '<skill> [sources...]',
    summary: 'print the skill card of a skill',
    load: async () => (await import('./card.ts')).cardCommand,
  },
  {
    name: 'plugin',
    usage: '<action> <folder>',
    summary: 'make, check or pack an Agent Plugin',
    load: async () => (await import('./plugin.ts')).pluginCommand,
  },
  {
    name: 'bundle',
    usage: '<sources...>',
    summary: 'turn skills into one module, for Workers, browsers and other places without files',
    load: async () => (await import('./bundle.ts')).bundleCommand,
  },
  {
    name: 'publish',
    usage: '[sources...]',
    summary: 'put skills into object or key-value storage, as one release',
    load: async () => (await import('./publish.ts')).publishCommand,
  },
  {
    name: 'sign',
    usage: '<folder>',
    summary: 'sign a skill or a plugin with a key, a certificate or a CI identity',
    load: async () => (await import('./sign.ts')).signCommand,
  },
  {
    name: 'verify',
    usage: '<sources...>',
    summary: 'verify the signatures of skills',
    load: async () => (await import('./verify.ts')).verifyCommand,
  },
  {
    name: 'proposals',
    usage: '<action> [id]',
    summary: 'review skills that agents proposed: list, check, show, accept, undo',
    load: async () => (await import('./proposals.ts')).proposalsCommand,
  },
  {
    name: 'serve',
    usage: '[sources...]',
    summary: 'serve skills over HTTP, or as an MCP server',
    load: async () => (await import('./serve.ts')).serveCommand,
  },
  {
    name: 'run',
    usage: '<request>',
    summary: 'let a model answer a request with skills, and see what it does',
    load: async () => (await import('./run-request.ts')).runRequestCommand,
  },
  {
    name: 'inspect',
    usage: '[sources...]',
    summary: 'look at skills, prompts and conversations in a browser',
    load: async () => (await import('./inspect.ts')).inspectCommand,
  },
  {
    name: 'agent',
    usage: '<action> <file>',
    summary: 'check, draw or run an agent that is written as YAML',
    load: async () => (await import('./agent.ts')).agentCommand,
  },
  {
    name: 'completion',
    usage: '<shell>',
    summary: 'print what completes this command in bash, zsh, fish or PowerShell',
    load: async () => (await import('./completion.ts')).completionCommand,
  },
];

/** Adds a command to the program, with the options that every command has behind its own. */
export async function addToProgram(program: Command, { name, summary, load }: CommandEntry, io: CommandIo): Promise<void> {
  const command = program.command(name).summary(summary);
  (await load())(command, io);
  command
    .option('--json', 'print the result as one JSON document on stdout; text for people goes to stderr')
    .option('--verbose', 'tell every diagnostic and error, instead of how many there are of each kind');
}
