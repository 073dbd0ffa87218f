import { hash } from 'node:crypto';
import {
  SkillError,
  SkillRegistry,
  type Skill,
  type SkillDefinition,
  type SkillDiagnostic,
  type SkillMetadata,
  type SkillProvider,
} from '@repertoire/skills-core';
import { abortable, digestOfSkill, isResourcePath, skillDigest, type SkillCallOptions } from '@repertoire/skills-core/provider';
import { skillFromFiles, type SkillFromFiles } from '@repertoire/skills-core/skill-md';
import { groupBySkillDirectory, type SkillLibraryFiles, type SkillProviderTestConfig, type SkillProviderUnderTest } from '../src/index.ts';

/** A correct source with every ability, of which the mutants are made. */
export interface ReferenceSource extends SkillProviderUnderTest {
  readonly provider: Required<SkillProvider>;
  readonly change: (files: SkillLibraryFiles) => Promise<void>;
  readonly reads: () => readonly string[];
}

let sources = 0;

export async function referenceSource(files: SkillLibraryFiles): Promise<ReferenceSource> {
  const reads: string[] = [];
  const watchers = new Set<() => void>();
  let library = parse(files, reads);
  let held = files;
  let disposed = false;
  let lastWrite: Promise<unknown> = Promise.resolve();
  // No two sources lie in the same place.
  const uri = `memory://source-${(sources += 1)}/`;

  async function current({ signal }: SkillCallOptions = {}): Promise<ReturnType<typeof parse>> {
    signal?.throwIfAborted();
    if (disposed) throw new SkillError('source-unavailable', 'The source was disposed. Make a new one.', { source: 'reference' });
    return library;
  }

  const provider: Required<SkillProvider> = {
    label: 'reference',
    mayList: () => true,
    async listSkills(options) {
      const { inCode, diagnostics } = await current(options);
      const { skills } = await inCode.listSkills(options);
      return structuredClone({ skills: skills.map((skill) => placed(skill, uri)), diagnostics, complete: true });
    },
    async getSkill(name, options) {
      const { inCode, diagnostics } = await current(options);
      const skill = await inCode.getSkill(name, options);
      if (skill === null) return null;
      const bytes = options?.withBytes === undefined ? undefined : await filesWithin(inCode, skill, options.withBytes);
      return structuredClone({
        ...placed(skill, uri),
        diagnostics: diagnostics.filter((diagnostic) => diagnostic.skill === skill.name),
        ...(bytes !== undefined && { files: bytes }),
      });
    },
    readResource: async (name, path, options) => (await current(options)).inCode.readResource(name, path, options),
    trusted: true,
    contentOf: async (name, options) => await (await current(options)).inCode.contentOf?.(name, options),
    watch(onChange) {
      // A function of its own: two watchers may share one `onChange`.
      const watcher = () => onChange();
      watchers.add(watcher);
      return () => void watchers.delete(watcher);
    },
    write: (name, given, { expected, signal }) => {
      const work = async () => {
        await current({ signal });
        const content = (await digestOfSkill(provider, name, { signal }))?.digest ?? null;
        if (given !== null) refuseFiles(given);
        if (content !== expected) return { written: false, content };
        const digest = given === null ? null : await skillDigest(given);
        const others = Object.entries(held).filter(([path]) => !path.startsWith(`${name}/`));
        held = Object.fromEntries([...others, ...Object.entries(given ?? {}).map(([path, bytes]) => [`${name}/${path}`, bytes] as const)]);
        library = parse(held, reads);
        return { written: true, content: digest };
      };
      const turn = lastWrite.then(work, work);
      lastWrite = turn.catch(() => undefined);
      return turn;
    },
    gatedTools: () => library.inCode.gatedTools?.() ?? [],
    toolSet: () => ({}),
    [Symbol.asyncDispose]: async () => {
      disposed = true;
      watchers.clear();
    },
  };

  return {
    provider,
    reads: () => [...reads],
    change: async (changed) => {
      held = changed;
      library = parse(changed, reads);
      for (const watcher of watchers) watcher();
    },
  };
}

/** The reference with each provider changed by `mutate`: itself, unless told otherwise. */
export function referenceConfig(
  mutate: (provider: Required<SkillProvider>, files: SkillLibraryFiles) => SkillProvider = (provider) => provider,
): SkillProviderTestConfig {
  const create = async (files: SkillLibraryFiles) => {
    const source = await referenceSource(files);
    return { ...source, provider: mutate(source.provider, files) };
  };
  return {
    name: 'reference',
    create,
    abilities: ['versions', 'raw', 'watch', 'dispose', 'write'],
    trusted: true,
    patience: 200,
    failing: async () => ({ provider: mutate(failingProvider(), {}) }),
    stalled: async (files) => ({ provider: mutate(stalledProvider(), files) }),
  };
}

async function filesWithin(provider: SkillProvider, { name, version, resources }: Skill, mostBytes: number): Promise<Skill['files']> {
  const files: Record<string, Uint8Array> = {};
  let left = mostBytes;
  for (const { path } of resources) {
    const read = await provider.readResource(name, path, { version });
    if (read === null || read.size > left) continue;
    left -= read.size;
    files[path] = read.bytes;
  }
  return files;
}

function refuseFiles(files: Readonly<Record<string, Uint8Array>>): void {
  const paths = Object.keys(files);
  const isFine =
    paths.includes('SKILL.md') && paths.every(isResourcePath) && new Set(paths.map((path) => path.toLowerCase())).size === paths.length;
  if (!isFine)
    throw new SkillError('invalid-path', 'These are no files of one skill. Give SKILL.md, and paths that differ by more than case.');
}

function parse(files: SkillLibraryFiles, reads: string[]) {
  const definitions: SkillDefinition[] = [];
  const diagnostics: SkillDiagnostic[] = [];
  for (const { directoryName, definition, diagnostics: found } of skillsOf(files)) {
    diagnostics.push(...found);
    if (definition === null) continue;
    if (definitions.some(({ name, version = null }) => name === definition.name && version === (definition.version ?? null))) {
      diagnostics.push({ code: 'skill-twice', severity: 'error', skill: definition.name, message: `${directoryName} holds it again.` });
      continue;
    }
    const resources = Object.entries(definition.resources ?? {}).map(([path, source]) => {
      // A skill that was made of files has their contents.
      const content = source as string | Uint8Array;
      const size = typeof content === 'string' ? new TextEncoder().encode(content).length : content.length;
      return [path, { size, read: tracked(content, `${directoryName}/${path}`, reads) }] as const;
    });
    definitions.push({
      ...definition,
      // The skills of most libraries are made lazily, without a digest. This one tells what it has.
      ...(directoryName === 'first' && { content: contentOf({ 'SKILL.md': definition.skillMd, ...definition.resources }) }),
      body: tracked(definition.body, `${directoryName}/SKILL.md#body`, reads),
      resources: Object.fromEntries(resources),
    });
  }
  return { inCode: new SkillRegistry({ skills: definitions, label: 'reference' }), diagnostics };
}

function contentOf(files: Readonly<Record<string, unknown>>): string {
  const lines = Object.entries(files).map(([path, text]) => `${path}\0${hash('sha256', text as string)}\n`);
  return hash('sha256', lines.toSorted().join(''));
}

function placed<Level extends SkillMetadata>(skill: Level, uri: string): Level {
  return skill.origin === undefined ? skill : { ...skill, origin: { ...skill.origin, uri: `${uri}${skill.name}/` } };
}

interface ParsedSkill extends SkillFromFiles {
  readonly directoryName: string;
}

// The mutants meet the same libraries a thousand times.
const parsed = new WeakMap<SkillLibraryFiles, readonly ParsedSkill[]>();

function skillsOf(files: SkillLibraryFiles): readonly ParsedSkill[] {
  const known = parsed.get(files);
  if (known !== undefined) return known;
  // A folder without SKILL.md is no skill.
  const groups = [...groupBySkillDirectory(files)].filter(([, group]) => Object.hasOwn(group, 'SKILL.md'));
  const skills = groups.map(([directoryName, group]) => ({ directoryName, ...skillFromFiles(group, { directoryName }) }));
  parsed.set(files, skills);
  return skills;
}

/** Contents as a loader that writes down that it was called. */
function tracked<Content>(
  content: Content | (() => Content | Promise<Content>),
  path: string,
  reads: string[],
): () => Content | Promise<Content> {
  return () => {
    reads.push(path);
    return typeof content === 'function' ? (content as () => Content | Promise<Content>)() : content;
  };
}

function failingProvider(): Required<SkillProvider> {
  return providerOf(async () => {
    throw new SkillError('source-unavailable', 'The disk is away. Mount it.', { source: 'reference' });
  });
}

/** Never answers, and gives up only where it is told to. */
function stalledProvider(): Required<SkillProvider> {
  return providerOf(({ signal } = {}) => abortable(() => new Promise<never>(() => undefined), signal));
}

function providerOf(answer: (options?: SkillCallOptions) => Promise<never>): Required<SkillProvider> {
  const guarded = async (options?: SkillCallOptions) => {
    options?.signal?.throwIfAborted();
    return answer(options);
  };
  return {
    label: 'reference',
    mayList: () => true,
    trusted: true,
    contentOf: (_name, options) => guarded(options),
    listSkills: guarded,
    getSkill: (_name, options) => guarded(options),
    readResource: (_name, _path, options) => guarded(options),
    write: (_name, _files, options) => guarded(options),
    watch: () => () => undefined,
    gatedTools: () => [],
    toolSet: () => ({}),
    [Symbol.asyncDispose]: async () => undefined,
  };
}
