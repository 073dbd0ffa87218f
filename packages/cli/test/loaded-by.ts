import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import path from 'node:path';

const main = path.join(import.meta.dirname, '../src/main.ts');
const listening = `import { registerHooks } from 'node:module';
  registerHooks({ load: (url, context, next) => (process.stderr.write('LOADED ' + url + '\\n'), next(url, context)) });`;

/** Addresses of the modules that a command loads, which runs in a process of its own. */
export async function loadedBy(
  argv: readonly string[],
  { cwd, env = {} }: { readonly cwd?: string; readonly env?: Readonly<Record<string, string>> } = {},
): Promise<string[]> {
  const hook = `data:text/javascript,${encodeURIComponent(listening)}`;
  const child = spawn(process.execPath, ['--conditions=@repertoire/source', '--import', hook, main, ...argv], {
    cwd,
    env: { ...process.env, ...env },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const [stderr] = await Promise.all([text(child.stderr), once(child, 'close')]);
  return [...stderr.matchAll(/^LOADED (.+)$/gm)].map(([, url = '']) => url);
}
