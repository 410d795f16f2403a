import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { writeConfig, type Profile } from '@switchyard/cli/profiles/config-file.ts'
import type { DevFile } from './connection-file.ts'

/** Within the repository the command line finds it here, so nothing is written into a home directory. */
const configPath = (dataDir: string): string => join(dataDir, 'config.json')

/** `dev` is an administrator of the first organisation, `dev-viewer` and so on its other members. */
export function writeCliProfiles(dataDir: string, file: DevFile): void {
  const profileOf = (apiKey: string, orgId: string | undefined): Profile => ({
    base_url: file.api.replace(/\/v1$/, ''),
    api_key: apiKey,
    environment: 'sandbox',
    org_id: orgId,
    simulator: file.simulator,
    dashboard: file.dashboard,
  })
  const [org] = file.orgs
  const members = (org?.members ?? []).map(({ role, api_key }, index): [string, Profile] => [
    index === 0 ? 'dev' : `dev-${role}`,
    profileOf(api_key, org?.org_id),
  ])
  const profiles = {
    ...Object.fromEntries(members),
    operator: profileOf(file.platformAdmin.api_key, undefined),
  }
  writeConfig(configPath(dataDir), { current: 'dev', profiles })
}

export function removeCliProfiles(dataDir: string): void {
  rmSync(configPath(dataDir), { force: true })
}
