import { assertKnownOptions } from '../../contract/known-options.ts';
import { isTrusted } from '../../contract/is-trusted.ts';
import type { Skill } from '../../contract/skill-provider.ts';
import type { SkillRunner } from '../../contract/skill-runner.ts';
import { SkillError } from '../../errors/skill-error.ts';
import { insideElement, oneLine } from '../../prompt/escape.ts';
import { frame } from '../../prompt/frames.ts';
import { scriptsText, snippetNotKeptText } from '../../prompt/script-texts.ts';
import { applyArguments } from '../arguments/apply-arguments.ts';
import { describeScripts, isScript } from './describe-scripts.ts';
import { expandSnippets } from './expand-snippets.ts';
import { findSnippets } from './find-snippets.ts';
import { readSkillFiles } from './read-skill-files.ts';
import { runSkillScriptTool } from './run-skill-script.ts';
import type { ToolEnvironment } from '../tool-environment.ts';
import type { SkillScriptsOptions } from './skill-scripts-options.ts';
import type { SkillScripts } from './skill-scripts.ts';

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
export function skillScripts(runner: SkillRunner, options: SkillScriptsOptions = {}): SkillScripts<ToolEnvironment> {
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
      return frame(
        'skill_scripts',
        {},
        [scriptsText(skill.name, names.runScript), ...lines.map((line) => insideElement(oneLine(line)))].join('\n'),
      );
    },

    hasSnippets: (skill) => isTrusted(skill) && snippetsOf(skill).length > 0,

    async expand({ provider }, skill, given, signal) {
      const { files, digest } = await readSkillFiles(provider, skill, { signal });
      const substitute = (body: string): string => applyArguments({ ...skill, body }, given);
      return await expandSnippets(skill.body, { runner, skill, files, digest, substitute, ...(env !== undefined && { env }), signal });
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
