import type { Database } from '../../db/database.ts'
import type { Vault } from '../../db/vault.ts'
import type { Clock } from '../../lib/clock.ts'
import type { EgressPolicy } from '../../lib/egress-guard.ts'

export interface WebhookEndpointDeps {
  db: Database
  vault: Vault
  clock: Clock
  egressPolicy: EgressPolicy
}

export const secretContext = (webhookId: string): string => `webhook ${webhookId}`
