import { APICallError, RetryError } from 'ai';
import { parseArgs } from 'node:util';
import { analyze, type AnalystEvent } from './analyze.ts';
import { chooseModel, keyNames } from './choose-model.ts';
import { printEvent, printFailure, printHead, printHelp } from './print.ts';
import { readTable, TableError } from './read-table.ts';

// The reader of the output may stop early.
process.stdout.on('error', (error: NodeJS.ErrnoException) => process.exit(error.code === 'EPIPE' ? 0 : 1));

async function main(): Promise<void> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      help: { type: 'boolean', short: 'h' },
      json: { type: 'boolean' },
      offline: { type: 'boolean' },
      confined: { type: 'boolean' },
    },
  });
  if (values.help === true) return printHelp(keyNames);
  const show = values.json !== true;
  // `pnpm start -- my.csv` passes the dashes on.
  const [file = new URL('../data/orders.csv', import.meta.url), ...words] = positionals.filter((word) => word !== '--');
  const question = words.join(' ') || 'What is in this file, and what is wrong with it?';

  const model = await chooseModel(process.env, { offline: values.offline === true });
  const table = await readTable(file);
  if (show) printHead(question, table.path, model);
  const events: AnalystEvent[] = [];
  await analyze({ table, question, model, requireConfinement: values.confined === true }, (event) => {
    events.push(event);
    if (show) printEvent(event);
  });
  if (show) return;
  const answer = events.find((event) => event.type === 'answered')?.text;
  const report = { model: { name: model.name, offline: model.offline }, file: table.path, question, events, answer };
  process.stdout.write(`${JSON.stringify(report, null, 2)}\n`);
}

try {
  await main();
} catch (error) {
  printFailure(explain(RetryError.isInstance(error) ? error.lastError : error));
  process.exitCode = 1;
}

function explain(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  if (error instanceof TableError) return message;
  if (APICallError.isInstance(error)) {
    return `The model's API refused or did not answer (status ${error.statusCode ?? 'none'}): ${message}\nCheck the key and REPERTOIRE_MODEL, or add --offline.`;
  }
  if (error instanceof TypeError && 'code' in error && String(error.code).startsWith('ERR_PARSE_ARGS')) return `${message}\nSee --help.`;
  return error instanceof Error ? (error.stack ?? message) : message;
}
