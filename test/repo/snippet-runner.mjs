// Runs the modules that are listed in `modules.json` of the folder given, each in an empty folder, and writes what failed as its last line.
import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

const [directory] = process.argv.slice(2);
const modules = JSON.parse(readFileSync(join(directory, 'modules.json'), 'utf8'));
const failed = {};
let place = '';
const fail = (error) => {
  failed[place] ??= error instanceof Error ? `${error.name}: ${error.message}` : String(error);
};
process.on('unhandledRejection', fail);
process.on('uncaughtException', fail);
console.log = console.warn = console.error = () => {};

for (const { name, place: here } of modules) {
  place = here;
  const folder = join(directory, `folder-${name}`);
  mkdirSync(folder);
  process.chdir(folder);
  const late = Promise.withResolvers();
  // Far beyond what any takes: one that waits for something must not keep the others.
  const timer = setTimeout(() => late.reject(new Error('It did not end.')), 30_000);
  try {
    await Promise.race([import(pathToFileURL(join(directory, name)).href), late.promise]);
  } catch (error) {
    fail(error);
  } finally {
    clearTimeout(timer);
  }
}
process.stdout.write(`\n${JSON.stringify({ failed })}\n`, () => process.exit(0));
