import { spawnSync } from 'node:child_process';

/** Why tests that need a program do not run; `false` where it is there, for every user. */
export function withoutProgram(name: string): false | string {
  const { status } = spawnSync('/bin/sh', ['-c', `command -v ${name}`], { env: { PATH: '/usr/local/bin:/usr/bin:/bin' } });
  return status === 0 ? false : `${name} is not installed for every user`;
}
