import type { Command } from 'commander';
import { wrongUsage } from './wrong-usage.ts';

/**
 * Refuses options that another action of a command takes: left without effect, they would look as
 * if they had one.
 */
export function refuseForeignOptions(command: Command, action: string, actionsOf: Readonly<Record<string, readonly string[]>>): void {
  for (const [name, actions] of Object.entries(actionsOf)) {
    if (command.getOptionValueSource(name) !== 'cli' || actions.includes(action)) continue;
    const flag = command.options.find((option) => option.attributeName() === name)?.long ?? name;
    throw wrongUsage(`${flag} is for ${command.name()} ${actions.join(' and ')}, not for ${command.name()} ${action}.`);
  }
}
