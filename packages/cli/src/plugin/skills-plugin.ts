import { assertKnownOptions, type OptionRules } from '@repertoire/skills-core/internal';
import type { FileSystemSkillProvider } from '@repertoire/skill-fs';
import { createUnplugin, type UnpluginBuildContext, type UnpluginContext, type UnpluginInstance, type UnpluginOptions } from 'unplugin';
import { chunkName, isChunkName } from '../bundle/chunk-name.ts';
import { bundleFolders, type BundleFoldersOptions } from '../bundle/bundle-folders.ts';
import { collectSkills, type CollectedSkills, type CollectOptions } from '../bundle/collect-skills.ts';
import { renderBundle } from '../bundle/render-bundle.ts';

/** Options of {@link skillsPlugin}. */
export interface SkillsPluginOptions {
  /** Folders that hold skills, or are one; relative ones start from `cwd`. */
  readonly roots: readonly string[];
  /** The folder that relative roots start from. @default process.cwd() */
  readonly cwd?: string | undefined;
  /**
   * What to import. For another set of skills, use the plugin again with a name below the default,
   * such as `virtual:repertoire-skills/support`.
   * @default 'virtual:repertoire-skills'
   */
  readonly module?: string | undefined;
  /** Names of skills to take; `*` stands for any characters. @default all */
  readonly include?: readonly string[] | undefined;
  /** Names of skills to leave out. @default none */
  readonly exclude?: readonly string[] | undefined;
  /** Refuse skills that the reference validator of the standard refuses. @default false */
  readonly strict?: boolean | undefined;
  /** Skips skills that cannot be bundled, with a warning, instead of failing. @default false */
  readonly lenient?: boolean | undefined;
  /** Refuse skills with a larger file. @default 1_048_576 */
  readonly maxFileBytes?: number | undefined;
  /** The source in `lock`: the label of the provider that serves the skills. @default 'code' */
  readonly label?: string | undefined;
}

const knownOptions: OptionRules<SkillsPluginOptions> = {
  roots: 'string[]',
  cwd: 'string',
  module: 'string',
  include: 'string[]',
  exclude: 'string[]',
  strict: 'boolean',
  lenient: 'boolean',
  maxFileBytes: 'number',
  label: 'string',
};
const defaultModule = 'virtual:repertoire-skills';

/** If it runs all the same. */
const failedModule = `throw new Error('The skills could not be bundled; see the errors of the build.');
export const skills = [];
export const lock = { lockVersion: 1, skills: [] };
`;

/** webpack takes the part before a colon for a URL scheme, and then asks no plugin. */
const webpackPrefix = '~virtual/';

/**
 * A plugin for Vite, esbuild, Rollup, Rolldown, webpack and Rspack: folders of skills become the
 * module `virtual:repertoire-skills`, which exports `skills` and `lock` as a file of
 * `repertoire bundle` does. Bodies and files are modules of their own, so a bundler that splits
 * loads each when it is asked for.
 *
 * The types of the module are in `@repertoire/cli/virtual`. While a bundler watches, a change in a
 * skill is a change of the module.
 *
 * What cannot be carried fails the build, as it does `repertoire bundle`.
 *
 * @example vite.config.ts
 * ```ts
 * import { skillsPlugin } from '@repertoire/cli/plugin';
 *
 * export default { plugins: [skillsPlugin.vite({ roots: ['skills'] })] };
 * ```
 */
export const skillsPlugin: UnpluginInstance<SkillsPluginOptions> = createUnplugin((options: SkillsPluginOptions): UnpluginOptions => {
  assertKnownOptions('skillsPlugin', options, knownOptions);
  const { module = defaultModule } = options;
  const settings = {
    ...options,
    module,
    lenient: options.lenient ?? false,
    cwd: options.cwd ?? process.cwd(),
    label: options.label ?? 'code',
    maxFileBytes: options.maxFileBytes ?? 2 ** 20,
  };
  const watched = bundleFolders(settings);
  const chunks = new Map<string, string>();

  return {
    // esbuild keeps the modules of two plugins apart by their names.
    name: module.replace('virtual:', ''),

    resolveId(id) {
      const asked = id.startsWith(webpackPrefix) ? `virtual:${id.slice(webpackPrefix.length)}` : id;
      return isOurs(asked, module) ? `\0${asked}` : null;
    },

    load: {
      filter: { id: new RegExp(`^\0${module.replace(/[.+?^${}()|[\]\\]/g, '\\$&')}`) },
      async handler(id) {
        const asked = id.slice(1);
        return isOurs(asked, module) ? (chunks.get(asked) ?? (await loadFresh(this, asked, settings, chunks))) : null;
      },
    },

    webpack(compiler) {
      new compiler.webpack.NormalModuleReplacementPlugin(/^virtual:/, (resource: { request: string }) => {
        if (resource.request.startsWith(module)) resource.request = resource.request.replace('virtual:', webpackPrefix);
      }).apply(compiler);
    },

    vite: reloadOnChange(watched, module),
  };
});

function isOurs(id: string, module: string): boolean {
  return id === module || (id.startsWith(`${module}/`) && isChunkName(id.slice(module.length + 1)));
}

/** Reads all skills anew, keeps their chunks, and returns the module that was asked for. */
async function loadFresh(
  plugin: UnpluginBuildContext & UnpluginContext,
  asked: string,
  settings: CollectOptions & BundleFoldersOptions & { readonly module: string; readonly lenient: boolean },
  chunks: Map<string, string>,
): Promise<string> {
  const { module, lenient } = settings;
  const fresh = new Map<string, string>();
  const chunk = (code: string): string => {
    const name = `${module}/${chunkName(code)}`;
    fresh.set(name, code);
    return name;
  };
  const collected = await collectSkills(bundleFolders(settings), { ...settings, chunk });
  // Before anything fails: after a skill was fixed, the bundler has to ask again.
  for (const file of collected.sources) plugin.addWatchFile(file);
  const { errors, warnings } = problemsOf(collected, lenient);
  for (const message of warnings) plugin.warn(message);
  if (errors.length === 0) {
    for (const [name, code] of fresh) chunks.set(name, code);
    const codes = collected.skills.map((skill) => skill.code);
    const main = Buffer.concat(renderBundle(codes, collected.lock, { language: 'js', chunk })).toString();
    // A bundler that keeps a cache may ask for a chunk alone.
    const code = asked === module ? main : chunks.get(asked);
    if (code !== undefined) return code;
    errors.push('The skills changed. Build again.');
  }
  // Some bundlers throw here, some go on to the end and fail then.
  plugin.error(errors.join('\n'));
  return failedModule;
}

/** A new skill is no change of a file that a module watches, so Vite is told of it. */
function reloadOnChange(watched: Pick<FileSystemSkillProvider, 'watch'>, module: string): UnpluginOptions['vite'] {
  /** By the environment of Vite that is served: what ends its watching. */
  const stops = new WeakMap<object, () => void>();
  return {
    configureServer(server) {
      const stop = watched.watch(() => {
        for (const { moduleGraph, hot } of Object.values(server.environments)) {
          const main = moduleGraph.getModuleById(`\0${module}`);
          if (main === undefined) continue;
          moduleGraph.invalidateModule(main);
          hot.send({ type: 'full-reload' });
        }
      });
      for (const environment of Object.values(server.environments)) stops.set(environment, stop);
    },
    // In middleware mode there is no HTTP server, so an environment closes with its server.
    closeBundle() {
      stops.get(this.environment)?.();
    },
  };
}

function problemsOf(
  { failed, refused, skills, diagnostics }: CollectedSkills,
  lenient: boolean,
): { readonly errors: string[]; readonly warnings: string[] } {
  const errors = (lenient ? failed : [...failed, ...refused]).map(({ code, message }) => `${code}: ${message}`);
  if (errors.length === 0 && skills.length === 0) {
    errors.push('skill-not-found: There is no skill to bundle. Look at the options roots, include and exclude of skillsPlugin.');
  }
  const warnings = [
    ...(lenient ? refused.map(({ message }) => `Left out: ${message}`) : []),
    ...diagnostics.filter(({ severity }) => severity !== 'info').map(({ message, fix }) => [message, fix].join(' ')),
  ];
  return { errors, warnings };
}
