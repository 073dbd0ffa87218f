// Runs the modules that are listed in `modules.json` of the folder given, each in a folder of its own, and writes what failed as its last line.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';

const [directory] = process.argv.slice(2);
const inDirectory = (name) => pathToFileURL(join(directory, name)).href;
const { enterWorld } = await import(inDirectory('snippet-world.ts'));
const modules = JSON.parse(readFileSync(join(directory, 'modules.json'), 'utf8'));
const failed = {};
let place = '';
const fail = (error) => {
  failed[place] ??= error instanceof Error ? `${error.name}: ${error.message}` : String(error);
};
process.on('unhandledRejection', fail);
process.on('uncaughtException', fail);

for (const { name, place: here, files } of modules) {
  place = here;
  const folder = join(directory, `folder-${name}`);
  mkdirSync(folder);
  process.chdir(folder);
  // What it prints is what a check looks at.
  globalThis.printed = [];
  console.log =
    console.warn =
    console.error =
      (...words) => void globalThis.printed.push(words.map((word) => (typeof word === 'string' ? word : JSON.stringify(word))).join(' '));
  const late = Promise.withResolvers();
  // Far beyond what any takes: one that waits for something must not keep the others.
  const timer = setTimeout(() => late.reject(new Error('It did not end.')), 240_000);
  try {
    await enterWorld(readFileSync(join(directory, name), 'utf8'));
    for (const [path, text] of Object.entries(files)) {
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(path, text);
    }
    await Promise.race([import(inDirectory(name)), late.promise]);
  } catch (error) {
    fail(error);
  } finally {
    clearTimeout(timer);
  }
}
process.stdout.write(`\n${JSON.stringify({ failed })}\n`, () => process.exit(0));
