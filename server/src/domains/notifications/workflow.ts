import { z } from 'zod'
import { defineService, type EngineService, type StepPolicy } from '../../engine/service.ts'
import {
  recordSent,
  sendNotification,
  type NotificationDeps,
  type NotificationJob,
} from './send-notification.ts'

const input = z.object({ orgId: z.uuid(), notificationId: z.uuid() })

/** About two and a half hours of trying; a mail server that is down for longer is somebody's incident. */
const patientSending: StepPolicy = { attempts: 40, firstDelayMs: 500, longestDelayMs: 5 * 60_000 }

/** Tries that did not reach the mail server, because Postgres or a worker was away, do not count as attempts. */
const engineTriesPerAttempt = 10

export const notificationService = (
  namespace: string,
  deps: NotificationDeps,
  sending: StepPolicy = patientSending,
): EngineService =>
  defineService<{ send: NotificationJob }>(namespace, 'Notifications', {
    send: {
      input,
      retries: { ...sending, attempts: sending.attempts * engineTriesPerAttempt },
      async run(context, job) {
        const outcome = await context.untilDone('send', () => sendNotification(deps, job, sending.attempts))
        if (outcome === 'unrecorded') await context.untilDone('record', () => recordSent(deps, job))
      },
    },
  })
