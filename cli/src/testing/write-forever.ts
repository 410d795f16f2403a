import { writeConfig } from '../profiles/config-file.ts'

/** Writes configurations of changing length until it is killed. */
const path = process.argv[2] ?? ''
for (let count = 0; ; count++) {
  const profile = {
    base_url: 'http://x',
    api_key: 'k'.repeat(count % 50_000),
    environment: 'sandbox',
  } as const
  writeConfig(path, { current: 'one', profiles: { one: profile } })
  if (count === 0) process.stdout.write('started\n')
}
