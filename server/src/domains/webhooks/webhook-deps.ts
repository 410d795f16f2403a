import type { Database } from '../../db/database.ts'
import type { Vault } from '../../db/vault.ts'
import type { Clock } from '../../lib/clock.ts'
import type { TargetPolicy } from '../../lib/egress-guard.ts'

export interface WebhookEndpointDeps {
  db: Database
  vault: Vault
  clock: Clock
  targetPolicy: TargetPolicy
}

export const secretContext = (webhookId: string): string => `webhook ${webhookId}`
