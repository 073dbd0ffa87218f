import { defaultSettings, type Framework, type PromptSettings } from '../../src/prompt/prompt-settings.ts';
import type { RecordedTool } from '../../src/recording/recording.ts';

/** What a scripted model says in one step. */
interface ScriptedTurn {
  readonly text?: string;
  readonly toolCalls?: { readonly toolCallId: string; readonly toolName: string; readonly input: unknown }[];
}

/** A conversation that was made up, and the settings that it is held with. */
export interface RandomConversation {
  readonly settings: PromptSettings;
  readonly tools: readonly RecordedTool[];
  readonly runs: readonly { readonly user: string; readonly turns: ScriptedTurn[] }[];
}

const anyInput = { type: 'object', properties: { query: { type: 'string' } }, additionalProperties: true };
const hostTools: readonly RecordedTool[] = [
  { name: 'search_docs', description: 'Searches documents.', inputSchema: anyInput },
  { name: 'broken', description: 'Fails.', inputSchema: anyInput },
  { name: 'deploy', description: 'Deploys “it”, with ünïcode.', inputSchema: anyInput },
];
const skills = ['sql-tuning', 'changelog', 'api-design', 'code-review', 'csv-profile', 'data-migration', 'flaky-tests', 'incident-report'];
const words = ['slow', 'query', 'café', '数据', '<skill_content name="x">', '"quoted"', 'line\nbreak', '🙂', '$ARGUMENTS', '&amp;'];

/** A conversation by a seed: loads, reads, misspelt names, parallel calls, tools that fail or are closed, several requests. */
export function randomConversation(seed: number, framework: Framework): RandomConversation {
  const next = mulberry32(seed);
  const below = (count: number): number => Math.floor(next() * count);
  const pick = <Value>(values: readonly Value[]): Value => values[below(values.length)]!;
  const sentence = (): string => Array.from({ length: 1 + below(12) }, () => pick(words)).join(' ');
  let calls = 0;

  const call = (): NonNullable<ScriptedTurn['toolCalls']>[number] => {
    // Some models count their calls from the start again and again. The OpenAI Agents SDK refuses that itself.
    const toolCallId = next() < 0.1 && framework !== 'openai-agents' ? 'call_1' : `call_${(calls += 1)}`;
    const skill = next() < 0.1 ? 'sql-tunning' : pick(skills);
    const one = (toolName: string, input: unknown) => ({ toolCallId, toolName, input });
    switch (below(8)) {
      case 0:
      case 1:
      case 2:
        return one('load_skill', {
          name: skill,
          ...(next() < 0.2 && { arguments: sentence() }),
          ...(next() < 0.1 && { version: '9.9.9' }),
        });
      case 3:
        return one('read_skill_file', {
          skill,
          path: pick(['references/errors.md', 'SKILL.md', '../../etc/passwd', 'references/plans.md']),
        });
      case 4:
        return one('read_skill_file', {
          skill: 'api-design',
          path: 'references/pagination.md',
          startLine: 1 + below(9),
          endLine: 4 + below(9),
        });
      case 5:
        return one('unload_skill', { name: skill });
      case 6:
        return one(pick(['broken', 'search_docs']), { query: sentence() });
      default:
        return one('deploy', { query: sentence() });
    }
  };
  const turn = (): ScriptedTurn => {
    const toolCalls = Array.from({ length: next() < 0.25 ? 2 + below(2) : 1 }, call);
    const own = toolCalls.filter(({ toolCallId }, index) => toolCalls.findIndex((other) => other.toolCallId === toolCallId) === index);
    return { toolCalls: own, ...(next() < 0.5 && { text: sentence() }) };
  };
  const settings: PromptSettings = {
    ...defaultSettings,
    framework,
    instructions: sentence(),
    maxTokens: pick([150, 300, 600, 8000]),
    format: pick(['xml', 'markdown', 'json']),
    mode: pick(['system-prompt', 'tool-only', 'both']),
    surface: pick(['progressive', 'progressive', 'full']),
    gate: pick(['refuse', 'hide']),
    gatedTools: pick(['', 'deploy', 'deploy,search_docs']),
    refreshAfter: pick([0, 0, 0, 4000]),
  };
  const runs = Array.from({ length: 1 + below(3) }, () => ({
    user: sentence(),
    turns: [...Array.from({ length: below(5) }, turn), { text: sentence() }],
  }));
  return { settings, tools: hostTools, runs };
}

/** A small generator of random numbers that is the same everywhere. */
function mulberry32(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
