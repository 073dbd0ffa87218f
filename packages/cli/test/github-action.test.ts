import { readFileSync } from 'node:fs';
import path from 'node:path';
import { parse } from 'yaml';
import { describe, expect, it } from 'vitest';
import { Command } from 'commander';
import { addToProgram, commandTable } from '../src/commands/command-table.ts';
import { runCli } from './run-cli.ts';
import { evalLibrary } from './support-evals.ts';

interface Workflow {
  readonly jobs: Readonly<
    Record<string, { readonly steps: readonly { readonly run?: string; readonly uses?: string; readonly if?: string }[] }>
  >;
}

const file = path.resolve(import.meta.dirname, '../../../examples/github-action/skills.yml');
const text = readFileSync(file, 'utf8');
const commands = Object.values((parse(text) as Workflow).jobs)
  .flatMap(({ steps }) => steps)
  .flatMap(({ run = '' }) => run.split('\n'))
  .filter((line) => line.startsWith('npx repertoire '))
  .map((line) => line.slice('npx repertoire '.length).split(' '));

describe('AUT-4: the workflow for GitHub', () => {
  it('AUT-4: calls commands and options that exist', async () => {
    expect(commands.map(([name]) => name)).toEqual(['check', 'lint', 'test', 'test']);
    const program = new Command();
    const io = {
      stdout: { write: () => undefined },
      stderr: { write: () => undefined },
      env: {},
      cwd: '/',
      signal: new AbortController().signal,
      ask: undefined,
      setExitCode: () => undefined,
    };
    for (const entry of commandTable) await addToProgram(program, entry, io);
    for (const [name, ...words] of commands) {
      const known = program.commands.find((command) => command.name() === name)?.options.map(({ long }) => long);
      for (const word of words.filter((each) => each.startsWith('--'))) expect(known).toContain(word);
    }
  });

  it('AUT-4: its steps without a model pass on good skills', async () => {
    const folder = await evalLibrary();
    expect(commands.length).toBeGreaterThan(2);
    for (const words of commands.slice(0, 2)) expect(await runCli(folder.path, words), words.join(' ')).toMatchObject({ code: 0 });
  });

  it('AUT-4: runs every step, whatever failed before, and annotates what check finds', () => {
    const steps = (parse(text) as Workflow).jobs['test']?.steps ?? [];
    const own = steps.filter(({ run = '' }) => run.startsWith('npx repertoire '));
    expect(own).toHaveLength(3);
    for (const step of own) expect(step.if).toContain('!cancelled()');
    expect(commands.slice(0, 2).map((words) => words.join(' '))).toEqual(['check skills --format github', 'lint skills --format github']);
  });

  it('AUT-4: puts nothing of a pull request into the text of a command', () => {
    const { jobs } = parse(text) as Workflow;
    expect(Object.keys(jobs)).not.toEqual([]);
    for (const { steps } of Object.values(jobs)) for (const { run = '' } of steps) expect(run).not.toContain('${{');
  });
});
