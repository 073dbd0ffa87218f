import type { Command } from 'commander';

/** Whom a person trusts, as the options of a command say it. */
export interface TrustOptions {
  readonly root?: readonly string[];
  readonly publicKey?: readonly string[];
}

/** Adds the options that say whom a person trusts. */
export function addTrustOptions(command: Command): Command {
  return command
    .option('--root <files...>', 'root certificates that you trust, as PEM')
    .option('--public-key <files...>', 'public keys that you trust, as PEM');
}

/** Whether somebody is trusted. */
export function trustsSomebody({ root = [], publicKey = [] }: TrustOptions): boolean {
  return root.length + publicKey.length > 0;
}
