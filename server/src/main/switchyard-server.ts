#!/usr/bin/env node
/** One program for everything: `switchyard-server COMMAND [options]`, as the image and the systemd units start it. */
const commands: Readonly<Record<string, () => Promise<unknown>>> = {
  api: async () => (await import('./api.ts')).runApiProcess(),
  worker: async () => (await import('./worker.ts')).runWorkerProcess(),
  migrate: () => import('./migrate.ts'),
  bootstrap: () => import('./bootstrap.ts'),
  rebuild: () => import('./rebuild.ts'),
  audit: () => import('./audit.ts'),
  archive: () => import('./archive.ts'),
  'archive-read': () => import('./archive-read.ts'),
  doctor: () => import('./doctor.ts'),
  'sanctions-load': () => import('./sanctions-load.ts'),
  'connector-check': () => import('./connector-check.ts'),
}

// Each command reads its options from where it finds them when it is started by itself.
const [name = ''] = process.argv.splice(2, 1)
const command = commands[name]
if (command) await command()
else {
  process.stderr.write(
    `switchyard-server COMMAND, where COMMAND is one of ${Object.keys(commands).join(', ')}\n`,
  )
  process.exitCode = 1
}
