import { z } from 'zod'
import { dateTime, ok, success, uuid } from '../../../../lib/requests/wire.ts'
import type { AccountHealth, ProviderHealth } from './record.ts'
import { successRate } from './rules.ts'

const dayMinutes = 1_440
const decimal = z.number().meta({ format: 'decimal' })

export const healthQuery = z.object({
  window_minutes: z.coerce.number().int().min(1).max(dayMinutes).default(60),
  provider: z.string().min(1).max(40).optional(),
})

export const accountHealth = z
  .object({
    provider: z.string(),
    account_id: uuid,
    custody: z.enum(['pooled', 'own']),
    attempts: z.int(),
    outcomes: z.object({
      succeeded: z.int(),
      declined: z.int(),
      failed: z.int(),
      accepted: z.int().meta({ description: 'Under way at the provider.' }),
      unknown: z.int().meta({ description: 'The provider has not said what became of it.' }),
      not_sent: z.int(),
      sending: z.int(),
    }),
    success_rate: decimal
      .nullable()
      .meta({ description: 'Of the attempts with an outcome, the part that succeeded; from 0 to 1.' }),
    declines: z.array(z.object({ code: z.string(), count: z.int() })),
    seconds_to_outcome: z
      .object({ p50: decimal, p95: decimal, p99: decimal })
      .nullable()
      .meta({ description: 'From the start of an attempt to its outcome, the customer’s time included.' }),
  })
  .meta({ id: 'ProviderHealth' })

export const healthResponse = success(
  z.object({
    since: dateTime,
    until: dateTime,
    accounts: z.array(accountHealth),
    is_truncated: z
      .boolean()
      .meta({ description: 'The window holds more attempts than were counted. Choose a shorter one.' }),
  }),
)

const milliseconds = (seconds: number): number => Math.round(seconds * 1000) / 1000

export const toAccountHealth = (health: AccountHealth): z.input<typeof accountHealth> => {
  const { succeeded = 0, declined = 0, failed = 0, accepted = 0, unknown = 0 } = health.byState
  const { not_sent = 0, sending = 0 } = health.byState
  const seconds = health.secondsToOutcome
  return {
    provider: health.provider,
    account_id: health.accountId,
    custody: health.custody,
    attempts: health.attempts,
    outcomes: { succeeded, declined, failed, accepted, unknown, not_sent, sending },
    success_rate: successRate(health),
    declines: health.declines,
    seconds_to_outcome: seconds && {
      p50: milliseconds(seconds.p50),
      p95: milliseconds(seconds.p95),
      p99: milliseconds(seconds.p99),
    },
  }
}

export const toHealth = (health: ProviderHealth): z.input<typeof healthResponse> =>
  ok('What the attempts of this window show, the busiest account first.', {
    since: health.since.toISOString(),
    until: health.until.toISOString(),
    accounts: health.accounts.map(toAccountHealth),
    is_truncated: health.isTruncated,
  })
