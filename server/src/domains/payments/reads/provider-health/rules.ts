import type { AccountHealth } from './record.ts'

/** The part of the attempts with an outcome that succeeded; null when none has one. */
export function successRate({ byState }: Pick<AccountHealth, 'byState'>): number | null {
  const { succeeded = 0, failed = 0, declined = 0 } = byState
  const ended = succeeded + failed + declined
  return ended === 0 ? null : Math.round((succeeded / ended) * 10_000) / 10_000
}
