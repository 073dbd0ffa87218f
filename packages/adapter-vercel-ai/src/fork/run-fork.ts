import { SkillError } from '@repertoire/skills-core';
import { forkResultText, type SkillFork, type SkillToolResult } from '@repertoire/skills-core/adapter';
import { forkHandedBack, forkFailureText } from '@repertoire/skills-core/internal';
import type { AiSdkFork, AiSdkForkRun } from '../ai-sdk-skills-options.ts';

/** The tool call that a fork answers. */
export type ForkCall = Omit<AiSdkForkRun, 'skills' | 'allSkills'>;

/** Runs a fork, with skills for the agent that does the work. */
export type RunFork = (fork: SkillFork, call: ForkCall) => ReturnType<AiSdkFork>;

/** Loads a skill whose agent cannot ask a person. `change` is applied before recording. */
export type LoadHere = (change: (loaded: SkillToolResult) => SkillToolResult) => Promise<SkillToolResult>;

/**
 * The texts of a load call that a forked skill answers: the text of its agent so far, then the
 * whole answer. If that agent stops with `needs-approval`, the skill is loaded in the conversation.
 * If it fails, the failure is the answer. Only an abort is thrown.
 */
export async function* forkText(fork: SkillFork, run: RunFork, call: ForkCall, loadHere: LoadHere): AsyncGenerator<string> {
  let answer = '';
  try {
    const running = run(fork, call);
    if (Symbol.asyncIterator in running) {
      for await (const soFar of running) {
        answer = soFar;
        yield forkResultText(fork.skill, answer, { partial: true });
      }
    } else answer = await running;
  } catch (error) {
    call.abortSignal?.throwIfAborted();
    if (SkillError.isInstance(error) && error.code === 'needs-approval')
      yield (await loadHere((loaded) => forkHandedBack(loaded, fork.skill, error.message))).text;
    else yield forkFailureText(fork.skill, error);
    return;
  }
  call.abortSignal?.throwIfAborted();
  yield forkResultText(fork.skill, answer);
}

/** The last of these texts. */
export async function forkAnswer(fork: SkillFork, run: RunFork, call: ForkCall, loadHere: LoadHere): Promise<string> {
  let last = '';
  for await (const text of forkText(fork, run, call, loadHere)) last = text;
  return last;
}
