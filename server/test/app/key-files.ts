import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { waitUntil } from '@switchyard/stack/services/wait-until.ts'
import { toSecret } from '../../src/lib/crypto/secrets.ts'
import type { TestApp } from './test-app.ts'

type SecretName = 'SECRET_KEY' | 'API_KEY_PEPPER'

/** The secrets of an installation in files, as an operator keeps them. */
interface KeyFiles {
  /** The settings of a process that reads these files. */
  readonly env: Record<string, string>
  /** Every key that was ever written, in base64. */
  readonly written: readonly string[]
  write(name: SecretName, ...keys: string[]): void
  /** Adds a new key before the ones of the file and waits until the app uses it; returns all of them. */
  rotate(t: Pick<TestApp, 'deps'>, name: SecretName): Promise<string[]>
  /** The keys of the file, newest first. */
  keysOf(name: SecretName): string[]
  remove(): void
}

export const newKey = (): string => randomBytes(32).toString('base64')
export const idOf = (key = ''): string => toSecret(Buffer.from(key, 'base64')).id

export function createKeyFiles(adoptionSeconds = 1): KeyFiles {
  const directory = mkdtempSync(join(tmpdir(), 'switchyard-keys-'))
  const path = (name: SecretName): string => join(directory, name)
  const kept: Record<SecretName, string[]> = { SECRET_KEY: [newKey()], API_KEY_PEPPER: [newKey()] }
  const written = Object.values(kept).flat()
  const write = (name: SecretName, ...keys: string[]): void => {
    kept[name] = keys
    written.push(...keys)
    writeFileSync(path(name), `${keys.join('\n')}\n`)
  }
  write('SECRET_KEY', ...kept.SECRET_KEY)
  write('API_KEY_PEPPER', ...kept.API_KEY_PEPPER)
  return {
    env: {
      KEY_SERVICE: 'file',
      KEY_ADOPTION_SECONDS: String(adoptionSeconds),
      SECRET_KEY_FILE: path('SECRET_KEY'),
      API_KEY_PEPPER_FILE: path('API_KEY_PEPPER'),
    },
    written,
    write,
    keysOf: (name) => kept[name],
    async rotate({ deps }, name) {
      write(name, newKey(), ...kept[name])
      const wanted = idOf(kept[name][0])
      const used = (): string =>
        name === 'SECRET_KEY' ? deps.keys.service.currentId : deps.keys.peppers.current.id
      await waitUntil(() => Promise.resolve(used() === wanted), {
        what: `the new ${name} to be in use`,
      })
      return kept[name]
    },
    remove: () => rmSync(directory, { recursive: true, force: true }),
  }
}
