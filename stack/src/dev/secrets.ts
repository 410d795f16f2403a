import { randomBytes } from 'node:crypto'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

export type DevSecrets = {
  secretKey: string
  apiKeyPepper: string
  ownerPassword: string
  appPassword: string
  systemPassword: string
}

/** Created on the first start and kept, so that API keys remain valid after a restart. */
export async function loadSecrets(dataDir: string): Promise<DevSecrets> {
  const file = join(dataDir, 'secrets.json')
  const stored = await readFile(file, 'utf8').catch(() => undefined)
  if (stored !== undefined) return JSON.parse(stored)
  const secrets = {
    secretKey: randomBytes(32).toString('base64'),
    apiKeyPepper: randomBytes(32).toString('base64'),
    ownerPassword: randomBytes(18).toString('base64url'),
    appPassword: randomBytes(18).toString('base64url'),
    systemPassword: randomBytes(18).toString('base64url'),
  }
  await writeFile(file, JSON.stringify(secrets, undefined, 2), { mode: 0o600 })
  return secrets
}
