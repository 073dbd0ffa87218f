import { SkillError } from '@repertoire/skills-core';
import type { Framework } from '../prompt/prompt-settings.ts';
import { replayCore } from './core.ts';
import type { ReplayRecording } from './framework-replay.ts';

const needs: Readonly<Record<Framework, string>> = {
  core: 'nothing',
  'ai-sdk': 'ai and @repertoire/adapter-vercel-ai',
  langchain: 'langchain, @langchain/core, @langchain/langgraph and @repertoire/adapter-langchain',
  'openai-agents': '@openai/agents-core and @repertoire/adapter-openai-agents',
};

/**
 * What plays recordings through a framework. Frameworks are optional: the page shows how to get one
 * that is not there.
 *
 * @throws {SkillError} `invalid-options` where it is not installed
 */
export async function loadFramework(framework: Framework): Promise<ReplayRecording> {
  try {
    switch (framework) {
      case 'core':
        return replayCore;
      case 'ai-sdk':
        return (await import('./ai-sdk.ts')).replayAiSdk;
      case 'langchain':
        return (await import('./langchain.ts')).replayLangChain;
      case 'openai-agents':
        return (await import('./openai-agents.ts')).replayOpenAiAgents;
    }
  } catch (cause) {
    const code = (cause as NodeJS.ErrnoException).code;
    if (code !== 'ERR_MODULE_NOT_FOUND' && code !== 'ERR_PACKAGE_PATH_NOT_EXPORTED') throw cause;
    throw new SkillError('invalid-options', `The framework ${framework} is not installed. Add ${needs[framework]} next to the command.`, {
      cause,
    });
  }
}
