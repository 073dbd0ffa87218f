import { MessagesValue, ReducedValue, StateSchema } from '@langchain/langgraph';
import { skillsState } from '@repertoire/adapter-langchain/langgraph';
import * as z from 'zod/v4';
import { startValue } from '../plan/plan-state.ts';
import type { ChannelShape, ChannelType } from '../shape/agent-shape.ts';

type Channel = ConstructorParameters<typeof StateSchema>[0][string];

const schemas: Readonly<Record<ChannelType, () => z.ZodType>> = {
  string: () => z.string(),
  int: () => z.int(),
  double: () => z.number(),
  bool: () => z.boolean(),
  list: () => z.array(z.unknown()),
  map: () => z.record(z.string(), z.unknown()),
  any: () => z.unknown(),
};

const reducers: Readonly<Record<ChannelShape['reducer'], ((current: never, next: never) => unknown) | null>> = {
  replace: null,
  append: (current: readonly unknown[], next: readonly unknown[]) => [...current, ...next],
  sum: (current: number, next: number) => current + next,
  merge: (current: object, next: object) => ({ ...current, ...next }),
};

/** The state of a file, as a schema: its types are known at run time, so Studio can show a form. */
export function stateSchema(channels: Readonly<Record<string, ChannelShape>>): StateSchema<Record<string, Channel>> {
  const own = Object.entries(channels).map(([name, channel]) => [name, channelOf(channel)] as const);
  return new StateSchema<Record<string, Channel>>({ ...Object.fromEntries(own), messages: MessagesValue, ...skillsState });
}

function channelOf(channel: ChannelShape): Channel {
  // A function, so that two conversations never share a list.
  const schema = schemas[channel.type]().default(() => plain(startValue(channel)));
  const reducer = reducers[channel.reducer];
  if (reducer === null) return schema;
  return new ReducedValue<unknown>(schema, { reducer: reducer as (current: unknown, next: unknown) => unknown });
}

/** Maps of the file have no prototype, which some checkpointers do not accept. */
function plain(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value)) as unknown;
}
