import type { Custody } from '../../../../kernel/ledger/available.ts'
import type { AttemptState } from '../../lifecycle/rules.ts'

export interface HealthWindow {
  since: Date
  provider: string | undefined
}

/** What the attempts at one provider account show. */
export interface AccountHealth {
  provider: string
  accountId: string
  custody: Custody
  attempts: number
  byState: Partial<Record<AttemptState, number>>
  /** The refusals, most frequent first. */
  declines: { code: string; count: number }[]
  /** From the start of an attempt to its outcome; null when none has one yet. */
  secondsToOutcome: { p50: number; p95: number; p99: number } | null
}

export interface ProviderHealth {
  since: Date
  until: Date
  accounts: AccountHealth[]
  /** The window holds more attempts than are counted. */
  isTruncated: boolean
}
