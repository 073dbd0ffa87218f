/**
 * A TypeScript that type-checks `tsconfig.json` of a folder and prints what it finds, as
 * `tsc --pretty false` does.
 */
export interface Compiler {
  /** The name under which the project has it. */
  readonly name: 'typescript-5' | 'typescript-7';
  /**
   * A program that checks our files only, through the compiler's API, in the folder in which it
   * runs. To check the declarations of all frameworks as well takes three times as long with
   * version 5, and six times with version 7, which does so when it is asked for global diagnostics.
   */
  readonly program: string;
}

/** Every TypeScript that the packages are type-checked with. */
export const compilers: readonly Compiler[] = [
  {
    name: 'typescript-5',
    program: `import ts from 'typescript-5';
const { config } = ts.readConfigFile('tsconfig.json', ts.sys.readFile);
const { options, fileNames, errors } = ts.parseJsonConfigFileContent(config, ts.sys, '.');
const program = ts.createProgram(fileNames, options);
const own = program.getSourceFiles().filter(({ fileName }) => !fileName.includes('/node_modules/') || fileName.includes('@repertoire'));
const found = own.flatMap((file) => [...program.getSyntacticDiagnostics(file), ...program.getSemanticDiagnostics(file)]);
const host = { getCurrentDirectory: () => process.cwd(), getCanonicalFileName: (name) => name, getNewLine: () => '\\n' };
process.stdout.write(ts.formatDiagnostics([...errors, ...program.getOptionsDiagnostics(), ...program.getGlobalDiagnostics(), ...found], host));
`,
  },
  {
    name: 'typescript-7',
    program: `import { readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { API } from 'typescript-7/unstable/sync';
const api = new API({ cwd: process.cwd() });
const [{ program }] = api.updateSnapshot({ openProjects: [join(process.cwd(), 'tsconfig.json')] }).getProjects();
const own = program.getSourceFileNames().filter((name) => !name.includes('/node_modules/') || name.includes('@repertoire'));
const found = own.flatMap((name) => [...program.getSyntacticDiagnostics(name), ...program.getSemanticDiagnostics(name)]);
for (const { fileName, pos, code, text } of [
  ...program.getConfigFileParsingDiagnostics(),
  ...program.getProgramDiagnostics(),
  ...found,
]) {
  const above = fileName === undefined ? [''] : readFileSync(fileName, 'utf8').slice(0, pos).split('\\n');
  const place = fileName === undefined ? '' : \`\${relative(process.cwd(), fileName)}(\${above.length},\${above.at(-1).length + 1}): \`;
  console.log(\`\${place}error TS\${code}: \${text}\`);
}
if (own.length === 0) console.log('Nothing was checked.');
api.close();
`,
  },
];
