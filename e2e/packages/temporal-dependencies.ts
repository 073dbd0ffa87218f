/** Exact: the packages of Temporal only work together in one version. They weigh 250 MB, so no workspace package depends on them. */
export const temporalDependencies: Readonly<Record<string, string>> = {
  ...Object.fromEntries(['activity', 'client', 'common', 'proto', 'worker', 'workflow'].map((name) => [`@temporalio/${name}`, '1.24.0'])),
  '@grpc/grpc-js': '1.14.7',
};
