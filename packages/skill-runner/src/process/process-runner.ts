import { SkillError } from '@repertoire/skills-core';
import { abortable, type SkillRunner, type SkillRunRequest, type SkillRunResult } from '@repertoire/skills-core/provider';
import { randomUUID } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { checkRequest, type CheckedRequest } from '../request/check-request.ts';
import { endMarked, endProcessesOf, markVariable, removeLeftFiles } from './end-leftovers.ts';
import { interpreterOf, type ScriptInterpreter } from './interpreters.ts';
import { processHost, type ProcessHost, type UsableInterpreter } from './process-host.ts';
import { assertReadable, openProject } from './open-project.ts';
import { cpuSecondsFor, processSettings, type ProcessRunnerOptions, type ProcessSettings } from './process-runner-options.ts';
import { projectVariables } from '../request/project-variables.ts';
import { neutralGitConfig } from './neutral-git-config.ts';
import { runConfined } from './run-confined.ts';
import { removeCopy } from './remove-copy.ts';
import type { RunUser } from './run-user.ts';
import { makeWorkingCopy, removeUntouched, type WorkingCopy } from './working-copy.ts';

/**
 * Runs scripts as processes of the system. On Linux they are confined by bubblewrap or by
 * namespaces of util-linux, which is tested, never assumed. On macOS, and on Linux if neither
 * works, it runs plain processes, and only with `requireConfinement: false`. Windows is not
 * supported.
 *
 * `docs/guide/scripts.md` says what each confinement prevents and what it does not.
 *
 * @throws {SkillError} `invalid-options` for options that cannot work
 * @example
 * ```ts
 * import { processRunner } from '@repertoire/skill-runner/process';
 * import type { SkillRunner } from '@repertoire/skills-core/provider';
 *
 * export const runner: SkillRunner = processRunner({ timeoutMs: 20_000, env: { TZ: 'UTC' } });
 * ```
 */
export function processRunner(options: ProcessRunnerOptions = {}): SkillRunner {
  const settings = processSettings(options);
  const host = processHost(settings);
  return { label: settings.label, run: (request) => runRequest(request, settings, host) };
}

async function runRequest(request: SkillRunRequest, settings: ProcessSettings, host: ProcessHost): Promise<SkillRunResult> {
  const { label, processLimits, temporaryFolder, onDiagnostic } = settings;
  const { script, signal } = request;
  const skill = request.skill.name;
  if (process.platform === 'win32')
    throw new SkillError('unsupported', 'processRunner does not run on Windows. Use justBashRunner or wasmRunner, or run the host in WSL.');
  if (process.platform !== 'linux' && process.getuid?.() === 0)
    throw new SkillError(
      'unsupported',
      'processRunner gives scripts of root a user of their own on Linux only. Run the host as another user.',
    );
  const failed = (why: string, cause?: unknown): SkillError => {
    const message = `${label} could not run ${script ?? 'a command'} of skill ${JSON.stringify(skill)}: ${why}. Try again; if it stays so, look at the machine.`;
    return new SkillError('runner-failed', message, { skill, ...(script !== undefined && { path: script }), cause });
  };
  const orFail =
    (why: string) =>
    (cause: unknown): never => {
      throw SkillError.isInstance(cause) ? cause : failed(why, cause);
    };
  const warn = (code: string, message: string, about: { readonly path?: string } = {}): void =>
    onDiagnostic({ code, severity: 'warning', message, skill, ...about });

  const checked = await checkRequest(request, label, settings.limits);
  const candidates = interpretersFor(request, checked, settings);
  // Trying may take seconds if something hangs, so callers can abort the wait.
  const confinement = await abortable(() => host.confinement().catch(orFail('its confinement could not be tried')), signal);
  const interpreter = await host.interpreter(candidates, confinement).catch(orFail('its interpreter could not be tried'));
  signal?.throwIfAborted();
  const project = checked.project === null ? null : await openProject(checked.project, temporaryFolder);
  if (confinement.ownDisk !== null) assertFits(request, checked, settings);
  await host.clean();

  /** The user of this run alone, if the host is root. */
  const user = await host.takeUser();
  let copy: WorkingCopy;
  try {
    if (project !== null) await assertReadable(project, user);
    copy = await makeWorkingCopy(checked.files, temporaryFolder, user).catch(orFail('its files could not be copied'));
  } catch (error) {
    user?.release(false);
    throw error;
  }

  let hasSurvivors = false;
  const mark = randomUUID();
  /** Ends what a plain process has left running, and removes what it left elsewhere. */
  const endLeftovers = async (): Promise<void> => {
    const { found, ended } = user === null ? await endMarked(mark) : await endProcessesOf(user);
    if (!ended) {
      hasSurvivors = true;
      throw failed('its processes could not be ended');
    }
    if (user !== null) await removeLeftFiles(user);
    if (found > 0)
      warn('run-processes-left', `${found} processes of ${script ?? 'a command'} tried to outlive it and were ended. Run it confined.`);
  };

  try {
    const [skillFolder, temporary] = [confinement.skillFolder(copy), confinement.temporaryFolder(copy)];
    const readable = [...settings.readablePaths, ...interpreter.readable, ...(project === null ? [] : [project])];
    const covered = project === null || confinement.kind === 'none' ? [] : await coverGitConfig(project, copy, readable, user);
    const began = performance.now();
    let durationMs = 0;
    const end = await runConfined(confinement, {
      copy,
      originals: checked.files,
      cwd: project ?? checked.cwd,
      readable,
      covered,
      limits: { ...processLimits, cpuSeconds: cpuSecondsFor(checked.timeoutMs) },
      argv: commandLine(request, checked, interpreter, skillFolder),
      env: {
        PATH: [...new Set([path.dirname(interpreter.command), '/usr/local/bin', '/usr/bin', '/bin'])].join(':'),
        HOME: temporary,
        TMPDIR: temporary,
        LANG: 'C.UTF-8',
        // Many scripts import modules from the skill's own folder.
        PYTHONPATH: skillFolder,
        ...(confinement.kind === 'none' && user === null && { [markVariable]: mark }),
        ...(project !== null && projectVariables(project, skillFolder)),
        ...settings.env,
        ...checked.env,
      },
      owner: user,
      stdin: checked.stdin,
      timeoutMs: checked.timeoutMs,
      maxOutputBytes: checked.maxOutputBytes,
      signal,
      async onEnded() {
        durationMs = Math.round(performance.now() - began);
        // What comes is done to files of the script, so it waits until nothing of the script is
        // alive.
        if (confinement.kind === 'none') await endLeftovers();
      },
    }).catch((cause: unknown) => {
      signal?.throwIfAborted();
      return orFail('the process could not be started')(cause);
    });
    if (end.aborted) signal?.throwIfAborted();
    if (end.endedBy === 'exit' && !end.started) throw failed('its confinement failed', new Error(`exit ${end.exitCode}: ${end.stderr}`));
    const { exitCode, endedBy, stdout, stderr, truncated, filesWritten, holds } = end;
    return { exitCode, endedBy, stdout, stderr, truncated, durationMs, filesWritten, confinement: { kind: confinement.kind, holds } };
  } finally {
    await (confinement.ownDisk === null ? removeCopy(copy.base, user) : removeUntouched(copy.base)).then(
      () => hasSurvivors || user?.release(confinement.kind === 'none'),
      (cause: unknown) => warn('run-copy-left', `The copy ${copy.base} could not be removed: ${String(cause)}`, { path: copy.base }),
    );
  }
}

/** @throws {SkillError} `limit-exceeded` if the files do not fit on the file system of a run */
function assertFits({ skill }: SkillRunRequest, { files }: CheckedRequest, { processLimits, label }: ProcessSettings): void {
  // A file takes whole pages.
  const bytes = [...files.values()].reduce((sum, { length }) => sum + Math.ceil(length / 4_096) * 4_096, 0);
  if (bytes <= processLimits.maxFolderBytes && files.size <= processLimits.maxFolderEntries) return;
  const message = `The ${files.size} files of skill ${JSON.stringify(skill.name)} and its inputs take ${bytes} bytes, and a run of ${label} has room for less. Raise maxFolderBytes or maxFolderEntries.`;
  throw new SkillError('limit-exceeded', message, { skill: skill.name });
}

/** Writes the neutral configuration, and returns the files of the repository that it replaces. */
async function coverGitConfig(
  project: string,
  { base }: WorkingCopy,
  readable: readonly string[],
  user: RunUser | null,
): Promise<readonly string[]> {
  const neutral = await neutralGitConfig(project, user);
  if (neutral === null) return [];
  await writeFile(path.join(base, 'covering'), neutral.text, { mode: 0o644 });
  return neutral.places.filter((place) => readable.some((folder) => place.startsWith(`${folder}/`)));
}

function interpretersFor(
  { script }: SkillRunRequest,
  { files }: CheckedRequest,
  { interpreters, shells, label }: ProcessSettings,
): readonly ScriptInterpreter[] {
  if (script !== undefined) return [interpreterOf(script, files.get(script) ?? new Uint8Array(), interpreters)];
  if (shells.length === 0)
    throw new SkillError('unsupported', `${label} runs no command lines: the host allows no shell. Only scripts can be run.`);
  return shells;
}

function commandLine(
  { script, command }: SkillRunRequest,
  checked: CheckedRequest,
  interpreter: UsableInterpreter,
  folder: string,
): string[] {
  const start = [interpreter.command, ...interpreter.arguments];
  return script === undefined
    ? [...start, '-c', '--', command ?? '', 'skill', ...checked.arguments]
    : [...start, path.posix.join(folder, script), ...checked.arguments];
}
