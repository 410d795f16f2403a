import type { CompiledQuery } from 'kysely'
import { runStatements, type Tx } from '../../../kernel/db/database.ts'
import type { Vault } from '../../../kernel/db/vault.ts'
import { enqueue, enqueueStatement } from '../../../kernel/engine/outbox.ts'
import { newId } from '../../../lib/ids.ts'
import type { SealedNotice, NewNotification } from './record.ts'
import { languageOf } from './rules.ts'
import { insertNotification } from './store.ts'

export const notificationJob = (orgId: string, notificationId: string) => ({
  service: 'Notifications',
  handler: 'send',
  payload: { orgId, notificationId },
})

/** Runs in the caller's transaction: the notice is sent if and only if that commits. */
export async function queueNotification(
  tx: Tx,
  orgId: string,
  notification: NewNotification,
  requestId?: string,
): Promise<string> {
  const notificationId = notification.sealed?.notificationId ?? newId()
  await runStatements(tx, [insertNotification(orgId, withLanguage(notification, notificationId))])
  await enqueue(tx, orgId, {
    ...notificationJob(orgId, notificationId),
    ...(requestId !== undefined && { requestId }),
  })
  return notificationId
}

/** The same as statements of a batch. */
export function noticeStatements(
  orgId: string,
  notification: NewNotification,
  requestId: string,
): CompiledQuery[] {
  const notificationId = newId()
  return [
    insertNotification(orgId, withLanguage(notification, notificationId)),
    enqueueStatement(orgId, [{ ...notificationJob(orgId, notificationId), outboxId: newId(), requestId }]),
  ]
}

const withLanguage = (notification: NewNotification, notificationId: string) => ({
  ...notification,
  notificationId,
  language: notification.language ?? languageOf(notification.country ?? null),
})

type PrivateParts = Pick<NewNotification, 'recipient' | 'variables'>

const noticeContext = (notificationId: string): string => `notification ${notificationId}`

/** Call it before the transaction, because the vault may have to read a key. */
export async function sealNotice(
  vault: Vault,
  orgId: string,
  { subject, ...parts }: PrivateParts & { subject: string },
): Promise<SealedNotice> {
  const notificationId = newId()
  const privateSealed = await vault.seal(orgId, noticeContext(notificationId), parts, subject)
  return { notificationId, privateSealed }
}

export async function openNotice(
  vault: Vault,
  orgId: string,
  { notificationId, privateSealed }: SealedNotice,
): Promise<PrivateParts> {
  const opened = await vault.open(orgId, noticeContext(notificationId), privateSealed)
  return opened as PrivateParts // sealed by us from this type
}
