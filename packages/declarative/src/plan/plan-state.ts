import type { VariableTypes } from '../cel/expression-environment.ts';
import type { AgentDocument } from '../document/agent-document.ts';
import { quote } from '../document/hints.ts';
import type { AgentShape, ChannelShape, ChannelType } from '../shape/agent-shape.ts';

const ownChannels = { messages: 'list<Message>', loaded_skills: 'map<string, dyn>', loaded_tools: 'map<string, dyn>' } as const;

const celTypes: Readonly<Record<ChannelType, string>> = {
  string: 'string',
  int: 'int',
  double: 'double',
  bool: 'bool',
  list: 'list<dyn>',
  map: 'map<string, dyn>',
  any: 'dyn',
};

const emptyValues: Readonly<Record<ChannelType, unknown>> = { string: '', int: 0, double: 0, bool: false, list: [], map: {}, any: null };

const reducible: Readonly<Record<ChannelShape['reducer'], readonly ChannelType[] | null>> = {
  replace: null,
  append: ['list'],
  sum: ['int', 'double'],
  merge: ['map'],
};

/** Whether every state has this channel. Names that begin with `_` belong to the skills. */
export function isOwnChannel(name: string): boolean {
  return Object.hasOwn(ownChannels, name) || name.startsWith('_');
}

/** Names such as `constructor`, which LangGraph would take for an existing channel. */
export function isObjectMember(name: string): boolean {
  return name in Object.prototype;
}

/** The type of the state. A wrong channel takes everything, so that one mistake is one problem. */
export function stateTypes(channels: Readonly<Record<string, ChannelShape>>): VariableTypes[string] {
  const typeOf = (channel: ChannelShape): string => (isJoinable(channel) ? celTypes[channel.type] : celTypes.any);
  return { ...ownChannels, ...Object.fromEntries(Object.entries(channels).map(([name, channel]) => [name, typeOf(channel)])) };
}

/** Whether the reducer of a channel can join values of its type. */
export function isJoinable({ reducer, type }: ChannelShape): boolean {
  return reducible[reducer]?.includes(type) ?? true;
}

/** The initial value of a channel. */
export function startValue({ type, default: value }: ChannelShape): unknown {
  return value ?? emptyValues[type];
}

/** Whether a channel can hold a value. */
export function fitsChannel(type: ChannelType, value: unknown): boolean {
  switch (type) {
    case 'string':
      return typeof value === 'string';
    case 'bool':
      return typeof value === 'boolean';
    case 'int':
      return Number.isSafeInteger(value);
    case 'double':
      return typeof value === 'number';
    case 'list':
      return Array.isArray(value);
    case 'map':
      return typeof value === 'object' && value !== null && !Array.isArray(value);
    case 'any':
      return true;
  }
}

/** Checks the section `state`. */
export function checkState(document: AgentDocument, shape: AgentShape): void {
  for (const [name, channel] of Object.entries(shape.state ?? {})) {
    const path = ['state', name];
    if (isOwnChannel(name) || isObjectMember(name)) {
      const fix = isObjectMember(name)
        ? 'Every object has that name: take another one.'
        : name.startsWith('_')
          ? 'Names with an underscore first are reserved.'
          : 'It is always there: leave it out.';
      document.report('agent-duplicate', { path, key: true }, `The channel ${quote(name)} cannot be declared.`, fix);
    }
    const types = reducible[channel.reducer];
    if (types !== null && !types.includes(channel.type)) {
      const fix = `It is for ${types.join(' and ')}.`;
      const message = `The reducer ${quote(channel.reducer)} cannot join values of type ${channel.type}.`;
      document.report('agent-shape', [...path, 'reducer'], message, fix);
    }
    if (channel.default !== undefined && channel.default !== null && !fitsChannel(channel.type, channel.default)) {
      const message = `${quote(channel.default)} is no ${channel.type}.`;
      document.report('agent-shape', [...path, 'default'], message, 'Change the default or the type.');
    }
  }
}
