/**
 * Variables for a command that starts in a project. With them, `git` takes the project for what it
 * is although it belongs to another user, writes nothing to it, looks for no other repository above
 * it, asks for nothing, and runs no program that the project's configuration names for reading
 * commands (a monitor, hooks, a pager).
 *
 * @param project absolute path as the command sees it
 * @param skillFolder the folder of the skill's copy, as the command sees it
 */
export function projectVariables(project: string, skillFolder: string): Readonly<Record<string, string>> {
  const settings = Object.entries({
    'safe.directory': project,
    'safe.bareRepository': 'explicit',
    'core.fsmonitor': 'false',
    'core.hooksPath': '/dev/null',
    'log.showSignature': 'false',
    'protocol.allow': 'never',
  }).flatMap(([name, value], index) => [
    [`GIT_CONFIG_KEY_${index}`, name],
    [`GIT_CONFIG_VALUE_${index}`, value],
  ]);
  return {
    SKILL_DIR: skillFolder,
    GIT_CEILING_DIRECTORIES: project.slice(0, project.lastIndexOf('/')) || '/',
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_CONFIG_GLOBAL: '/dev/null',
    GIT_CONFIG_COUNT: String(settings.length / 2),
    ...Object.fromEntries(settings),
    GIT_NO_LAZY_FETCH: '1',
    GIT_OPTIONAL_LOCKS: '0',
    GIT_PAGER: 'cat',
    GIT_TERMINAL_PROMPT: '0',
  };
}
