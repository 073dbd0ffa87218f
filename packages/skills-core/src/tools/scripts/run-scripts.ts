import { assertKnownOptions } from '../../contract/known-options.ts';
import { isTrusted } from '../../contract/is-trusted.ts';
import type { Skill } from '../../contract/skill-provider.ts';
import type { SkillRunner, SkillRunOptions } from '../../contract/skill-runner.ts';
import { SkillError } from '../../errors/skill-error.ts';
import { insideElement, oneLine } from '../../prompt/escape.ts';
import { frame } from '../../prompt/frames.ts';
import { scriptsText, snippetNotKeptText } from '../../prompt/script-texts.ts';
import { applyArguments } from '../arguments/apply-arguments.ts';
import { describeScripts, isScript } from './describe-scripts.ts';
import { defaultMaxSnippetBytes, expandSnippets, maxSnippetTimeoutMs } from './expand-snippets.ts';
import { findSnippets } from './find-snippets.ts';
import { readSkillFiles } from './read-skill-files.ts';
import { runSkillScriptTool } from './run-skill-script.ts';
import type { SkillScripts } from './skill-scripts.ts';

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

    async describe({ provider, names }, skill, signal) {
      const scripts = skill.resources.filter((entry) => isScript(entry, extensions));
      if (scripts.length === 0 || !isTrusted(skill)) return '';
      const read = async (path: string, maxBytes: number): Promise<Uint8Array | null> =>
        (await provider.readResource(skill.name, path, { version: skill.version, maxBytes, signal }))?.bytes ?? null;
      const described = await describeScripts({ resources: scripts, read, extensions, signal });
      const lines = described.map(({ path, description }) => (description === null ? path : `${path}: ${description}`));
      return frame('skill_scripts', {}, [scriptsText(skill.name, names.runScript), ...lines.map((line) => insideElement(oneLine(line)))].join('\n'));
    },

    hasSnippets: (skill) => isTrusted(skill) && snippetsOf(skill).length > 0,

    async expand({ provider }, skill, given, signal) {
      const { files, digest } = await readSkillFiles(provider, skill, { signal });
      const substitute = (body: string): string => applyArguments({ ...skill, body }, given);
      return await expandSnippets(skill.body, { runner, skill, files, digest, substitute, env, ...snippetLimits(options), signal });
    },

    withoutOutput(skill) {
      let body = '';
      let from = 0;
      for (const { start, end, command } of snippetsOf(skill)) {
        body += skill.body.slice(from, start) + snippetNotKeptText(oneLine(command));
        from = end;
      }
      return body + skill.body.slice(from);
    },
  };
}

/** The host's limits of a run, which for a snippet can only lower how much it prints: its output stands in every request from then on. */
function snippetLimits({ timeoutMs, maxOutputBytes }: SkillScriptsOptions): Pick<SkillRunOptions, 'timeoutMs' | 'maxOutputBytes'> {
  return {
    ...(timeoutMs !== undefined && { timeoutMs: Math.min(timeoutMs, maxSnippetTimeoutMs) }),
    ...(maxOutputBytes !== undefined && { maxOutputBytes: Math.min(maxOutputBytes, defaultMaxSnippetBytes) }),
  };
}
