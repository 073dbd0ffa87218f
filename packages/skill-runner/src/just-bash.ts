// Anything added here is public API.
export { justBashRunner, type JustBashRunnerOptions } from './just-bash/just-bash-runner.ts';
