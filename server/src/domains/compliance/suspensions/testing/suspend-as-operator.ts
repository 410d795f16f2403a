import { personBody } from '../../../../../test/app/people.ts'
import type { CallAnswer, Json, TestApp } from '../../../../../test/app/test-app.ts'

export const suspensionsPath = '/v1/platform/suspensions'

export const trySuspending = (
  t: TestApp,
  body: Json,
  as = t.seed.platformAdmin.api_key,
): Promise<CallAnswer> =>
  t.call('POST', suspensionsPath, { as, body: { reason: 'Suspicious payouts.', ...body } })

/** Returns the suspension's id. */
export async function suspend(t: TestApp, body: Json): Promise<string> {
  const answer = await trySuspending(t, body)
  if (answer.status !== 201) throw new Error(`nothing was suspended: ${answer.text}`)
  return answer.body.data.suspension_id
}

export const suspendOrganization = (t: TestApp, orgId: string): Promise<string> =>
  suspend(t, { kind: 'organization', subject_id: orgId })

export const tryLifting = (
  t: TestApp,
  suspensionId: string,
  as = t.seed.platformAdmin.api_key,
): Promise<CallAnswer> =>
  t.call('POST', `${suspensionsPath}/${suspensionId}/lift`, { as, body: { reason: 'It was a false alarm.' } })

/** The only operator of the installation lifts it at once. */
export async function lift(t: TestApp, suspensionId: string): Promise<void> {
  const answer = await tryLifting(t, suspensionId)
  if (answer.status !== 200) throw new Error(`the suspension was not lifted: ${answer.text}`)
}

/** Another member of the operator's organisation who may do everything, with a token. */
export async function addOperator(t: TestApp): Promise<{ userId: string; orgId: string; token: string }> {
  const { user_id: userId, email } = personBody()
  const { org_id: orgId } = t.seed.platformAdmin
  await t.owner.query(
    `insert into members (org_id, user_id, email, first_name, last_name, role)
     values ($1, $2, $3, 'Second', 'Operator', 'platform-admin')`,
    [orgId, userId, email],
  )
  return { userId, orgId, token: await t.identity.sign({ sub: userId, org_id: orgId }) }
}

/** Payouts to Nigerian banks have one provider in the seed, so that there is no other one to go to. */
export async function addSecondRoute(t: TestApp): Promise<void> {
  const corridor = { country: 'NG', payment_method: 'bank_transfer', direction: 'outbound' }
  const body = { provider: 'flutterwave', org_id: null, ...corridor, priority: 900 }
  const as = t.seed.platformAdmin.api_key
  const answer = await t.call('POST', '/v1/payments/provider-configs', { as, body })
  if (answer.status !== 201) throw new Error(`there is no second route: ${answer.text}`)
}
