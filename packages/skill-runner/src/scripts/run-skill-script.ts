import { SkillError, type Skill } from '@repertoire/skills-core';
import type { SkillTool } from '@repertoire/skills-core/adapter';
import {
  assertInForce,
  identityOf,
  isInterrupt,
  listWords,
  makeTool,
  nearNames,
  quoteWord,
  readPinnedFiles,
  spanAttributes,
  tellProgress,
  type SkillToolHost,
  normalizeResourcePath,
  listOf,
} from '@repertoire/skills-core/internal';
import { isResourcePath, type SkillRunner, type SkillRunRequest, type SkillRunResult } from '@repertoire/skills-core/provider';
import { isScript } from './list-scripts.ts';
import { formatScriptResult } from './format-script-result.ts';
import { onlyReadable } from './only-readable.ts';
import { describeScriptTool } from '../prompt/script-texts.ts';
import type { SkillScriptsOptions } from './skill-scripts.ts';

/**
 * Makes the tool `run_skill_script`, which runs a script of a loaded, trusted skill. Its output is
 * content.
 */
export function runSkillScriptTool(host: SkillToolHost, runner: SkillRunner, options: SkillScriptsOptions): SkillTool {
  const { asksPerson, audience, doors, events, limits, names } = host;
  const tool = names.runScript;
  return makeTool(events, describeScriptTool(names), async (fields, context, span) => {
    const asked = fields.requiredText('skill', 'skill_id', 'skill_name', 'name');
    const inUse = await doors.inUse(asked, context);
    const { skill, grants } = inUse;
    if (inUse.loaded === undefined) throw notLoaded(skill.name, names.load);
    span.set(spanAttributes(skill));
    if (!grants.has('scripts')) throw notGranted(skill.name, asksPerson ? names.load : undefined);
    const script = scriptOf(skill, fields.requiredText('script', 'path', 'script_path'), options.extensions);
    await audience.assertAllowed('load', skill);
    await audience.assertAllowed('read', skill, script);
    await host.assertCallAllowed(
      context.state,
      { tool, input: { skill: skill.name, script } },
      { tool, input: fields.given, id: context.callId },
    );
    await assertInForce(host, inUse, context);
    const pinned = await readPinnedFiles(host, inUse, { signal: context.signal });
    const { files, digest } = await onlyReadable(host, skill, pinned);
    const { env, timeoutMs, maxOutputBytes } = options;
    tellProgress(context, `${skill.name} ${script}: started`);
    const result = await runWith(runner, {
      skill,
      digest,
      files,
      script,
      arguments: listOf(fields, 'arguments', 'args'),
      stdin: fields.optionalText('stdin', 'input'),
      inputs: await options.inputs?.(skill),
      env,
      timeoutMs,
      maxOutputBytes,
      signal: context.signal,
    });
    const { exitCode, endedBy, durationMs } = result;
    const confinement = result.confinement.kind;
    tellProgress(
      context,
      `${skill.name} ${script}: ${endedBy === 'exit' ? `ended with exit code ${exitCode}` : `ended by its limit (${endedBy})`}`,
    );
    events.emit({ type: 'script_run', path: script, exitCode, endedBy, confinement, durationMs, digest, ...identityOf(skill) });
    return { text: formatScriptResult(result, { skill: skill.name, script, maxCharacters: limits.maxResourceCharacters }), events: [] };
  });
}

function scriptOf(skill: Skill, given: string, extensions: readonly string[] | undefined): string {
  const scripts = skill.resources.filter((entry) => isScript(entry, extensions)).map(({ path }) => path);
  const normalized = normalizeResourcePath(given);
  const inside = normalized.startsWith(`${skill.name}/`) ? normalized.slice(skill.name.length + 1) : normalized;
  const candidates = [given, normalized, inside, `scripts/${inside}`];
  const found = candidates.find((candidate) => isResourcePath(candidate) && scripts.includes(candidate));
  if (found !== undefined) return found;
  const near = nearNames(inside, scripts);
  const didYouMean = near.length === 0 ? '' : ` Did you mean ${near.map(quoteWord).join(' or ')}?`;
  const what = scripts.length === 0 ? 'It has no scripts.' : `Its scripts: ${listWords(scripts)}.`;
  throw new SkillError('resource-not-found', `Skill ${quoteWord(skill.name)} has no script ${quoteWord(given)}.${didYouMean} ${what}`, {
    skill: skill.name,
    path: given,
  });
}

async function runWith(runner: SkillRunner, request: SkillRunRequest): Promise<SkillRunResult> {
  try {
    return await runner.run(request);
  } catch (thrown) {
    if (SkillError.isInstance(thrown) || isInterrupt(thrown)) throw thrown;
    request.signal?.throwIfAborted();
    // Its words may tell of the host, so only the cause carries them.
    throw new SkillError(
      'runner-failed',
      'The script was not run: the runner failed. Try once more; if it fails again, go on without it and say so.',
      {
        skill: request.skill.name,
        cause: thrown,
      },
    );
  }
}

function notLoaded(skill: string, load: string): SkillError {
  return new SkillError('not-loaded', `Skill ${quoteWord(skill)} is not loaded. Call ${load} first, and read what its scripts are for.`, {
    skill,
  });
}

/** @param load the tool that asks a person, if one can be asked */
function notGranted(skill: string, load: string | undefined): SkillError {
  return new SkillError(
    'permission-denied',
    `Scripts of skill ${quoteWord(skill)} are not run: ${load === undefined ? 'its source is not trusted' : `no person approved that. Call ${load} again to ask`}. They can be read.`,
    { skill },
  );
}
