import { readFile } from 'node:fs/promises'
import { parseSecrets, type Secret } from '../../lib/crypto/secrets.ts'
import type { SecretName } from './record.ts'

/** Says what is wrong with a file and quotes nothing of it. The keys in memory stay in use. */
export class KeyFileError extends Error {}

/** Reads the versions of a secret from its file. */
export async function readSecretFile(name: SecretName, path: string): Promise<readonly Secret[]> {
  const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    throw new KeyFileError(`${name}_FILE cannot be read (${error.code ?? 'unknown error'})`)
  })
  const found = parseSecrets(text)
  if (typeof found === 'string') throw new KeyFileError(`${name}_FILE ${found}`)
  return found
}
