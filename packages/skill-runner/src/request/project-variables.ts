/**
 * Returns the variables for a command that starts in a project. With them, `git` accepts the
 * project although it belongs to another user, writes nothing to it, looks for no other
 * repository above it or in it, asks for nothing, and starts no hook, monitor or pager. In a
 * confinement, it does not see the project's configuration either, which may name programs for much
 * else.
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
    // Whoever owns a repository: only the one of the project is used.
    GIT_TEST_ASSUME_DIFFERENT_OWNER: '1',
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
