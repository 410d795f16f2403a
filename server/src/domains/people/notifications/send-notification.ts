import type { Database } from '../../../kernel/db/database.ts'
import type { Vault } from '../../../kernel/db/vault.ts'
import type { Links } from '../../../lib/net/links.ts'
import type { Log } from '../../../lib/log.ts'
import type { Mailer } from '../../../lib/net/mailer.ts'
import { notificationInProgress } from './errors.ts'
import { openNotice } from './queue-notification.ts'
import type { ClaimedNotification } from './record.ts'
import { renderMail } from './render-mail.ts'
import { claimNotification, releaseNotification, setNotificationSent } from './store.ts'

export interface NotificationDeps {
  db: Database
  mailer: Mailer
  links: Links
  vault: Vault
  log: Log
}

export interface NotificationJob {
  orgId: string
  notificationId: string
}

/** `unrecorded`: the mail server accepted the mail, but Postgres could not record it. */
type SendOutcome = 'done' | 'unrecorded'

const claimTimeoutSeconds = 30

/**
 * Sends an unsent notice; throws to be retried. Postgres records the sending, so that repeats do nothing; a crash
 * before that commit repeats the mail under the same Message-ID.
 */
export async function sendNotification(
  deps: NotificationDeps,
  job: NotificationJob,
  attemptsLimit: number,
): Promise<SendOutcome> {
  const { orgId, notificationId } = job
  const claim = await deps.db.inOrg(orgId, (tx) =>
    claimNotification(tx, orgId, { notificationId, timeoutSeconds: claimTimeoutSeconds }),
  )
  if (claim.state === 'in_progress') throw notificationInProgress()
  if (claim.state !== 'claimed') return 'done'
  try {
    await deps.mailer.send({
      messageId: notificationId,
      ...(await composeMail(deps, job, claim.notification)),
    })
  } catch (error) {
    if (await hasAnotherTry(deps, job, { ...claim.notification, attemptsLimit })) throw error
    deps.log.error({ err: error, orgId, notificationId }, 'notice failed after its last attempt')
    return 'done'
  }
  return recordSent(deps, job).then(
    () => 'done',
    (error: unknown) => {
      deps.log.warn({ err: error, orgId, notificationId }, 'notice was sent but not recorded yet')
      return 'unrecorded'
    },
  )
}

async function composeMail(
  deps: NotificationDeps,
  { orgId, notificationId }: NotificationJob,
  notification: ClaimedNotification,
): Promise<ReturnType<typeof renderMail>> {
  const { link, privateSealed } = notification
  const opened = privateSealed ? await openNotice(deps.vault, orgId, { notificationId, privateSealed }) : {}
  const url = link && deps.links.urlOf(link.kind, { orgId, id: link.id })
  return renderMail({ ...notification, ...opened }, url)
}

export const recordSent = (
  deps: NotificationDeps,
  { orgId, notificationId }: NotificationJob,
): Promise<void> => deps.db.inOrg(orgId, (tx) => setNotificationSent(tx, orgId, notificationId))

/** Postgres counts the attempts, so that neither a lost engine nor a rebuild restarts the count. */
async function hasAnotherTry(
  deps: NotificationDeps,
  { orgId, notificationId }: NotificationJob,
  { attempts, attemptsLimit }: Pick<ClaimedNotification, 'attempts'> & { attemptsLimit: number },
): Promise<boolean> {
  const status = attempts < attemptsLimit ? 'pending' : 'failed'
  await deps.db.inOrg(orgId, (tx) => releaseNotification(tx, orgId, { notificationId, attempts, status }))
  return status === 'pending'
}
