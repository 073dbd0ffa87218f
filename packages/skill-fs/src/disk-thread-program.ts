import { parentPort, workerData } from 'node:worker_threads';
import { SkillError } from '@repertoire/skills-core';
import type { SkillListing } from '@repertoire/skills-core/provider';
import type { FromThread, ToThread } from './disk-thread.ts';
import type { FileSystemSkillProviderOptions } from './file-system-skill-provider-options.ts';
import { FolderSkills } from './folder-skills.ts';

const skills = new FolderSkills(workerData as FileSystemSkillProviderOptions, true);
const controllers = new Map<number, AbortController>();
let told: SkillListing | null = null;
let unsubscribe: (() => void) | null = null;

parentPort?.on('message', (message: ToThread) => {
  if ('abort' in message) controllers.get(message.abort)?.abort();
  else if ('watch' in message) {
    unsubscribe?.();
    unsubscribe = message.watch ? skills.subscribe(() => tell({ changed: true })) : null;
  } else if ('close' in message) void skills.close().then(() => tell({ closed: true }));
  else void answer(message);
});
tell({ ready: true });

async function answer({ id, method, given }: Extract<ToThread, { readonly id: number }>): Promise<void> {
  const controller = new AbortController();
  controllers.set(id, controller);
  try {
    const value: unknown = await skills.ask(method, given as never, controller.signal);
    const isSameListing = method === 'list' && value === told;
    if (method === 'list') told = value as SkillListing;
    tell(isSameListing ? { id, isSameListing } : { id, value });
  } catch (error) {
    const isOurs = SkillError.isInstance(error);
    const about = isOurs ? { skill: error.skill, path: error.path, source: error.source } : {};
    tell({ id, error: { ...(isOurs && { code: error.code }), message: isOurs ? error.message : String(error), about } });
  } finally {
    controllers.delete(id);
  }
}

function tell(message: FromThread): void {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a port of a thread has none
  parentPort?.postMessage(message);
}
