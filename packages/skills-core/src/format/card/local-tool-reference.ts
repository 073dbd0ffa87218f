import { isResourcePath } from '../../contract/resource-path.ts';

/** Where a local tool is to be found. */
export interface LocalToolReference {
  /** `relative`: a module inside the skill's folder. `package`: a package of the host. */
  readonly kind: 'relative' | 'package';
  /** What to import: `./tools.js`, or `@acme/tools/weather`. */
  readonly module: string;
  /** Name of the export; `default` where none is written. */
  readonly export: string;
}

const moduleFile = /\.(?:[cm]?[jt]s|[jt]sx)$/;
const packageName = /^(?:@[a-z0-9~-][a-z0-9._~-]*\/)?[a-z0-9~-][a-z0-9._~-]*(?:\/[\w.~-]+)*$/;

/**
 * Reads an `import_path`: `./tools.js#getWeather`, `tools/weather.ts#default`,
 * `@acme/tools#getWeather`. The module lies inside the skill or is a package by name; absolute
 * paths, `..`, URLs, `node:` modules and other languages' paths (`my_tools.get_weather`) give
 * `null`, and such a tool can only come from a map that the host gives.
 *
 * It says where a tool is and not that it may be imported: that takes a trusted source, and a host
 * that turned local tools on.
 */
export function parseLocalToolReference(importPath: string): LocalToolReference | null {
  const hash = importPath.indexOf('#');
  const written = hash < 0 ? importPath : importPath.slice(0, hash);
  const name = hash < 0 ? 'default' : importPath.slice(hash + 1);
  if (!/^[\p{ID_Start}$_][\p{ID_Continue}$\u200c\u200d]*$/u.test(name)) return null;

  const path = written.replace(/^(?:\.\/)+/, '');
  const scoped = written.startsWith('@');
  if (!scoped && moduleFile.test(path)) return isResourcePath(path) ? { kind: 'relative', module: `./${path}`, export: name } : null;
  // A bare word with dots is a path of another language; a package alone names no tool.
  if (hash < 0 || !packageName.test(written) || written.split('/').some((segment) => /^\.+$/.test(segment))) return null;
  return { kind: 'package', module: written, export: name };
}
