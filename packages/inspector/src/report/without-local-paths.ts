import { homedir } from 'node:os';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type { SkillView } from '../library/views.ts';

/** What local paths begin with: `/x/`, `C:\x\`, `file:///x/`. */
// recheck: each character is consumed once.
const absolutePath = /(?<![\w.:/\\-])(?:file:\/\/)?(?:[A-Za-z]:)?[\\/][^\s"'`<>|:*?\\/]+(?:[\\/][^\s"'`<>|:*?\\/]+)+/g;

/**
 * Data of a report without paths of this machine, since a report is sent to others. The folders
 * that hold the skills, the working directory and the home folder are cut off wherever they stand;
 * of every other path in a diagnostic, the last two parts stay.
 */
export function withoutLocalPaths<Value>(report: Value, skills: readonly Pick<SkillView, 'location'>[]): Value {
  const own = skills.flatMap(({ location }) => (location?.startsWith('file:') === true ? [path.dirname(fileURLToPath(location))] : []));
  // A root is no folder of anybody.
  const folders = [...new Set([...own, process.cwd()])].filter((folder) => path.dirname(folder) !== folder);
  const prefixes = folders.flatMap((folder) => [`${folder}${path.sep}`, `${pathToFileURL(folder).href}/`]);
  prefixes.sort((a, b) => b.length - a.length);
  const home = path.dirname(homedir()) === homedir() ? null : homedir();
  const clean = (text: string): string => {
    const inside = prefixes.reduce((left, prefix) => left.replaceAll(prefix, ''), text);
    return home === null ? inside : inside.replaceAll(`${pathToFileURL(home).href}/`, '~/').replaceAll(`${home}${path.sep}`, '~/');
  };
  return mapped(report, '', clean) as Value;
}

/** Fields written by programs, in which a path is nothing but a path. */
const ofPrograms: ReadonlySet<string> = new Set(['message', 'fix', 'path', 'label', 'source', 'location', 'title']);

function mapped(value: unknown, key: string, clean: (text: string) => string): unknown {
  if (typeof value === 'string') {
    const text = clean(value);
    return ofPrograms.has(key) ? text.replace(absolutePath, (found) => found.split(/[\\/]/).slice(-2).join('/')) : text;
  }
  if (Array.isArray(value)) return value.map((item) => mapped(item, key, clean));
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).map(([name, item]) => [name, mapped(item, name, clean)] as const);
  return Object.assign(Object.create(null) as object, Object.fromEntries(entries));
}
