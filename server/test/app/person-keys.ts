import { mkdtempSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** An empty directory of person keys that every process has known for long, so that they are used at once. */
export function createPersonKeysDir(): string {
  const directory = mkdtempSync(join(tmpdir(), 'switchyard-person-keys-'))
  const firstUse = join(directory, 'first-use')
  writeFileSync(firstUse, '')
  utimesSync(firstUse, 0, 0)
  return directory
}
