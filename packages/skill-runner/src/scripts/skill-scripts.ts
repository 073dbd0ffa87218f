import { SkillError, type Skill, type SkillScripts } from '@repertoire/skills-core';
import {
  assertKnownOptions,
  oneLine,
  readPinnedFiles,
  sourceFailed,
  type SkillInUse,
  type SkillToolHost,
  type OptionRules,
  applyArguments,
} from '@repertoire/skills-core/internal';
import type { SkillRunner, SkillRunOptions } from '@repertoire/skills-core/provider';
import { defaultMaxSnippetBytes, expandSnippets, maxSnippetTimeoutMs } from './expand-snippets.ts';
import { findSnippets } from '@repertoire/skills-core/provider';
import { listScripts } from './list-scripts.ts';
import { placeOutputs } from './place-outputs.ts';
import { onlyReadable } from './only-readable.ts';
import { runSkillScriptTool } from './run-skill-script.ts';
import { describeScriptTool, snippetTexts } from '../prompt/script-texts.ts';

/** Options of {@link skillScripts}. */
export interface SkillScriptsOptions extends Pick<SkillRunOptions, 'env' | 'timeoutMs' | 'maxOutputBytes'> {
  /**
   * Whether `` !`command` `` in a body is replaced by the command's output when the skill is
   * loaded.
   * @default false
   */
  readonly snippets?: boolean | undefined;
  /**
   * Absolute path of a folder of the host in which the commands of a body start, and which they may
   * read: the project of a coding agent. `'.'` is the working directory of the host's process.
   * `git` gets variables that keep it from writing to it and from running programs that its
   * configuration names.
   * @default none: commands start in the skill's own folder
   */
  readonly project?: string | undefined;
  /**
   * Files that each run gets besides those of its skill, such as an upload. Scripts find them below
   * the folder `inputs` of the skill's copy.
   * @default none
   */
  readonly inputs?: ((skill: Skill) => SkillRunOptions['inputs'] | Promise<SkillRunOptions['inputs']>) | undefined;
  /** Extensions of scripts, with their dot. @default those that our runners know */
  readonly extensions?: readonly string[] | undefined;
}

const knownOptions: OptionRules<SkillScriptsOptions> = {
  snippets: 'boolean',
  project: 'string',
  inputs: '()',
  extensions: 'string[]',
  env: '{}',
  timeoutMs: 'number',
  maxOutputBytes: 'number',
};

/**
 * Lets an agent run the scripts of loaded, trusted skills with a runner of the host's choice. It
 * gives the session a tool `run_skill_script`, lists the scripts behind the instructions of a
 * skill, and runs the commands in its body where `snippets` is on.
 *
 * @throws {SkillError} `invalid-options` without a runner, or with an option that does not exist
 * @example
 * ```ts
 * import { skillScripts } from '@repertoire/skill-runner/scripts';
 * import { createSkillset, type SkillProvider } from '@repertoire/skills-core';
 * import type { SkillRunner } from '@repertoire/skills-core/provider';
 *
 * export function withScripts(provider: SkillProvider, runner: SkillRunner) {
 *   return createSkillset({ provider, scripts: skillScripts(runner, { snippets: true }) });
 * }
 * ```
 */
export function skillScripts(runner: SkillRunner, options: SkillScriptsOptions = {}): SkillScripts {
  if (typeof runner?.run !== 'function') throw new SkillError('invalid-options', 'skillScripts needs a runner, such as processRunner().');
  assertKnownOptions('skillScripts', options, knownOptions);
  const { extensions, env, project } = options;
  const snippetsOf = ({ body }: Pick<Skill, 'body'>) => (options.snippets === true ? findSnippets(body) : []);

  return {
    describeTool: describeScriptTool,
    tool: (host) => runSkillScriptTool(host, runner, options),

    describe: (host, use, signal) => listScripts(host, use, extensions, signal),

    hasSnippets: (skill) => snippetsOf(skill).length > 0,

    async expand(host, use, given, signal) {
      const { skill } = use;
      const { by, ...from } = await filesOrReason(host, use, runner, options, signal);
      return await expandSnippets(skill.body, {
        runner: by,
        skill,
        isGranted: true,
        ...from,
        arguments: given ?? '',
        env,
        project,
        ...snippetLimits(options),
        signal,
      });
    },

    withoutOutput(skill, given, place) {
      const note = place === 'restored' ? snippetTexts.notKept : snippetTexts.notGiven;
      const snippets = snippetsOf(skill);
      const notes = snippets.map(({ command }) => note(oneLine(command)));
      return placeOutputs(skill.body, snippets, notes, (body) => applyArguments({ ...skill, body }, given));
    },
  };
}

/**
 * Reads the files of a run. If that fails, the skill still loads: each command becomes an `[error:
 * …]`.
 */
async function filesOrReason(
  host: SkillToolHost,
  use: SkillInUse,
  runner: SkillRunner,
  { inputs }: SkillScriptsOptions,
  signal: AbortSignal | undefined,
): Promise<Pick<SkillRunOptions, 'files' | 'digest' | 'inputs'> & { readonly by: SkillRunner }> {
  try {
    const pinned = await readPinnedFiles(host, use, { signal });
    return { ...(await onlyReadable(host, use.skill, pinned)), inputs: await inputs?.(use.skill), by: runner };
  } catch (thrown) {
    signal?.throwIfAborted();
    const error = sourceFailed(thrown);
    return { files: {}, digest: '', by: { label: runner.label, run: () => Promise.reject(error) } };
  }
}

/**
 * Returns the limits of snippets. The host can only lower them, because output stays in every later
 * request.
 */
function snippetLimits({ timeoutMs, maxOutputBytes }: SkillScriptsOptions): Pick<SkillRunOptions, 'timeoutMs' | 'maxOutputBytes'> {
  return {
    ...(timeoutMs !== undefined && { timeoutMs: Math.min(timeoutMs, maxSnippetTimeoutMs) }),
    ...(maxOutputBytes !== undefined && { maxOutputBytes: Math.min(maxOutputBytes, defaultMaxSnippetBytes) }),
  };
}
