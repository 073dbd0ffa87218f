import { Option, type Command } from 'commander';
import { openModel } from '../model/open-model.ts';
import { answerRequest } from '../request/answer-request.ts';
import { readInputFiles } from '../request/read-input-files.ts';
import { checkRunnerOptions, scriptRunner } from '../request/script-runner.ts';
import { openSource } from '../source/open-source.ts';
import { sourceHelp } from '../source/source-word.ts';
import { count } from '../text/count.ts';
import { parseWhole } from '../text/parse-whole.ts';
import { runCommand, type CommandIo } from './command.ts';
import { wrongUsage } from '../text/wrong-usage.ts';

interface RunCommandOptions {
  readonly skills?: readonly string[];
  readonly model?: string;
  readonly runner?: 'process' | 'just-bash';
  readonly yes?: boolean;
  readonly unconfined?: boolean;
  readonly file?: readonly string[];
  readonly maxSteps: number;
  readonly json?: boolean;
}

/** `repertoire run`: a request, a folder of skills and a model, without a program around them. */
export function runRequestCommand(command: Command, io: CommandIo): void {
  command
    .description(
      'Lets a model answer a request with skills. The answer goes to stdout as it is written, what the model does to stderr.\nThe model is named by --model or REPERTOIRE_MODEL; its key comes from the environment, such as ANTHROPIC_API_KEY, or AI_GATEWAY_API_KEY for every provider.',
    )
    .argument('<request>', 'what you want')
    .option('--skills <sources...>', 'folders, archives, URLs, MCP servers or storage; else the places where agents keep skills')
    .option('--model <model>', 'anthropic/…, openai/…, or a module that exports a model: ./model.mjs')
    .addOption(
      new Option(
        '--runner <kind>',
        'run scripts of trusted skills: confined processes, or a shell in memory; you are asked before each',
      ).choices(['process', 'just-bash']),
    )
    .option('--yes', 'with --runner: approve every script beforehand')
    .option('--unconfined', 'with --runner process: run scripts also where nothing confines them')
    .option('--file <files...>', 'with --runner: give scripts a copy of these files, at their paths; name=file for another path')
    .addOption(new Option('--max-steps <count>', 'calls of the model at most').argParser(parseWhole(1, 200)).default(20))
    .addHelpText('after', `${sourceHelp}${helpFooter}`)
    .action((request: string, options: RunCommandOptions) =>
      runCommand(io, options, async (report) => {
        if (request.trim() === '') throw wrongUsage('The request is empty. Say what you want.');
        checkRunnerOptions(options);
        const inputs = await readInputFiles(options.file ?? [], io.cwd);
        const { id, model } = await openModel(options.model, io);
        // With digests, what is loaded is pinned: a script that changes after its load does not
        // run.
        await using source = await openSource(options.skills ?? [], io, report, { digests: true });
        const { runner: kind, yes = false, unconfined = false, maxSteps } = options;
        const runner = kind === undefined ? undefined : await scriptRunner({ kind, isApproved: yes, isUnconfined: unconfined }, io, report);
        const onText = (text: string): unknown => (options.json === true ? undefined : io.stdout.write(text));
        const answer = await answerRequest({
          provider: source.provider,
          request,
          model,
          runner,
          inputs,
          maxSteps,
          signal: io.signal,
          report,
          onText,
        });
        const { steps, usage, finishReason, loaded } = answer;
        report.note(
          `${count(steps, 'step')}, ${usage.inputTokens} tokens in, ${usage.outputTokens} out; skills loaded: ${loaded.length === 0 ? 'none' : loaded.join(', ')}.`,
        );
        const isCut = finishReason === 'tool-calls';
        if (isCut) report.note(`The model was not done after ${count(steps, 'step')}. Raise --max-steps.`);
        return { summary: '', data: { model: id, ...answer }, hasFindings: isCut };
      }),
    );
}

const helpFooter = `
Examples:
  repertoire run "review src/query.sql" --skills ./skills --model anthropic/claude-sonnet-4-5
  repertoire run "profile data.csv" --skills ./skills --runner process --file data.csv
  REPERTOIRE_MODEL=openai/gpt-5 repertoire run "what can you do?" --json

Exit codes: 0 done, 1 the model, a source or a step failed, 2 wrong usage.`;
