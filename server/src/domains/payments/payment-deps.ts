import type { CompiledQuery } from 'kysely'
import type { Database } from '../../db/database.ts'
import type { Vault } from '../../db/vault.ts'
import type { Clock } from '../../lib/clock.ts'
import type { Log } from '../../lib/log.ts'
import type { Breakers } from '../provider-configs/track-route-health.ts'
import type { ConnectorSource } from '../provider-configs/load-connector.ts'
import type { PollSchedule } from './attempts/rules.ts'
import type { Payment } from './record.ts'
import type { Status } from './rules.ts'

/**
 * Whoever keeps the accounts that payouts are paid from. Asked for statements of the transaction in which such a
 * payment starts (from undefined) or changes its status, after its transfers.
 */
export type Funding = (previous: Status | undefined, payment: Payment) => CompiledQuery[]

export const fundingStatements = (
  deps: Pick<PaymentDeps, 'funding'>,
  previous: Status | undefined,
  payment: Payment,
): CompiledQuery[] =>
  payment.fundingAccountId === null || previous === payment.status ? [] : deps.funding(previous, payment)

/** What moving a payment takes. */
export interface PaymentDeps {
  db: Database
  clock: Clock
  vault: Vault
  connectors: ConnectorSource
  breakers: Breakers
  log: Log
  funding: Funding
  /** Where customers come back to, and the key that proves which payment they come back from. */
  publicUrl: string
  returnKey: Buffer
  /** After this long a sender that has written no outcome is taken for gone. */
  sendDeadlineMs: number
  pollSchedule: PollSchedule
}
