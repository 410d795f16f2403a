import { z } from 'zod'
import { defineService, isFinal, type EngineService } from '../../engine/service.ts'
import { giveUpNotification, sendNotification, type NotificationDeps } from './send-notification.ts'

const input = z.object({ orgId: z.uuid(), notificationId: z.uuid() })

/** About two hours of trying; a mail server that is down for longer is somebody's incident. */
const sending = { attempts: 40, firstDelayMs: 500, longestDelayMs: 5 * 60_000 }
const bookkeeping = { attempts: 20, firstDelayMs: 200, longestDelayMs: 30_000 }

export const notificationService = (namespace: string, deps: NotificationDeps): EngineService =>
  defineService<{ send: z.infer<typeof input> }>(namespace, 'Notifications', {
    send: {
      input,
      async run(context, { orgId, notificationId }) {
        try {
          await context.step('send', sending, () => sendNotification(deps, orgId, notificationId))
        } catch (error) {
          if (!isFinal(error)) throw error
          await context.step('give up', bookkeeping, () => giveUpNotification(deps, orgId, notificationId))
        }
      },
    },
  })
