import { openAccounts, type TestAccounts } from '../worlds/test-accounts.ts'
import { mobileMoneyPayin, type TestPayments } from '../worlds/test-payments.ts'

/** Freezes an account and lifts the freeze, and answers a verification request as the person who was asked. */
export async function freezeAndAnswer(t: TestPayments): Promise<TestAccounts> {
  const org = await openAccounts(t)
  const { account_id: id } = await org.open()
  await org.call('POST', `/v1/virtual-accounts/${id}/freeze`, { reason: 'Court order' })
  await org.call('POST', `/v1/virtual-accounts/${id}/unfreeze`)
  const asked = await org.call('POST', '/v1/users/notifications/verification-request', {
    user_id: org.userId,
    sender_id: org.userId,
    target_type: 'sender',
    transaction_id: await org.start(mobileMoneyPayin()),
    verification_type: 'bvn',
    triggered_by: 'compliance',
  })
  const link = t.deps.links.urlOf('verification', { orgId: org.orgId, id: asked.body.request_id })
  const headers = { 'content-type': 'application/x-www-form-urlencoded' }
  await t.call('POST', new URL(link).pathname, { rawBody: 'answer=22212345678', headers })
  return org
}

const freezeText = (reason: string, status: string, sequence: number): string =>
  `{"freeze_id":"ID","account_id":"ID","org_id":"ID","user_id":"ID","currency":"NGN","status":"${status}",` +
  `"reason":${reason},"updated_at":"TIME","sequence":${sequence}}`

/** The data of the events, with ids and times replaced by placeholders. */
export const frozenText = freezeText('"Court order"', 'frozen', 1)
export const unfrozenText = freezeText('null', 'active', 2)
export const submittedText =
  `{"request_id":"ID","transaction_id":"ID","org_id":"ID","target":"sender","user_id":"ID",` +
  `"verification_type":"bvn","updated_at":"TIME","sequence":1}`
