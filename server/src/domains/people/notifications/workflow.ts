import { z } from 'zod'
import {
  defineService,
  type EngineScope,
  type EngineService,
  type StepPolicy,
} from '../../../kernel/engine/service.ts'
import type { Clock } from '../../../lib/clock.ts'
import { purgeMailBudgets } from './purge-mail-budgets.ts'
import {
  recordSent,
  sendNotification,
  type NotificationDeps,
  type NotificationJob,
} from './send-notification.ts'

const input = z.object({ orgId: z.uuid(), notificationId: z.uuid() })

/** Retries for about two and a half hours; a longer outage of the mail server needs an operator. */
const patientSending: StepPolicy = { attempts: 40, firstDelayMs: 500, longestDelayMs: 5 * 60_000 }

const purging: StepPolicy = { attempts: 5, firstDelayMs: 1_000, longestDelayMs: 30_000 }

/** Tries that did not reach the mail server, because Postgres or a worker was down, are not counted as attempts. */
const engineTriesPerAttempt = 10

export const notificationService = (
  engine: EngineScope,
  deps: NotificationDeps & { clock: Clock },
  sending: StepPolicy = patientSending,
): EngineService =>
  defineService<{ send: NotificationJob; purge: object }>(engine, 'Notifications', {
    send: {
      input,
      retries: { ...sending, attempts: sending.attempts * engineTriesPerAttempt },
      async run(context, job) {
        const outcome = await context.untilDone('send', () => sendNotification(deps, job, sending.attempts))
        if (outcome === 'unrecorded') await context.untilDone('record', () => recordSent(deps, job))
      },
    },
    purge: {
      input: z.object({}),
      async run(context) {
        await context.step('purge', purging, () => purgeMailBudgets(deps))
      },
    },
  })
