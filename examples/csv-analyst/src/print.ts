import colors from 'picocolors';
import type { AnalystEvent } from './analyze.ts';
import type { ChosenModel } from './choose-model.ts';

/** The first lines: the question, the file, and what answers. */
export function printHead(question: string, path: string, model: ChosenModel): void {
  line();
  line(`${colors.bold(question)}  ${colors.dim(path)}`);
  line(colors.dim(model.offline ? 'No API key: a stand-in model answers. It only says what the script counted.' : `Model: ${model.name}`));
}

/** One thing that the agent did. */
export function printEvent(event: AnalystEvent): void {
  line();
  switch (event.type) {
    case 'loaded':
      return line(`It loads the skill ${colors.cyan(event.skill)} ${colors.dim(`(${event.tokens} tokens)`)}`);
    case 'ran':
      line(`It runs ${colors.cyan(event.script)} of ${event.skill}: exit code ${event.exitCode ?? 'none'}`);
      return line(confinementText(event.confinement));
    case 'failed':
      return line(colors.red(`${event.tool} fails: ${event.message}`));
    case 'answered':
      return line(event.text);
  }
}

/** How to start the example. */
export function printHelp(keyNames: readonly string[]): void {
  line(`An agent that answers questions about a CSV file by running the script of a skill.

  start                          on data/orders.csv
  start my.csv "your question"   on a file of yours
  start --json                   as one JSON object
  start --offline                with the stand-in model, whatever keys there are
  start --confined               runs no script that nothing confines
  start --help                   this text

With ${keyNames.slice(0, -1).join(', ')} or ${keyNames.at(-1)} in the environment it asks a real model
(REPERTOIRE_MODEL names another one), which then reads what the script prints of your file.`);
}

/** What went wrong, for a person. */
export function printFailure(message: string): void {
  process.stderr.write(`${colors.red(message)}\n`);
}

function confinementText(confinement: string): string {
  if (confinement !== 'none') return colors.green(`Confined by ${confinement}: no network, no other files of yours.`);
  return colors.yellow('Nothing confined it: it could do what you can. This machine offers neither bubblewrap nor namespaces.');
}

function line(text = ''): void {
  process.stdout.write(`${text}\n`);
}
