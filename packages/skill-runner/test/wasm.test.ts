import { wasmRunner } from '@repertoire/skill-runner/wasm';
import { describe, expect, it } from 'vitest';
import { requestOf, runFiles, textOf, type Texts } from './support/skill-files.ts';

const runner = wasmRunner({ timeoutMs: 240_000 });

describe('wasmRunner', () => {
  it('SRC-10: runs a module with files, imports, arguments, input and output', async () => {
    const files: Texts = {
      'scripts/count.mjs': `#!/usr/bin/env node
import { readFileSync, writeFileSync, existsSync, readdirSync } from 'node:fs';
import { join, dirname } from 'node:path';
import process from 'node:process';
import { words } from './lib/words.mjs';
import rules from '../rules.json';
const [, script, ...given] = process.argv;
const input = readFileSync(0, 'utf8');
writeFileSync('out.txt', JSON.stringify(words(input)));
console.log(script, given, existsSync('none'), readdirSync('scripts'), join(dirname(script), '../rules.json'), rules.least, process.env.KEY);
console.error({ a: [1, 'x'], b: new Map([['k', null]]) });
process.exitCode = 3;`,
      'scripts/lib/words.mjs': 'export const words = (text) => text.trim().split(/\\s+/);',
      'rules.json': '{ "least": 2 }',
    };
    const result = await runFiles(runner, files, { arguments: ['a b', '--', '$(id)'], stdin: 'ä b\n', env: { KEY: 'value' } });
    expect(result).toMatchObject({
      exitCode: 3,
      endedBy: 'exit',
      stdout: '/skill/scripts/count.mjs [ "a b", "--", "$(id)" ] false [ "count.mjs", "lib" ] /skill/rules.json 2 value\n',
      stderr: '{ a: [ 1, "x" ], b: Map(1) { k: null } }\n',
      confinement: { kind: 'quickjs' },
    });
    expect(result.filesWritten.map(({ path }) => path)).toEqual(['out.txt']);
    expect(textOf(result, 'out.txt')).toBe('["ä","b"]');
  });

  it('SRC-10: runs CommonJS, and reads input as a stream', async () => {
    const script = `const fs = require('fs');
async function main() {
  let text = '';
  for await (const chunk of process.stdin) text += chunk;
  process.stdout.write(text.toUpperCase() + fs.readFileSync(__dirname + '/data.txt', 'utf8'));
}
main().then(() => process.exit(4));`;
    expect(await runFiles(runner, { 'x.js': script, 'data.txt': 'data' }, { stdin: 'in ' })).toMatchObject({
      exitCode: 4,
      stdout: 'IN data',
    });
  });

  it('SRC-10: timers wait, repeat, can be cleared, and keep the script running', async () => {
    const script = `const seen = [];
const guard = setTimeout(() => console.log('the guard fired'), 240_000);
setTimeout((text) => { seen.push(text); clearTimeout(guard); }, 1, 'soon');
clearTimeout(setTimeout(() => console.log('cleared, and fired'), 1));
await new Promise((resolve) => setTimeout(resolve, 30));
console.log(seen.join());
let times = 0;
const interval = setInterval(() => {
  times += 1;
  if (times === 3) clearInterval(interval);
}, 1);
setTimeout(function last() {
  if (times < 3) setTimeout(last);
  else console.log('repeated', times);
}, Infinity);`;
    expect(await runFiles(runner, { 'x.mjs': script })).toMatchObject({
      exitCode: 0,
      endedBy: 'exit',
      stdout: 'soon\nrepeated 3\n',
      stderr: '',
    });
  });

  it.each([
    ['an error in a timer', 'setTimeout(() => { throw new Error("late"); }, 1); setTimeout(() => {}, 240_000)', 1, 'Error: late'],
    ['an exit in a timer', 'setInterval(() => process.exit(7), 1); setTimeout(() => {}, 240_000)', 7, ''],
    ['an error', 'throw new TypeError("wrong")', 1, 'TypeError: wrong'],
    ['a syntax error', 'const = 1', 1, 'SyntaxError'],
    ['a rejection', 'await Promise.reject(new Error("late"))', 1, 'Error: late'],
    ['a promise that stays open', 'await new Promise(() => {})', 13, ''],
    ['a package', 'import x from "left-pad"', 1, 'Cannot find package'],
    ['a module of Node.js that is not here', 'import x from "node:child_process"', 1, 'Cannot find package'],
    ['a file outside of the skill', 'import { readFileSync } from "fs"; readFileSync("/etc/passwd", "utf8")', 1, 'ENOENT'],
    ['reading bytes', 'import { readFileSync } from "fs"; readFileSync("x.mjs")', 1, 'readFileSync gives text only'],
    ['a way out of the skill', 'import { readFileSync } from "fs"; readFileSync("../../etc/passwd", "utf8")', 1, 'ENOENT'],
    ['an import from outside', 'import x from "../../outside.mjs"', 1, ''],
    ['writing outside', 'import { writeFileSync } from "fs"; writeFileSync("/tmp/x", "")', 1, 'EACCES'],
    ['recursion', '(function f() { f(); })()', 1, 'stack overflow'],
    ['memory as objects', 'const a = []; for (;;) a.push({ n: [1, 2, 3] })', 1, 'out of memory'],
  ])('SRC-10: %s', async (_name, script, exitCode, stderr) => {
    const small = wasmRunner({ timeoutMs: 240_000, maxMemoryBytes: 4 * 1024 * 1024 });
    const result = await runFiles(small, { 'x.mjs': script });
    expect(result).toMatchObject({ exitCode, endedBy: 'exit', stdout: '' });
    expect(result.stderr).toContain(stderr);
  });

  it.each([
    ['a loop', 'for (;;);'],
    ['waiting', 'await new Promise((resolve) => setTimeout(resolve, 240_000))'],
    ['a loop of promises', '(function f() { Promise.resolve().then(f); })()'],
    ['filling memory without end', 'for (;;) try { const a = []; for (;;) a.push(new Uint8Array(1e6).fill(1)); } catch {}'],
    ['a regular expression', '/(a+)+$/.test("a".repeat(60) + "!")'],
  ])('SRC-10: time ends %s', async (_name, script) => {
    expect(await runFiles(runner, { 'x.mjs': script }, { timeoutMs: 100 })).toMatchObject({ exitCode: null, endedBy: 'timeout' });
  });

  it('SRC-10: bounds empty files and long names', async () => {
    const small = wasmRunner({ maxFolderBytes: 100_000, timeoutMs: 240_000 });
    const endless = (name: string) => `import { writeFileSync } from 'fs'; for (let n = 0; ; n += 1) writeFileSync(${name}, '');`;
    const empty = await runFiles(small, { 'x.mjs': endless("'f' + n") });
    expect([empty.endedBy, empty.filesWritten.length]).toEqual(['files', 24]);
    const named = await runFiles(small, { 'x.mjs': endless("n + 'a'.repeat(40_000)") });
    expect([named.endedBy, named.filesWritten.length]).toEqual(['files', 2]);
  });

  it('SRC-10: bounds output and files, also where the script catches the error', async () => {
    const output = await runFiles(runner, { 'x.mjs': 'for (;;) try { console.log("ä") } catch {}' }, { maxOutputBytes: 10 });
    expect(output).toMatchObject({ exitCode: null, endedBy: 'output', truncated: true, stdout: 'ä\nä\nä\n' });
    const small = wasmRunner({ maxFolderBytes: 6_000 });
    const script = 'import { appendFileSync } from "fs"; for (;;) try { appendFileSync("x", "a".repeat(100)) } catch {}';
    const files = await runFiles(small, { 'x.mjs': script });
    expect(files).toMatchObject({ exitCode: null, endedBy: 'files' });
    expect(files.filesWritten[0]?.size).toBeLessThanOrEqual(2_000);
  });

  it('SRC-10: finds nothing of the host in its globals', async () => {
    const script = `const names = ['fetch', 'WebAssembly', 'Buffer', 'XMLHttpRequest', 'WebSocket', 'importScripts', 'std', 'os'];
console.log(names.filter((name) => name in globalThis).join(), Object.keys(process.env).join());
try { console.log(JSON.parse(globalThis.__host('constructor', '[]'))[0]); } catch (error) { console.log(error.message); }`;
    expect((await runFiles(runner, { 'x.mjs': script })).stdout).toBe(' \nfalse\n');
  });

  it('SRC-10: an abort rejects with its reason', async () => {
    const controller = new AbortController();
    const running = runFiles(runner, { 'x.mjs': 'for (;;);' }, { signal: controller.signal });
    controller.abort(new Error('enough'));
    await expect(running).rejects.toThrow('enough');
  });

  it('SRC-10: refuses what it does not run, and what changed', async () => {
    await expect(runFiles(runner, { 'x.py': '' })).rejects.toMatchObject({ code: 'unsupported' });
    await expect(runFiles(runner, {}, { command: 'echo' })).rejects.toMatchObject({ code: 'unsupported' });
    await expect(runner.run({ ...(await requestOf({ 'x.js': '' })), digest: '0'.repeat(64) })).rejects.toMatchObject({
      code: 'digest-mismatch',
    });
    expect(() => wasmRunner({ maxMemoryBytes: 1 })).toThrow(expect.objectContaining({ code: 'invalid-options' }));
  });
});
