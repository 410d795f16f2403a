import type { Database } from '../../db/database.ts'
import type { Mailer } from '../../lib/mailer.ts'
import { notificationInProgress } from './errors.ts'
import { isTemplate, templates } from './rules.ts'
import { claimNotification, setNotificationStatus } from './store.ts'

export interface NotificationDeps {
  db: Database
  mailer: Mailer
}

const claimTimeoutSeconds = 30

/**
 * Sends a notice that has not been sent. Postgres remembers that it went, so a repeat by the engine is silent;
 * a crash between the mail server's yes and our commit repeats it under the same Message-ID.
 */
export async function sendNotification(
  deps: NotificationDeps,
  orgId: string,
  notificationId: string,
): Promise<void> {
  const claim = await deps.db.inOrg(orgId, (tx) =>
    claimNotification(tx, orgId, { notificationId, timeoutSeconds: claimTimeoutSeconds }),
  )
  if (claim.state === 'in_progress') throw notificationInProgress()
  if (claim.state !== 'claimed') return
  const { template, recipient, variables } = claim.notification
  if (!isTemplate(template)) throw new Error(`unknown template ${template}`)
  try {
    await deps.mailer.send({
      messageId: notificationId,
      to: recipient,
      subject: templates[template].subject(variables),
      text: templates[template].text(variables),
    })
  } catch (error) {
    await setStatus(deps, orgId, { notificationId, from: ['sending'], to: 'pending' })
    throw error
  }
  await setStatus(deps, orgId, { notificationId, from: ['sending'], to: 'sent' })
}

export const giveUpNotification = (
  deps: NotificationDeps,
  orgId: string,
  notificationId: string,
): Promise<void> => setStatus(deps, orgId, { notificationId, from: ['pending', 'sending'], to: 'failed' })

const setStatus = (
  deps: NotificationDeps,
  orgId: string,
  change: Parameters<typeof setNotificationStatus>[2],
): Promise<void> => deps.db.inOrg(orgId, (tx) => setNotificationStatus(tx, orgId, change))
