/** How each package manager says what npm says. */
const managers = [
  { name: 'npm', install: 'npm install', development: '--save-dev', run: 'npx' },
  { name: 'pnpm', install: 'pnpm add', development: '-D', run: 'pnpm dlx' },
  { name: 'yarn', install: 'yarn add', development: '-D', run: 'yarn dlx' },
  { name: 'bun', install: 'bun add', development: '-d', run: 'bunx' },
] as const;

/** A block of shell for each package manager, where it installs with npm; `null` for every other. */
export function forEachManager(code: string): { readonly name: string; readonly code: string }[] | null {
  if (!/^npm install \S/m.test(code)) return null;
  return managers.map(({ name, install, development, run }) => ({
    name,
    code: code
      .split('\n')
      .map((line) => {
        if (line.startsWith('npm install ')) return line.replace('npm install', install).replace('--save-dev', development);
        // The command of the project names its package manager itself.
        return line.startsWith('npx @') ? line.replace('npx', run) : line;
      })
      .join('\n'),
  }));
}
