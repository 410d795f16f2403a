import { rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

type DevMember = { user_id: string; email: string; role: string; api_key: string; jwt: string }

/** The content of `dev.json`. Other programs read it, so fields may be added but not removed. */
export type DevFile = {
  api: string
  /** Signs in the seeded people with one click each. */
  dashboard: string
  docs: string
  database: string
  restate: { ingress: string; admin: string }
  identity: string
  mail: string
  /** The simulator of every payment provider. */
  simulator: string
  /** An EVM chain with a token that our wallet owns. */
  chain: { rpc: string; network: string; token: string } | undefined
  /** A payment page to try out. */
  payment_link: string | undefined
  platformAdmin: { user_id: string; api_key: string; jwt: string }
  orgs: { org_id: string; name: string; country: string; members: DevMember[] }[]
}

export function devFilePath(dataDir: string): string {
  return join(dataDir, 'dev.json')
}

/** Written atomically, since the existence of the file means that everything is ready. */
export async function writeDevFile(dataDir: string, content: DevFile): Promise<void> {
  const draft = join(dataDir, 'dev.json.draft')
  await writeFile(draft, `${JSON.stringify(content, undefined, 2)}\n`, { mode: 0o600 })
  await rename(draft, devFilePath(dataDir))
}

export async function removeDevFile(dataDir: string): Promise<void> {
  await rm(devFilePath(dataDir), { force: true })
}
