// pnpm goes on after a failed install, so each command first makes sure that the Node it installed is the one that runs.
const wanted = 24;
if (Number(process.versions.node.split('.')[0]) < wanted) {
  console.error(
    `Node ${wanted} or newer is needed and this is ${process.version}. The install step above brings it and seems to have failed:\n` +
      'run `npx -y pnpm@12.21.0 install` and read its output.',
  );
  process.exit(1);
}
