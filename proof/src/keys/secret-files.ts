import { randomBytes } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { toSecret } from '@switchyard/server/lib/crypto/secrets.ts'
import type { Env } from '@switchyard/stack/programs.ts'

export const secretNames = ['SECRET_KEY', 'API_KEY_PEPPER'] as const
export type SecretName = (typeof secretNames)[number]

/** The secrets of an installation, in files that its processes watch. */
export type SecretFiles = {
  readonly env: Env
  /** The same secrets as plain settings, for processes that have to be restarted. */
  plainEnv(): Env
  /** Puts a new key before the others, without telling the files; returns its id. */
  add(name: SecretName): string
  /** Leaves only the newest. */
  removeOld(): void
  write(): Promise<void>
}

const newKey = (): string => randomBytes(32).toString('base64')

export async function createSecretFiles(directory: string): Promise<SecretFiles> {
  const kept: Record<SecretName, string[]> = { SECRET_KEY: [newKey()], API_KEY_PEPPER: [newKey()] }
  const path = (name: SecretName): string => join(directory, `${name}.secret`)
  const files: SecretFiles = {
    env: {
      KEY_SERVICE: 'file',
      SECRET_KEY_FILE: path('SECRET_KEY'),
      API_KEY_PEPPER_FILE: path('API_KEY_PEPPER'),
    },
    plainEnv: () => ({
      KEY_SERVICE: 'environment',
      SECRET_KEY_FILE: '',
      API_KEY_PEPPER_FILE: '',
      SECRET_KEY: kept.SECRET_KEY.join(','),
      API_KEY_PEPPER: kept.API_KEY_PEPPER.join(','),
    }),
    add(name) {
      const key = newKey()
      kept[name] = [key, ...kept[name]]
      return toSecret(Buffer.from(key, 'base64')).id
    },
    removeOld() {
      for (const name of secretNames) kept[name] = kept[name].slice(0, 1)
    },
    async write() {
      for (const name of secretNames) await writeFile(path(name), `${kept[name].join('\n')}\n`)
    },
  }
  await files.write()
  return files
}
