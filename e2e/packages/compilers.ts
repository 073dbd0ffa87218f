/** A TypeScript that type-checks `tsconfig.json` of a folder and prints what it finds, as `tsc --pretty false` does. */
export interface Compiler {
  /** The name under which the project has it. */
  readonly name: 'typescript-5' | 'typescript-7';
  /** The command that checks, run in the folder. */
  readonly command: readonly string[];
}

/**
 * Checks our files only, through the compiler's API: a third of the time of checking the declarations of all frameworks as well. The
 * compiler that was rewritten in Go has no such API, and is fast.
 */
export const checkOwnFiles = `import { createRequire } from 'node:module';
const ts = createRequire(import.meta.url)(process.argv[2]);
const { config } = ts.readConfigFile('tsconfig.json', ts.sys.readFile);
const { options, fileNames, errors } = ts.parseJsonConfigFileContent(config, ts.sys, '.');
const program = ts.createProgram(fileNames, options);
const own = program.getSourceFiles().filter(({ fileName }) => !fileName.includes('/node_modules/') || fileName.includes('@repertoire'));
const found = own.flatMap((file) => [...program.getSyntacticDiagnostics(file), ...program.getSemanticDiagnostics(file)]);
const host = { getCurrentDirectory: () => process.cwd(), getCanonicalFileName: (name) => name, getNewLine: () => '\\n' };
process.stdout.write(ts.formatDiagnostics([...errors, ...program.getOptionsDiagnostics(), ...program.getGlobalDiagnostics(), ...found], host));
`;

/** Every TypeScript that the packages are type-checked with. */
export const compilers: readonly Compiler[] = [
  { name: 'typescript-5', command: ['node', 'check-own-files.mjs', 'typescript-5'] },
  { name: 'typescript-7', command: ['node', '../node_modules/typescript-7/bin/tsc', '--project', 'tsconfig.json', '--pretty', 'false'] },
];
