import { SkillError } from '@repertoire/skills-core';
import { assertKnownOptions, numberOption, type OptionRules } from '@repertoire/skills-core/internal';
import type { PluginRoot } from '../files/plugin-files.ts';
import { assertPluginLists, type PluginLists } from '../policy/plugin-lists.ts';

/**
 * Something that happened to a plugin, for an audit. `plugin-found`: it is there and the lists of
 * the host allow it. `plugin-refused`: it is there, and they do not. `skill-read`: the instructions
 * of a skill were given out. `tool-called`: a server is about to be asked.
 */
export interface PluginEvent {
  readonly type:
    | 'plugin-found'
    | 'plugin-changed'
    | 'plugin-gone'
    | 'plugin-refused'
    | 'skill-read'
    | 'server-opened'
    | 'server-closed'
    | 'server-failed'
    | 'tool-called';
  readonly plugin: string;
  readonly version?: string | undefined;
  /** Name of the server, in events of one. */
  readonly server?: string | undefined;
  /** The skill that is read, or that a server was opened for. */
  readonly skill?: string | undefined;
  /** Name of the tool that is called. */
  readonly tool?: string | undefined;
}

/** Options of {@link pluginProvider}. */
export interface PluginProviderOptions extends PluginLists {
  /** Plugins and folders of plugins, most important first. */
  readonly roots: readonly PluginRoot[];
  /**
   * Names of the agent's tools. A plugin that requires another one is reported
   * (`plugin-need-missing`). @default unknown: needs of tools are not checked
   */
  readonly tools?: readonly string[] | undefined;
  /** Names the source. @default 'plugins' */
  readonly label?: string | undefined;
  /** Milliseconds that a listing is served from memory; `0` looks each time. @default 1_000 */
  readonly staleAfterMs?: number | undefined;
  /** Called with each change that listings notice, and each skill read. @default nobody */
  readonly onEvent?: ((event: PluginEvent) => void) | undefined;
  /** The clock of `staleAfterMs`, in milliseconds; for tests. @default performance.now */
  readonly now?: (() => number) | undefined;
}

/** The options with every default filled in. */
export interface PluginSettings extends PluginLists {
  readonly roots: readonly PluginRoot[];
  readonly tools: readonly string[] | undefined;
  readonly label: string;
  readonly staleAfterMs: number;
  readonly onEvent: (event: PluginEvent) => void;
  readonly now: () => number;
}

const known: OptionRules<PluginProviderOptions> = {
  roots: '[]',
  tools: 'string[]',
  label: 'string',
  staleAfterMs: 'number',
  onEvent: '()',
  now: '()',
  allow: '[]',
  block: '[]',
  signerOf: '()',
};
const knownOfRoot: OptionRules<PluginRoot> = { files: '{}', name: 'string', trusted: 'boolean', optional: 'boolean' };

/** Fills in the defaults. @throws {SkillError} `invalid-options` */
export function pluginSettings(options: PluginProviderOptions): PluginSettings {
  assertKnownOptions('pluginProvider', options, known);
  assertPluginLists(options);
  const { roots } = options;
  if (!Array.isArray(roots)) {
    throw new SkillError(
      'invalid-options',
      'Option "roots" of pluginProvider is no list. Give roots, such as pluginFolders([\'./plugins\']).',
    );
  }
  for (const root of roots as readonly PluginRoot[]) {
    if (typeof root?.files?.list !== 'function' || typeof root.name !== 'string') {
      throw new SkillError(
        'invalid-options',
        'A root of pluginProvider has no files or no name. Make it with pluginFolders, or give { files, name }.',
      );
    }
    assertKnownOptions('A root of pluginProvider', root, knownOfRoot);
  }
  return {
    roots,
    tools: options.tools,
    label: options.label ?? 'plugins',
    staleAfterMs: numberOption('staleAfterMs', options.staleAfterMs, { of: 'pluginProvider', fallback: 1_000, least: 0 }),
    onEvent: options.onEvent ?? (() => {}),
    now: options.now ?? (() => performance.now()),
    allow: options.allow,
    block: options.block,
    signerOf: options.signerOf,
  };
}
