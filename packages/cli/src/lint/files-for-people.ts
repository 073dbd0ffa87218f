const names: ReadonlySet<string> = new Set(['license', 'licence', 'notice', 'copying', 'readme', 'changelog', 'changes', 'history', 'contributing', 'contributors', 'code_of_conduct', 'security', 'support', 'authors', 'credits', 'acknowledgements', 'acknowledgments', 'source', 'sources', 'sync', 'attribution', 'benchmark', 'benchmarks', 'roadmap', 'todo', 'metadata', 'skill-card', 'card', 'skill', 'index', 'package', 'package-lock', 'pnpm-lock', 'yarn', 'requirements', 'pyproject', 'setup', 'uv', 'poetry', 'cargo', 'go', 'gemfile', 'tsconfig', 'jsconfig', 'deno', 'bunfig', 'makefile', 'dockerfile', 'vitest.config', 'jest.config', 'pytest', 'tox', 'codeowners']); // prettier-ignore
const folders: ReadonlySet<string> = new Set(['eval', 'evals', 'evaluation', 'evaluations', 'benchmark', 'benchmarks', 'test', 'tests', '__tests__', '__pycache__', 'fixtures', 'agents', 'dist', 'build', 'doc', 'docs']); // prettier-ignore
const endings = /(?:^__init__\.py|^conftest\.py|[._]test\.\w+|\.oms\.sig|\.lock|\.tsbuildinfo|\.map|\.pyc)$/;

/** Files for people, for tests and for publishers: an agent need not know of them. */
export function isForPeople(path: string): boolean {
  const segments = path.toLowerCase().split('/');
  const file = segments.pop() ?? '';
  return segments.some((folder) => folders.has(folder)) || endings.test(file) || /^test_.*\.\w/.test(file) || beginsWithName(file);
}

/** `README`, `README.md`, `readme-de.md`: a name up to the end, or up to a mark. */
function beginsWithName(file: string): boolean {
  return names.has(file) || [...file.matchAll(/[._-]/g)].some(({ index }) => names.has(file.slice(0, index)));
}
