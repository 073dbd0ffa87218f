// Anything added here is public API.
export { justBashRunner, type JustBashLike, type JustBashOptions, type JustBashRunnerOptions } from './just-bash/just-bash-runner.ts';
