import { assertKnownOptions } from '../../contract/known-options.ts';
import { isTrusted } from '../../contract/is-trusted.ts';
import type { Skill, SkillProvider, SkillResourceEntry } from '../../contract/skill-provider.ts';
import type { SkillRunner, SkillRunOptions } from '../../contract/skill-runner.ts';
import { SkillError } from '../../errors/skill-error.ts';
import { sourceFailed } from '../../errors/source-failed.ts';
import { insideElement, oneLine } from '../../prompt/escape.ts';
import { frame } from '../../prompt/frames.ts';
import { moreScriptsText, scriptsText, snippetNotGivenText, snippetNotKeptText } from '../../prompt/script-texts.ts';
import { applyArguments } from '../arguments/apply-arguments.ts';
import { describeScripts, isScript, type SkillScript } from './describe-scripts.ts';
import { expandSnippets } from './expand-snippets.ts';
import { findSnippets } from './find-snippets.ts';
import { readSkillFiles, type SkillFiles } from './read-skill-files.ts';
import { runSkillScriptTool } from './run-skill-script.ts';
import type { SkillScripts, ToolEnvironment } from '../tool-environment.ts';

/** The most scripts that a loaded skill lists, and the most characters of their list. The rest can still be run by path. */
const maxListedScripts = 50;
const maxListedCharacters = 4_000;

/** Options of {@link skillScripts}. */
export interface SkillScriptsOptions extends Pick<SkillRunOptions, 'env' | 'timeoutMs' | 'maxOutputBytes'> {
  /**
   * Whether `` !`command` `` in a body is replaced by the command's output when the skill is loaded.
   * @default false
   */
  readonly snippets?: boolean | undefined;
  /** Files that every script gets besides those of its skill, such as an upload: called for each run. @default none */
  readonly inputs?: ((skill: Skill) => SkillRunOptions['inputs'] | Promise<SkillRunOptions['inputs']>) | undefined;
  /** Extensions of files that are scripts, with their dot. @default those that the runners of `@repertoire/skill-runner` know */
  readonly extensions?: readonly string[] | undefined;
}

const knownOptions: Readonly<Record<keyof SkillScriptsOptions, true>> = {
  env: true,
  timeoutMs: true,
  maxOutputBytes: true,
  snippets: true,
  inputs: true,
  extensions: true,
};

/**
 * Lets an agent run the scripts of loaded, trusted skills with a runner of the host's choice. It gives the session a tool `run_skill_script`,
 * lists the scripts behind the instructions of a skill, and runs the commands in its body where `snippets` is on.
 *
 * @throws {SkillError} `invalid-options` without a runner, or with an option that does not exist
 * @example
 * ```ts
 * import { createSkillset, type SkillProvider } from '@repertoire/skills-core';
 * import { skillScripts, type SkillRunner } from '@repertoire/skills-core/scripts';
 *
 * export function withScripts(provider: SkillProvider, runner: SkillRunner) {
 *   return createSkillset({ provider, scripts: skillScripts(runner, { snippets: true }) });
 * }
 * ```
 */
export function skillScripts(runner: SkillRunner, options: SkillScriptsOptions = {}): SkillScripts {
  if (typeof runner?.run !== 'function') throw new SkillError('invalid-options', 'skillScripts needs a runner, such as processRunner().');
  assertKnownOptions('skillScripts', options, knownOptions);
  const { extensions, env } = options;
  const snippetsOf = ({ body }: Pick<Skill, 'body'>) => (options.snippets === true ? findSnippets(body) : []);

  return {
    tool: (environment) => runSkillScriptTool(environment, runner, options),

    async describe(environment, skill, signal) {
      const { provider, names } = environment;
      if (!isTrusted(skill)) return '';
      const scripts = await runnable(environment, skill, extensions);
      if (scripts.length === 0) return '';
      const read = async (path: string, maxBytes: number): Promise<Uint8Array | null> =>
        (await provider.readResource(skill.name, path, { version: skill.version, maxBytes, signal }))?.bytes ?? null;
      const described = await describeScripts({ resources: scripts, read, extensions, maxScripts: maxListedScripts, signal });
      return frame('skill_scripts', {}, [scriptsText(skill.name, names.runScript), ...linesOf(described, scripts.length)].join('\n'));
    },

    hasSnippets: (skill) => isTrusted(skill) && snippetsOf(skill).length > 0,

    async expand({ provider }, skill, given, signal) {
      const { files, digest, by } = await filesOrReason(provider, skill, runner, signal);
      const substitute = (body: string): string => applyArguments({ ...skill, body }, given);
      return await expandSnippets(skill.body, { runner: by, skill, files, digest, substitute, ...(env !== undefined && { env }), signal });
    },

    withoutOutput(skill, place) {
      const note = place === 'put-back' ? snippetNotKeptText : snippetNotGivenText;
      let body = '';
      let from = 0;
      for (const { start, end, command } of snippetsOf(skill)) {
        body += skill.body.slice(from, start) + note(oneLine(command));
        from = end;
      }
      return body + skill.body.slice(from);
    },
  };
}

/** The scripts that this request may read, and so run: what the host hides is not told of. */
async function runnable(
  environment: ToolEnvironment,
  skill: Skill,
  extensions: readonly string[] | undefined,
): Promise<readonly SkillResourceEntry[]> {
  const scripts = skill.resources.filter((entry) => isScript(entry, extensions));
  const allowed = await Promise.all(scripts.map(({ path }) => environment.mayDo('read', skill, path)));
  return scripts.filter((_, index) => allowed[index]);
}

function linesOf(scripts: readonly SkillScript[], total: number): readonly string[] {
  const lines: string[] = [];
  let characters = 0;
  for (const { path, description } of scripts) {
    const line = insideElement(oneLine(description === null ? path : `${path}: ${description}`));
    characters += line.length + 1;
    if (characters > maxListedCharacters) break;
    lines.push(line);
  }
  return total > lines.length ? [...lines, moreScriptsText(total - lines.length)] : lines;
}

/** Files that cannot be read for the commands do not keep a skill from being loaded: each command then becomes an `[error: …]` that says why. */
async function filesOrReason(
  provider: SkillProvider,
  skill: Skill,
  runner: SkillRunner,
  signal: AbortSignal | undefined,
): Promise<SkillFiles & { readonly by: SkillRunner }> {
  try {
    return { ...(await readSkillFiles(provider, skill, { signal })), by: runner };
  } catch (thrown) {
    signal?.throwIfAborted();
    const error = sourceFailed(thrown);
    return { files: {}, digest: '', by: { label: runner.label, run: () => Promise.reject(error) } };
  }
}
