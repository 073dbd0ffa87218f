import * as z from 'zod/v4';
import { channelReducers, channelTypes, promptRoles, type AgentShape } from './agent-shape.ts';

const maxExpressionCharacters = 4_000;
const maxEntries = 500;

const name = (what: string) => z.string().min(1).max(128).describe(what);
const version = z.string().min(1).max(64).describe('A version, in quotes: "1.0.0". Skills also take a range: "^1.2".').optional();
const expression = (what: string) => z.string().min(1).max(maxExpressionCharacters).describe(`${what} A CEL expression.`);
const list = <Item extends z.ZodType>(item: Item) => z.array(item).max(maxEntries);

const reference = z.strictObject({ id: name('The `id` of the entry that is meant.'), version });

const stateUpdates = z
  .record(z.string().regex(/^[A-Za-z_]\w{0,63}$/), expression('The new value of the channel.'))
  .describe('What the node writes: a CEL expression for each channel of the state.');

const skill = z
  .strictObject({
    id: name('Name of the skill; its `id` in a skill card.').optional(),
    version,
    skill_card_path: z.string().min(1).max(2_000).describe('Path of a skill-card.json, relative to this file.').optional(),
    folder: z.string().min(1).max(2_000).describe('Folder that holds skills, relative to this file. Without `id`, all of them.').optional(),
    url: z.string().min(1).max(2_000).describe('Where skills are published. Without `id`, all of them.').optional(),
  })
  .describe('A skill: by its card, its folder, its URL, or by `id` alone from the registry of the host.');

const llm = z
  .strictObject({
    id: name('The name under which nodes use the model.'),
    version,
    provider: name('Told to the host, which chooses the model.').optional(),
    model_name: name('Told to the host, which chooses the model.').optional(),
  })
  .describe('A model. The host says which one it is.');

const tool = z
  .strictObject({ id: name('Name of a tool that the host gives.'), version })
  .describe('A tool of the host that nodes may bind.');

const prompt = z.strictObject({
  id: name('The key in `prompts`.'),
  version,
  instructions: z.string().max(100_000).describe('The text. `template()` fills in ${names}.'),
});

const channel = z.strictObject({
  type: z.enum(channelTypes),
  reducer: z
    .enum(channelReducers)
    .describe('How an update joins what is there: `append` for lists, `sum` for numbers, `merge` for maps.')
    .default('replace'),
  default: z.unknown().describe('The value at the start. By default: "", 0, false, an empty list or map, null.').optional(),
});

const state = z
  .record(z.string().regex(/^[A-Za-z_]\w{0,63}$/), channel)
  .describe('Channels of the state. `messages` and what is loaded of the skills are always there.');

const promptPart = z.strictObject({
  role: z.enum(promptRoles).describe('`messages` takes a list of messages, such as state.messages.'),
  content: expression('The text, or with the role `messages` the list of messages.'),
});

const responseFormat = z.strictObject({
  name: z.string().regex(/^[A-Za-z_][\w-]{0,63}$/),
  description: z.string().max(2_000).optional(),
  schema: z.record(z.string(), z.unknown()).describe('JSON Schema of the answer: an object.'),
});

const nodeName = z
  .string()
  .regex(/^[A-Za-z_][\w-]{0,63}$/)
  .describe('Name of the node, for edges and the drawing.');

const node = <Type extends string, Args extends z.ZodType>(type: Type, args: Args) =>
  z.strictObject({ name: nodeName, type: z.literal(type), args });

const nodes = z.discriminatedUnion('type', [
  node(
    'call_llm',
    z.strictObject({
      llm: reference.describe('Which model. May be left out where there is only one.').optional(),
      prompt: z
        .union([expression('The system prompt; the messages of the state follow it.'), list(promptPart).min(1)])
        .describe('A system prompt as one expression, or a list of roles.'),
      tools: list(reference).describe('Tools that the model gets: of `tools`, and the skill tools.').optional(),
      use_tools_from_loaded_skills: z.boolean().describe('Whether the model also gets the tools that loaded skills name.').default(false),
      response_format: responseFormat.describe('The answer is JSON of this form.').optional(),
      state_updates: stateUpdates
        .describe('What the node writes; `llm_response` is the answer. By default `messages: [llm_response]`.')
        .optional(),
    }),
  ).describe('Calls a model.'),
  node('load_skills', z.strictObject({ skill_ids: expression('A list of `{id, version}` or of names.') })).describe(
    'Loads skills for the model.',
  ),
  node(
    'tool_node',
    z.strictObject({ tools: list(reference).describe('Only these of `tools`. By default all of them.').optional() }).default({}),
  ).describe('Runs the tool calls of the last message.'),
  node('set_state', z.strictObject({ state_updates: stateUpdates })).describe('Writes to the state.'),
  node(
    'interrupt',
    z.strictObject({
      value: expression('What a person is asked.'),
      state_updates: stateUpdates.describe('What the node writes; `answer` is what the graph was resumed with.'),
    }),
  ).describe('Stops, and goes on when a person answered.'),
  node(
    'workflow',
    z.strictObject({
      skill: reference.describe('The workflow skill.'),
      input: expression('Its input: a map.').optional(),
      state_updates: stateUpdates.describe('What the node writes; `workflow_result` is what the workflow gave.'),
    }),
  ).describe('Runs a workflow skill.'),
]);

const branch = z.strictObject({
  condition: expression('When this branch is taken: true or false.'),
  target: name('A node, or END.'),
  label: z
    .string()
    .regex(/^[A-Za-z0-9][\w -]{0,39}$/)
    .describe('What the drawing shows.')
    .optional(),
});

const edge = z.strictObject({
  source: name('A node, or START.'),
  target: name('A node, or END.').optional(),
  branches: list(branch).min(1).describe('The first whose condition is true is taken.').optional(),
  default: name('Where to go when no condition is true: a node, or END. By default END.').optional(),
});

/** The schema of an agent's file. References between entries are checked separately. */
export const agentSchema: z.ZodType<AgentShape> = z
  .strictObject({
    manifest_version: z.literal(1).describe('Version of this format.').optional(),
    name: nodeName.describe('Name of the agent: stands in traces.').optional(),
    description: z.string().max(2_000).optional(),
    skills: list(skill).optional(),
    llms: list(llm).optional(),
    tools: list(tool).optional(),
    prompts: list(prompt).optional(),
    state: state.optional(),
    nodes: list(nodes).min(1).describe('What runs; `edges` says in which order.'),
    edges: list(edge).describe('Without it, nodes run in the order of the file.').optional(),
  })
  .describe('An agent of Repertoire.');
