/**
 * The part of Node.js that small scripts use, over files in memory. Only text crosses `__host`.
 *
 * Its value is a function that runs the first timer that is due. It returns how many milliseconds
 * to wait before it is called again, or -1 if no timer is left.
 */
export const guestPrelude = `
const call = (name, ...given) => {
  const [ok, value] = JSON.parse(globalThis.__host(name, JSON.stringify(given)));
  if (!ok) throw Object.assign(new Error(value.message), { code: value.code });
  return value;
};
const show = (value, seen = []) => {
  if (typeof value === 'string') return seen.length === 0 ? value : JSON.stringify(value);
  if (typeof value === 'function') return '[Function: ' + (value.name || 'anonymous') + ']';
  if (value instanceof Error) return value.stack ? value.name + ': ' + value.message + '\\n' + value.stack : String(value);
  if (typeof value !== 'object' || value === null) return Object.is(value, -0) ? '-0' : String(value) + (typeof value === 'bigint' ? 'n' : '');
  if (seen.includes(value) || seen.length > 4) return '[…]';
  const inside = [...seen, value];
  if (value instanceof Map) return 'Map(' + value.size + ') ' + show(Object.fromEntries(value), seen);
  if (value instanceof Set) return 'Set(' + value.size + ') ' + show([...value], inside);
  if (Array.isArray(value)) return value.length === 0 ? '[]' : '[ ' + value.map((item) => show(item, inside)).join(', ') + ' ]';
  const fields = Object.entries(value).map(([key, item]) => key + ': ' + show(item, inside));
  return fields.length === 0 ? '{}' : '{ ' + fields.join(', ') + ' }';
};
const line = (stream) => (...values) => call('write', stream, values.map((value) => show(value)).join(' ') + '\\n');
globalThis.console = { log: line('stdout'), info: line('stdout'), debug: line('stdout'), warn: line('stderr'), error: line('stderr') };
const start = call('start');
class Exit extends Error {}
const process = {
  argv: ['node', start.script, ...start.arguments],
  env: start.env,
  platform: 'linux',
  exitCode: undefined,
  cwd: () => start.cwd,
  exit: (code) => { call('exit', code === undefined ? Number(process.exitCode ?? 0) : Number(code)); throw new Exit('exit'); },
  stdout: { isTTY: false, write: (text) => (call('write', 'stdout', String(text)), true) },
  stderr: { isTTY: false, write: (text) => (call('write', 'stderr', String(text)), true) },
  stdin: { isTTY: false, setEncoding() { return this; }, async *[Symbol.asyncIterator]() { yield call('read', 0); } },
};
globalThis.process = process;
const fs = {
  readFileSync: (path, options) => {
    const encoding = typeof options === 'string' ? options : options?.encoding;
    if (!/^utf-?8$/i.test(encoding ?? '')) throw new Error('readFileSync gives text only: pass "utf8".');
    return call('read', path);
  },
  writeFileSync: (path, text) => void call('put', path, String(text), false),
  appendFileSync: (path, text) => void call('put', path, String(text), true),
  existsSync: (path) => call('exists', path),
  readdirSync: (path) => call('list', path),
  mkdirSync: () => undefined,
};
globalThis.__modules = {
  fs,
  'fs/promises': { readFile: async (...given) => fs.readFileSync(...given), writeFile: async (...given) => fs.writeFileSync(...given), readdir: async (...given) => fs.readdirSync(...given), mkdir: async () => undefined },
  process,
  path: {
    sep: '/',
    basename: (path, end = '') => { const name = path.replace(/\\/+$/, '').split('/').pop(); return end !== '' && name.endsWith(end) ? name.slice(0, -end.length) : name; },
    dirname: (path) => path.includes('/') ? path.slice(0, path.lastIndexOf('/')) || '/' : '.',
    extname: (path) => /[^/.]\\.[^/]*$/.test(path) ? path.slice(path.lastIndexOf('.')) : '',
    join: (...parts) => call('join', parts),
    resolve: (...parts) => call('join', [start.cwd, ...parts].slice([start.cwd, ...parts].findLastIndex((part) => part.startsWith('/')))),
  },
  url: { fileURLToPath: (url) => String(url).replace(/^file:\\/\\//, '') },
};
const { now } = Date;
const timers = new Map();
let lastTimer = 0;
const longestDelayMs = 2 ** 31 - 1;
const setTimer = (repeats) => (work, delay, ...given) => {
  if (typeof work !== 'function') throw new TypeError('A timer takes a function.');
  const delayMs = delay >= 1 && delay <= longestDelayMs ? Math.trunc(delay) : 1;
  lastTimer += 1;
  timers.set(lastTimer, { work, given, delayMs, repeats, due: now() + delayMs });
  return lastTimer;
};
const clearTimer = (id) => void timers.delete(Number(id));
globalThis.setTimeout = setTimer(false);
globalThis.setInterval = setTimer(true);
globalThis.clearTimeout = globalThis.clearInterval = clearTimer;
(() => {
  let first;
  for (const entry of timers) if (first === undefined || entry[1].due < first[1].due) first = entry;
  if (first === undefined) return -1;
  const [id, timer] = first;
  const early = timer.due - now();
  if (early > 0) return early;
  timers.delete(id);
  if (timer.repeats) timers.set(id, { ...timer, due: now() + timer.delayMs });
  timer.work(...timer.given);
  return 0;
});
`;

/** Node.js modules that scripts can import, with the names of their exports. */
export const guestModules: Readonly<Record<string, readonly string[]>> = {
  fs: ['readFileSync', 'writeFileSync', 'appendFileSync', 'existsSync', 'readdirSync', 'mkdirSync'],
  'fs/promises': ['readFile', 'writeFile', 'readdir', 'mkdir'],
  process: ['argv', 'env', 'cwd', 'exit', 'stdin', 'stdout', 'stderr', 'platform'],
  path: ['sep', 'basename', 'dirname', 'extname', 'join', 'resolve'],
  url: ['fileURLToPath'],
};
