import { disk, DiskReader, type DiskSteps } from '../src/disk-steps.ts';
import { withRegularFile } from '../src/open-regular-file.ts';

/** Opens a file as the provider does: `true`, or `null` where it may not be read. */
export async function openFile(file: string): Promise<true | null> {
  return await new DiskReader().run(
    withRegularFile(file, 'allow', function* ({ descriptor }): DiskSteps<true> {
      yield* disk.stat(descriptor);
      return true;
    }),
  );
}
