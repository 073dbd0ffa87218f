import { DiskReader, type DiskSteps } from '../src/disk-steps.ts';
import { withRegularFile } from '../src/open-regular-file.ts';

/** Opens a file as the provider does: `true`, or `null` where it may not be read. */
export async function openFile(file: string): Promise<true | null> {
  return await new DiskReader().run(
    // oxlint-disable-next-line require-yield
    withRegularFile(file, 'allow', function* (): DiskSteps<true> {
      return true;
    }),
  );
}
