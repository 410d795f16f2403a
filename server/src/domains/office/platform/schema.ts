import { z } from 'zod'
import { dateTime, ok, success } from '../../../lib/requests/wire.ts'
import { accountHealth, toAccountHealth } from '../../payments/reads/provider-health/schema.ts'
import type { PlatformStatus } from './record.ts'

const platformStatus = z
  .object({
    version: z.string(),
    node_version: z.string(),
    postgres_version: z.string(),
    migrations: z.object({
      applied: z.int(),
      latest: z.string().nullable(),
      expected: z.int().meta({ description: 'How many this version brings with it.' }),
      is_current: z.boolean(),
    }),
    operators: z.int().meta({
      description: 'The operator’s people. The only one decides alone about what otherwise takes two.',
    }),
    engine: z.object({
      is_reachable: z.boolean(),
      deployments: z
        .array(
          z.object({
            id: z.string(),
            uri: z.string().nullable(),
            services: z.int(),
            created_at: z.string(),
          }),
        )
        .nullable()
        .meta({ description: 'Null when the admin address is not configured or does not answer.' }),
      paused_jobs: z
        .int()
        .nullable()
        .meta({ description: 'Jobs that used up their attempts and wait for a person.' }),
    }),
    outbox: z.object({ pending: z.int(), oldest_age_seconds: z.number().meta({ format: 'decimal' }) }),
    workers: z.int().meta({ description: 'Workers that are connected to the database now.' }),
    open_exceptions: z.object({
      total: z.int(),
      by_kind: z.array(z.object({ kind: z.string(), count: z.int() })),
    }),
    unreadable_payments: z.int().meta({
      description:
        'Payments that cannot be searched by their people, because their encrypted details cannot be opened.',
    }),
    providers: z.array(accountHealth).meta({ description: 'The attempts of the last hour.' }),
    backups: z.object({
      last_backup_at: dateTime.nullable(),
      is_known: z.boolean().meta({ description: 'False: backups are made outside and not reported here.' }),
    }),
    checked_at: dateTime,
  })
  .meta({ id: 'PlatformStatus' })

export const statusResponse = success(platformStatus)

export function toStatus(status: PlatformStatus): z.input<typeof statusResponse> {
  const { database, engine, outbox, openExceptions } = status
  const { applied, latest } = database.migrations
  return ok('The state of the installation.', {
    version: status.version,
    node_version: process.version.slice(1),
    postgres_version: database.postgresVersion,
    migrations: {
      applied,
      latest,
      expected: status.expectedMigrations.length,
      is_current: latest === status.expectedMigrations.at(-1),
    },
    operators: status.operators,
    engine: {
      is_reachable: engine.isReachable,
      deployments:
        engine.deployments?.map(({ id, uri, services, createdAt }) => ({
          id,
          uri: uri ?? null,
          services,
          created_at: createdAt,
        })) ?? null,
      paused_jobs: engine.pausedJobs,
    },
    outbox: { pending: outbox.pending, oldest_age_seconds: Math.round(outbox.oldestAgeSeconds * 10) / 10 },
    workers: database.workers,
    open_exceptions: {
      total: openExceptions.reduce((sum, { count }) => sum + count, 0),
      by_kind: openExceptions.map(({ kind, count }) => ({ kind, count })),
    },
    unreadable_payments: status.unreadablePayments,
    providers: status.providers.map(toAccountHealth),
    backups: { last_backup_at: null, is_known: false },
    checked_at: status.checkedAt.toISOString(),
  })
}
