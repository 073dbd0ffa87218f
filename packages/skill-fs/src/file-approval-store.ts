import { readFile, rename, rm, writeFile } from 'node:fs/promises';
import { SkillError, type SkillApprovalStore } from '@repertoire/skills-core';

/** A store of approvals in one file. */
export interface FileApprovalStore extends SkillApprovalStore {
  /** Every answer, by its key. */
  list(): Promise<ReadonlyMap<string, unknown>>;
}

/**
 * Keeps what people approved in one JSON file, which `repertoire approvals` lists and revokes. It
 * is read at each question, so a revocation counts at once. Within a process, one of several takers
 * gets an answer. One process writes to it at a time; use a database for several.
 *
 * @param file its path; it is made when the first answer is kept
 * @throws {SkillError} `invalid-skill` from its methods for a file that is none
 * @example
 * ```ts
 * import { createSkillset, skillApprovals, type SkillProvider } from '@repertoire/skills-core';
 * import { fileApprovalStore } from '@repertoire/skill-fs';
 *
 * export const skillsetOf = (provider: SkillProvider) =>
 *   createSkillset({ provider, approvals: skillApprovals({ store: fileApprovalStore('.repertoire/approvals.json') }) });
 * ```
 */
export function fileApprovalStore(file: string): FileApprovalStore {
  let last: Promise<unknown> = Promise.resolve();
  let waiting: ((answers: Map<string, unknown>) => void)[] = [];
  const read = async (): Promise<Map<string, unknown>> => {
    const text = await readFile(file, 'utf8').catch((error: unknown) => {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
      throw error;
    });
    return text === undefined ? new Map() : parse(text, file);
  };
  const write = async (edits: typeof waiting): Promise<void> => {
    const answers = await read();
    for (const edit of edits) edit(answers);
    const temporary = `${file}.${crypto.randomUUID()}.tmp`;
    const text = `${JSON.stringify({ approvalsVersion: 1, answers: Object.fromEntries(answers) }, null, 2)}\n`;
    await writeFile(temporary, text, { flag: 'wx', mode: 0o600 });
    await rename(temporary, file).catch(async (error: unknown) => {
      await rm(temporary, { force: true });
      throw error;
    });
  };
  let next: Promise<void> | undefined;
  /** Writes come one after another, each whole, with all that was asked for until it begins. */
  const change = (edit: (answers: Map<string, unknown>) => void): Promise<void> => {
    waiting.push(edit);
    next ??= last.then(() => {
      const edits = waiting;
      waiting = [];
      next = undefined;
      return write(edits);
    });
    last = next.catch(() => undefined);
    return next;
  };
  return {
    list: read,
    get: async (key) => (await read()).get(key),
    set: (key, value) => change((answers) => void answers.set(key, JSON.parse(value))),
    delete: (key) => change((answers) => void answers.delete(key)),
    async take(key) {
      let taken: unknown;
      await change((answers) => {
        taken = answers.get(key);
        answers.delete(key);
      });
      return taken;
    },
    keys: async (prefix) => [...(await read()).keys()].filter((key) => key.startsWith(prefix)),
  };
}

function parse(text: string, file: string): Map<string, unknown> {
  try {
    const { approvalsVersion, answers } = JSON.parse(text) as { approvalsVersion?: unknown; answers?: unknown };
    if (approvalsVersion === 1 && typeof answers === 'object' && answers !== null) return new Map(Object.entries(answers));
  } catch {
    // As below.
  }
  throw new SkillError('invalid-skill', `${file} is no file of approvals. Restore it, or remove it: then everything is asked again.`, {
    path: file,
  });
}
