import type { SkillMetadata } from './skill-provider.ts';

/**
 * The seam between skills and whatever executes their scripts. The core never executes anything: a
 * host that wants scripts to run chooses a {@link SkillRunner} and says for which sources.
 * Implementations are in `@repertoire/skill-runner`.
 *
 * Rules that hold for every runner:
 *
 * - **Digest first.** The runner computes `skillDigest(files)` and refuses with `digest-mismatch`
 *   when it differs from `digest`. It executes the bytes that it checked, not bytes that it reads
 *   again.
 * - **A fresh copy.** Every run has its own copy of the files. Nothing that a run writes is seen by
 *   the next one.
 * - **Arguments are data.** `arguments` and `stdin` never become part of a command line that a
 *   shell parses.
 * - **Empty environment.** The script sees `env`, and what the runner needs to find programs
 *   (`PATH`, `HOME`, `LANG`). It sees nothing of the host's environment unless the host configured
 *   the runner so.
 * - **Bounded.** Time, output and written files have limits, with defaults. A run that hits one is
 *   ended and still returns a result.
 * - **A script that fails is a result**, with its exit code. The promise rejects only when the
 *   script was not run (`SkillError`) or the signal was aborted (the signal's reason).
 */
export interface SkillRunner {
  /** Names the runner for people: in results, errors and approvals. */
  readonly label: string;
  /**
   * Runs one script or command and waits until it has ended.
   *
   * @throws {SkillError} `digest-mismatch` when the files are not those that `digest` names
   * @throws {SkillError} `resource-not-found` when there is no such script or folder among the
   *   files
   * @throws {SkillError} `unsupported` when the runner cannot run this kind of script, or lacks the
   *   confinement that the host requires
   * @throws {SkillError} `permission-denied` when a person or a policy refused
   * @throws {SkillError} `invalid-input` for a NUL character in an argument, and for input files
   *   that would replace files of the skill
   * @throws {SkillError} `limit-exceeded` when files, arguments or standard input are larger than
   *   the runner takes
   * @throws {SkillError} `runner-failed` when the runner could not start the script or lost it
   */
  run(request: SkillRunRequest): Promise<SkillRunResult>;
}

/** What a run is about: a file of the skill, or a command from its body. */
export type SkillRunRequest = SkillScriptRequest | SkillCommandRequest;

/** Runs a file of the skill. */
export interface SkillScriptRequest extends SkillRunOptions {
  /** Path of the script in the skill, such as `scripts/profile.py`. */
  readonly script: string;
  readonly command?: undefined;
  readonly project?: undefined;
}

/** Runs a line of shell that the skill's author wrote, never text of a model or a user. */
export interface SkillCommandRequest extends SkillRunOptions {
  /** The command line. `arguments` become its positional parameters (`$1`, `$2` …). */
  readonly command: string;
  readonly script?: undefined;
  /**
   * Absolute path of a folder of the host, in which the command starts. A confined command sees it
   * at this path, read-only. The variable `SKILL_DIR` then holds the folder of the skill's copy. A
   * runner that cannot show the folder refuses with `unsupported`.
   * @default the command starts in the skill's own folder and sees nothing of the host
   */
  readonly project?: string | undefined;
}

/** What every run needs. */
export interface SkillRunOptions {
  /** The skill that the script belongs to. */
  readonly skill: Pick<SkillMetadata, 'name' | 'version' | 'origin'>;
  /** `skillDigest(files)`, taken when the skill was loaded or approved. */
  readonly digest: string;
  /** All files of the skill by path. */
  readonly files: Readonly<Record<string, Uint8Array>>;
  /**
   * Further files that the host hands to the script, such as an upload, by path inside the folder
   * `inputs` of the working copy: no program looks for code there. They are not part of the digest.
   * A skill that has such a folder itself gets none.
   * @default none
   */
  readonly inputs?: Readonly<Record<string, Uint8Array>> | undefined;
  /** Arguments, one an element. @default none */
  readonly arguments?: readonly string[] | undefined;
  /** Standard input. @default empty */
  readonly stdin?: string | Uint8Array | undefined;
  /** Environment variables, from the host and never from a model. @default none */
  readonly env?: Readonly<Record<string, string>> | undefined;
  /** Folder of the skill to start in, such as `scripts`. @default the skill's own folder */
  readonly cwd?: string | undefined;
  /** Ends the run after so many milliseconds. @default the runner's */
  readonly timeoutMs?: number | undefined;
  /** The most bytes of standard output and standard error together. @default the runner's */
  readonly maxOutputBytes?: number | undefined;
  /** Ends the run; `run` then rejects with the signal's reason. @default never aborted */
  readonly signal?: AbortSignal | undefined;
}

/** How a run went. */
export interface SkillRunResult {
  /** The exit code; 128 + n after signal n; `null` when the runner ended it (`endedBy`). */
  readonly exitCode: number | null;
  /** Why the run ended: by itself, or by a limit of time, output or written files. */
  readonly endedBy: 'exit' | 'timeout' | 'output' | 'files';
  /** Standard output as text. Bytes that are not UTF-8 are read as U+FFFD. */
  readonly stdout: string;
  /** Standard error as text. */
  readonly stderr: string;
  /** Whether output was left out. */
  readonly truncated: boolean;
  /** How long the run took, in milliseconds. */
  readonly durationMs: number;
  /** Files that the script made or changed, in ascending order of path. */
  readonly filesWritten: readonly SkillWrittenFile[];
  /** What the script was kept from. */
  readonly confinement: SkillConfinement;
}

/** A file that a script made or changed. */
export interface SkillWrittenFile {
  /** Path in the working copy. */
  readonly path: string;
  /** Size in bytes. */
  readonly size: number;
  /** The content; `null` when the runner's limits left no room for it. */
  readonly bytes: Uint8Array | null;
}

/** What a run could not do, whatever the script tried. */
export interface SkillConfinement {
  /** `bubblewrap`, `namespaces`, `none`, `just-bash`, `quickjs`, or a word of your own. */
  readonly kind: string;
  /** What was held. Whatever is missing here was open. */
  readonly holds: readonly SkillConfinementAspect[];
}

/**
 * One thing that a script may be kept from.
 *
 * - `network`: reaching any other machine, and servers on this one
 * - `host-reads`: reading files of the host besides system programs and libraries
 * - `host-writes`: writing outside its copy and its temporary folder
 * - `environment`: reading environment variables of the host's process
 * - `processes`: leaving processes behind
 * - `system-calls`: calls to the kernel that reach past its walls, such as those for the keyrings
 *   of the host
 * - `process-count`: starting processes without limit
 * - `memory`: taking memory without limit, for each process
 * - `file-size`: writing a file without limit
 * - `disk`: taking disk, or the kernel's memory, without limit by any number of files
 */
export type SkillConfinementAspect =
  | 'network'
  | 'host-reads'
  | 'host-writes'
  | 'environment'
  | 'processes'
  | 'system-calls'
  | 'process-count'
  | 'memory'
  | 'file-size'
  | 'disk';
