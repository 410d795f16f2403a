import { z } from 'zod'
import { createPayee, fieldOf, paymentOf, type Gang } from '../gang.ts'
import type { Person } from '../people.ts'
import * as requests from '../requests.ts'
import type { Heard } from '../thief.ts'
import { addConfig, payIn, stopped, storeKeys, untilEnded, type Attack } from './attack.ts'

const { KE, UG } = requests.corridors

const setPolicies = (gang: Gang, policies: readonly object[]): Promise<Heard> =>
  gang.ask({
    method: 'PUT',
    path: `/v1/organizations/${gang.org.orgId}/approval-policies`,
    body: { policies },
  })

const approve = (gang: Gang, paymentId: string, by: Person): Promise<Heard> =>
  gang.ask({
    by,
    method: 'POST',
    path: `/v1/payments/${paymentId}/review`,
    body: { decision: 'approve' },
  })

const byStaff = async (gang: Gang, body: object): Promise<string | undefined> =>
  paymentOf(await gang.ask({ by: gang.org.staff, method: 'POST', path: '/v1/payments-init/initiate', body }))

/** Nobody has paid in any UGX, so whatever leaves an account of the installation is the operator's. */
const approvedElsewhere: Attack = {
  name: 'a payout of its own account, whose route is switched off before two people approve it',
  caughtBy: 'operator loses',
  hears: /^422 .*No provider is configured/,
  async run({ hostile }) {
    const { admin, accomplice } = hostile.org
    await storeKeys(hostile, 'pawapay', 'own')
    const corridor = { country: 'UG', direction: 'outbound', payment_method: 'mobile_money' }
    const config = fieldOf(await addConfig(hostile, { provider: 'pawapay', ...corridor }), 'config_id')
    const payee = { beneficiaryId: await createPayee(hostile, requests.momoPayee(UG)) }
    await setPolicies(hostile, [{ currency: 'UGX', payout_from: 1 }])
    const paymentId = await byStaff(hostile, requests.momoPayout(UG, { amount: 40_000 }, payee))
    await hostile.ask({ method: 'DELETE', path: `/v1/payments/provider-configs/pawapay/${config}` })
    if (paymentId === undefined || !accomplice) return stopped('no payout waited for approval')
    await approve(hostile, paymentId, admin)
    const heard = await approve(hostile, paymentId, accomplice)
    if (heard.status === 200) await untilEnded(hostile, paymentId)
    await dropPolicies(hostile, accomplice)
    return heard
  },
}

/** Later attacks are not about policies. */
async function dropPolicies(gang: Gang, by: Person): Promise<void> {
  const requestId = fieldOf(await setPolicies(gang, []), 'request_id')
  const path = `/v1/organizations/${gang.org.orgId}/change-requests/${requestId}/approve`
  await gang.ask({ by, method: 'POST', path, body: {} })
}

const keyList = z.object({ data: z.array(z.object({ api_key_id: z.string(), user_id: z.string() })) })

/** Whoever gets a new secret for a colleague's key approves as that colleague. */
const stolenKey: Attack = {
  name: 'a new secret for the key of the other administrator, who then approves',
  caughtBy: 'four eyes',
  hears: /^403 .*Only its owner can rotate a key/,
  async run({ guarded }) {
    const { absent } = guarded.installation.people.guarded
    await payIn(guarded, KE, 60_000)
    const payee = { beneficiaryId: await createPayee(guarded, requests.momoPayee(KE)) }
    const paymentId = await byStaff(guarded, requests.momoPayout(KE, { amount: 50_000 }, payee))
    const path = '/v1/public/api-keys'
    const { data: keys } = keyList.safeParse((await guarded.ask({ method: 'GET', path })).body)
    const stolen = keys?.data.find((key) => key.user_id === absent)
    if (!stolen || paymentId === undefined) return stopped('there is no key to steal')
    const rotated = await guarded.ask({
      method: 'POST',
      path: `${path}/${stolen.api_key_id}/rotate`,
      body: {},
    })
    const secret = fieldOf(rotated, 'api_key')
    if (secret === undefined) return rotated
    const headers = { authorization: 'NONE', 'x-api-key': secret }
    await approve(guarded, paymentId, guarded.org.admin)
    const heard = await approve(guarded, paymentId, { ...guarded.org.admin, name: 'impostor', headers })
    await untilEnded(guarded, paymentId)
    return heard
  },
}

/** What a review must not let pass; the first one needs that the thief has paid in no UGX yet. */
export const approvalAttacks: readonly Attack[] = [approvedElsewhere, stolenKey]
