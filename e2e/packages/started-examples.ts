import { workspacePackages, type WorkspacePackage } from '../../tools/workspace.ts';

/** The examples that `node src/main.ts` starts. */
export function startedExamples(): WorkspacePackage[] {
  return workspacePackages('examples/*').filter(({ manifest }) =>
    (manifest['scripts'] as { readonly start?: string } | undefined)?.start?.endsWith(' src/main.ts'),
  );
}
