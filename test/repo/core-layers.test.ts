import { globSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { parseSync } from 'oxc-parser';
import { describe, expect, it } from 'vitest';
import { repositoryRoot } from '../../tools/workspace.ts';
import { scanImports } from './scan-imports.ts';

/**
 * The folders of the core, lowest first. A file imports only from its own folder and from those
 * before it.
 */
const layers = ['errors', 'contract', 'prompt', 'format', 'providers', 'catalog', 'events', 'state', 'policy', 'tools', 'skillset'];

const source = join(repositoryRoot, 'packages/skills-core/src');

describe('the layers of the core', () => {
  const files = globSync('**/*.ts', { cwd: source }).toSorted();

  it('has a place for every folder', () => {
    const folders = new Set(files.filter((file) => file.includes('/')).map((file) => file.slice(0, file.indexOf('/'))));
    expect([...folders].toSorted()).toEqual(layers.toSorted());
  });

  it('lets no file import from a layer above it', () => {
    expect(files.flatMap((file) => upwardImports(file, readFileSync(join(source, file), 'utf8')))).toEqual([]);
  });

  it('lets no file import itself by a detour, types included', () => {
    const imports = new Map(files.map((file) => [file, importsOf(file, readFileSync(join(source, file), 'utf8'))]));
    expect(cycleIn(imports)).toEqual([]);
  });

  it('GOV-16: makes what may be used of a skill behind the doors alone: no other file of any package calls one so', () => {
    const all = globSync('packages/*/src/**/*.ts').filter((file) => !file.includes('node_modules'));
    const makers = (pattern: RegExp) => all.filter((file) => pattern.test(readFileSync(file, 'utf8'))).toSorted();
    expect(makers(/\bas (?:unknown as )?SkillInUse\b/)).toEqual(['packages/skills-core/src/tools/pinned/skill-doors.ts']);
    expect(makers(/\bas (?:unknown as )?SkillInForce\b/)).toEqual(['packages/skills-core/src/policy/in-force.ts']);
  });

  it('GOV-16: reads skills and files of a provider in one folder, behind the door', () => {
    const readers = files.filter(
      (file) => /^(?:catalog|events|state|policy|tools|skillset)\//.test(file) && readsSkills(readFileSync(join(source, file), 'utf8')),
    );
    // The registry is a provider itself.
    expect(readers).toEqual(['skillset/skill-registry.ts', 'tools/pinned/present-listing.ts', 'tools/pinned/skill-doors.ts']);
    expect([
      readsSkills('await provider.getSkill(name)'),
      readsSkills('provider.readResource?.(a, b)'),
      readsSkills('getSkill(name) {}'),
    ]).toEqual([true, true, false]);
  });

  it('exports each name from one entry point', () => {
    const entries = files.filter((file) => !file.includes('/'));
    const places = new Map<string, string[]>();
    for (const entry of entries) {
      const exported = parseSync(entry, readFileSync(join(source, entry), 'utf8')).module.staticExports.flatMap(({ entries: all }) => all);
      for (const { exportName } of exported) places.set(exportName.name ?? '', [...(places.get(exportName.name ?? '') ?? []), entry]);
    }
    expect(places.size).toBeGreaterThan(100);
    expect([...places].filter(([, found]) => found.length > 1)).toEqual([]);
  });

  it('notices an import from above, and a cycle', () => {
    expect(upwardImports('contract/a.ts', `import type { X } from '../skillset/x.ts';`)).toEqual(['contract/a.ts -> skillset/x.ts']);
    expect(
      cycleIn(
        new Map([
          ['a.ts', ['b.ts']],
          ['b.ts', ['a.ts']],
        ]),
      ),
    ).toEqual(['a.ts', 'b.ts', 'a.ts']);
  });
});

/** A call on something: declarations and members of that name are none. */
function readsSkills(text: string): boolean {
  return /[\w)]\??\.(?:getSkill|readResource)(?:\?\.)?\(/.test(text.replace(/^ *(?:\*|\/\/).*$/gm, ''));
}

function importsOf(file: string, text: string): string[] {
  return scanImports(file, text).flatMap(({ specifier }) =>
    specifier?.startsWith('.') ? [posix.normalize(posix.join(posix.dirname(file), specifier))] : [],
  );
}

function upwardImports(file: string, text: string): string[] {
  // Entry points list what is public and belong to no layer.
  if (!file.includes('/')) return [];
  const own = layerOf(file);
  return importsOf(file, text).flatMap((target) => (layerOf(target) > own ? [`${file} -> ${target}`] : []));
}

function layerOf(file: string): number {
  return file.includes('/') ? layers.indexOf(file.slice(0, file.indexOf('/'))) : layers.length;
}

/** The files of one cycle, first and last the same; empty where there is none. */
function cycleIn(imports: ReadonlyMap<string, readonly string[]>): string[] {
  const done = new Set<string>();
  const visit = (file: string, path: readonly string[]): string[] => {
    if (path.includes(file)) return [...path.slice(path.indexOf(file)), file];
    if (done.has(file)) return [];
    for (const target of imports.get(file) ?? []) {
      const cycle = visit(target, [...path, file]);
      if (cycle.length > 0) return cycle;
    }
    done.add(file);
    return [];
  };
  for (const file of imports.keys()) {
    const cycle = visit(file, []);
    if (cycle.length > 0) return cycle;
  }
  return [];
}
