import type {
  LanguageModelV4,
  LanguageModelV4CallOptions,
  LanguageModelV4Content,
  LanguageModelV4Prompt,
  LanguageModelV4Usage,
} from '@ai-sdk/provider';
import { describeProfile } from './describe-profile.ts';

const usage: LanguageModelV4Usage = {
  inputTokens: { total: undefined, noCache: undefined, cacheRead: undefined, cacheWrite: undefined },
  outputTokens: { total: undefined, text: undefined, reasoning: undefined },
};

/**
 * Stands in for a language model if there is no key for one. It decides by its input: it loads the
 * skill that the system prompt names, runs the script of the instructions on the file that the
 * request names, and answers from the output.
 */
export function standInModel(): LanguageModelV4 {
  return {
    specificationVersion: 'v4',
    provider: 'csv-analyst',
    modelId: 'stand-in',
    supportedUrls: {},
    async doGenerate(options) {
      options.abortSignal?.throwIfAborted();
      const content = decide(options);
      return {
        content: [content],
        finishReason: { unified: content.type === 'tool-call' ? 'tool-calls' : 'stop', raw: undefined },
        usage,
        warnings: [],
      };
    },
    doStream: () => Promise.reject(new Error('The stand-in model does not stream. Use generateText, or the generate method of an agent.')),
  };
}

/** One step: load the skill, run its script, or answer. */
function decide({ prompt }: LanguageModelV4CallOptions): LanguageModelV4Content {
  const answers = answersIn(prompt);
  const failure = answers.find((answer) => answer.startsWith('Error ('));
  if (failure !== undefined) return says(`I could not look at the file. ${failure}`);
  const output = answers.find((answer) => answer.startsWith('<skill_script '));
  if (output !== undefined) return says(describeProfile(output));
  const loaded = answers.find((answer) => answer.startsWith('<skill_content '));
  if (loaded === undefined) {
    const [, name] = /<skill name="([^"]*csv[^"]*)">/.exec(systemOf(prompt)) ?? [];
    return name === undefined ? says('I know no skill for such files.') : calls('load_skill', { name }, 1);
  }
  const [, skill] = /^<skill_content name="([^"]*)"/.exec(loaded) ?? [];
  const [, script] = /^node (scripts\/\S+)/m.exec(loaded) ?? [];
  const [, list = ''] = /<skill_scripts>\n([^]*)\n<\/skill_scripts>/.exec(loaded) ?? [];
  const [, file] = /Scripts find the file at (\S+?)\.$/m.exec(requestOf(prompt)) ?? [];
  if (script === undefined || file === undefined || !list.includes(`${script}:`)) return says('The skill has no script that I could run.');
  return calls('run_skill_script', { skill, script, arguments: ['--compact', '--top', '3', file] }, 2);
}

function systemOf(prompt: LanguageModelV4Prompt): string {
  return prompt.flatMap((message) => (message.role === 'system' ? [message.content] : [])).join('\n');
}

function requestOf(prompt: LanguageModelV4Prompt): string {
  return prompt
    .flatMap((message) => (message.role === 'user' ? message.content.flatMap((part) => (part.type === 'text' ? [part.text] : [])) : []))
    .join('\n');
}

/** What tools answered, oldest first. */
function answersIn(prompt: LanguageModelV4Prompt): string[] {
  return prompt.flatMap((message) => {
    if (message.role !== 'tool') return [];
    return message.content.flatMap((part) => (part.type === 'tool-result' && part.output.type === 'text' ? [part.output.value] : []));
  });
}

function says(text: string): LanguageModelV4Content {
  return { type: 'text', text };
}

function calls(toolName: string, input: object, step: number): LanguageModelV4Content {
  return { type: 'tool-call', toolCallId: `call-${step}`, toolName, input: JSON.stringify(input) };
}
