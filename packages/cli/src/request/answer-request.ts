import { skillScripts } from '@repertoire/skill-runner/scripts';
import { createSkillset, type SkillProvider } from '@repertoire/skills-core';
import type { SkillRunner } from '@repertoire/skills-core/provider';
import type { LanguageModel } from 'ai';
import { printable, type CommandReport } from '../commands/command.ts';
import { importOptional } from '../optional/import-optional.ts';
import { oneLine } from '../text/one-line.ts';
import type { InputFiles } from './read-input-files.ts';

/** A request, and what answers it. */
export interface AnswerOptions {
  readonly provider: SkillProvider;
  readonly request: string;
  readonly model: LanguageModel;
  /** Runs scripts; without it none runs. */
  readonly runner: SkillRunner | undefined;
  /** Files of the person for scripts, by the path that a script sees them at. */
  readonly inputs: InputFiles;
  readonly maxSteps: number;
  readonly signal: AbortSignal;
  readonly report: CommandReport;
  /** Gets the answer as it is written. */
  readonly onText: (text: string) => void;
}

/** What came of a request. */
export interface Answer {
  readonly text: string;
  /** Skills that were loaded, in their order. */
  readonly loaded: readonly string[];
  readonly steps: number;
  readonly finishReason: string;
  readonly usage: { readonly inputTokens: number; readonly outputTokens: number };
}

const instructions = 'You are a helpful assistant. Use the skills that fit the request.';

/** A model knows of a file only what it is told. Names of files are the person's own words. */
function instructionsFor(inputs: InputFiles): string {
  const names = Object.keys(inputs);
  if (names.length === 0) return instructions;
  return `${instructions} The user gave files that scripts find at these paths: ${names.map((name) => JSON.stringify(`inputs/${name}`)).join(', ')}.`;
}

/** Lets a model answer a request with skills, and tells each step as it happens. */
export async function answerRequest(options: AnswerOptions): Promise<Answer> {
  const { streamText, stepCountIs } = await importOptional('ai', 'Running a request needs', () => import('ai'));
  const { aiSdkSkills } = await importOptional(
    ['@repertoire/adapter-vercel-ai', 'ai'],
    'Running a request needs',
    () => import('@repertoire/adapter-vercel-ai'),
  );
  const { provider, request, model, runner, inputs, maxSteps, signal, report, onText } = options;
  const scripts =
    runner === undefined
      ? 'Scripts cannot be run here: read them instead, and say what they would do.'
      : skillScripts(runner, { inputs: () => inputs });
  const skillset = createSkillset({ provider, scripts });
  const { load } = skillset.toolNames;
  await using skills = await aiSdkSkills(skillset, { signal, onDiagnostic: (diagnostic) => report.diagnostic(diagnostic) });
  report.progress('Waiting for the model…');
  const stream = streamText({
    model,
    ...skills.agentSettings({ instructions: instructionsFor(inputs) }),
    prompt: request,
    stopWhen: stepCountIs(maxSteps),
    abortSignal: signal,
    // Errors are thrown below, where the stream tells of them.
    onError: () => undefined,
  });
  const print = wholeCharacters((text) => {
    report.clearProgress();
    onText(printable(text));
  });
  const loaded: string[] = [];
  let text = '';
  let isInLine = false;
  for await (const part of stream.fullStream) {
    signal.throwIfAborted();
    if (part.type === 'text-delta') {
      text += part.text;
      print(part.text);
      isInLine = !part.text.endsWith('\n');
    } else if (part.type === 'tool-call') {
      if (isInLine) onText('\n');
      isInLine = false;
      const input = (part.input ?? {}) as Readonly<Record<string, unknown>>;
      if (part.toolName === load && typeof input['name'] === 'string') loaded.push(input['name']);
      report.note(`· ${part.toolName} ${oneLine(JSON.stringify(input), 120)}`);
      report.progress('Waiting for the model…');
    } else if (part.type === 'tool-error') report.note(`· ${part.toolName} failed: ${oneLine(String(part.error), 200)}`);
    else if (part.type === 'error') throw part.error;
  }
  if (isInLine) onText('\n');
  const [steps, usage, finishReason] = await Promise.all([stream.steps, stream.totalUsage, stream.finishReason]);
  return {
    text,
    loaded,
    steps: steps.length,
    finishReason,
    usage: { inputTokens: usage.inputTokens ?? 0, outputTokens: usage.outputTokens ?? 0 },
  };
}

/** A stream may cut a character into its halves; they are printed together. */
function wholeCharacters(print: (text: string) => void): (text: string) => void {
  let left = '';
  return (text) => {
    const all = left + text;
    const isCut = /[\uD800-\uDBFF]$/.test(all);
    left = isCut ? all.slice(-1) : '';
    const whole = isCut ? all.slice(0, -1) : all;
    if (whole !== '') print(whole);
  };
}
