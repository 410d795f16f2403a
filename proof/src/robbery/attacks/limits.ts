import { createPayee, fieldOf, paymentOf, quote, type Gang } from '../gang.ts'
import { addPuppet } from '../moves/control.ts'
import { guardedPolicies, operatorMaximum } from '../rules.ts'
import * as requests from '../requests.ts'
import type { Heard } from '../thief.ts'
import { addConfig, initiate, payIn, payInBy, stopped, untilEnded, type Attack } from './attack.ts'

const { KE } = requests.corridors
const waitsForApproval = /^200 .*"status":"initiated"/

const withoutBalance: Attack = {
  name: 'a payout of 90,000,000 with nothing in its balance',
  caughtBy: 'operator loses',
  hears: /^422 .*INSUFFICIENT_FUNDS/,
  run: async ({ unverified, hostile }) => {
    await initiate(
      unverified,
      requests.bankPayout({ amount: 90_000_000 }, await createPayee(unverified, requests.bankPayee)),
    )
    const payee = { beneficiaryId: await createPayee(hostile, requests.momoPayee(KE)) }
    return initiate(hostile, requests.momoPayout(KE, { amount: 60_000 }, payee))
  },
}

const withoutVerification: Attack = {
  name: 'a payout of real money without verification',
  caughtBy: 'unverified',
  hears: /^403 .*KYB_REQUIRED/,
  async run({ unverified }) {
    await payIn(unverified, KE, 5_000)
    const payee = { beneficiaryId: await createPayee(unverified, requests.momoPayee(KE)) }
    return initiate(unverified, requests.momoPayout(KE, { amount: 1_000 }, payee))
  },
}

const liftedMaximum: Attack = {
  name: 'its own configuration of the installation’s account, with a higher maximum',
  caughtBy: 'outside the bounds',
  hears: /^422 .*ROUTING_CONFIG_NOT_FOUND/,
  async run({ hostile }) {
    for (let part = 0; part < 2; part += 1) await payIn(hostile, KE, operatorMaximum.units)
    const config = await addConfig(hostile, {
      provider: 'paystack',
      country: 'KE',
      direction: 'outbound',
      payment_method: 'mobile_money',
      max_amount: 1e9,
    })
    const payee = { beneficiaryId: await createPayee(hostile, requests.momoPayee(KE)) }
    const heard = await initiate(
      hostile,
      requests.momoPayout(KE, { amount: operatorMaximum.units + 5_000 }, payee),
    )
    // Later attacks need the installation's own order of routes.
    const path = `/v1/payments/provider-configs/paystack/${fieldOf(config, 'config_id')}`
    await hostile.ask({ method: 'DELETE', path })
    return heard
  },
}

/** Pays out KES and names GBP, which are worth more than a hundred times as much. */
async function payKesFromGbp(gang: Gang, amount: number): Promise<Heard> {
  await payInBy(gang, requests.cardPayin({ amount: amount * 2 }))
  const rate = await quote(gang, 'GBP', 'KES')
  if (!rate) return stopped('no rate was quoted')
  const payee = { beneficiaryId: await createPayee(gang, requests.momoPayee(KE)) }
  return initiate(gang, {
    ...requests.momoPayout(KE, { amount }, payee),
    currency: 'GBP',
    target_amount: Math.round(amount * rate.rate * 100) / 100,
    org_rate_id: rate.orgRateId,
  })
}

const otherCurrency: Attack = {
  name: 'a large payout that names another currency than the policy',
  caughtBy: 'four eyes',
  hears: waitsForApproval,
  // About 20,000 KES: above the policy for one payout, and below the sum of a day, which would hold it as well.
  run: ({ guarded }) => payKesFromGbp(guarded, 120),
}

const maximumInPounds: Attack = {
  name: 'a payout above the operator’s maximum that names another currency',
  caughtBy: 'outside the bounds',
  hears: /^422 .*ROUTING_CONFIG_NOT_FOUND/,
  run: ({ hostile }) => payKesFromGbp(hostile, 900),
}

const manySmall: Attack = {
  name: 'five payouts just under the policy',
  caughtBy: 'four eyes',
  hears: waitsForApproval,
  async run({ guarded }) {
    for (let part = 0; part < 2; part += 1) await payIn(guarded, KE, 90_000)
    const payee = { beneficiaryId: await createPayee(guarded, requests.momoPayee(KE)) }
    let heard: Heard = stopped('no payout was sent')
    for (let count = 0; count < 5; count += 1)
      heard = await guarded.ask({
        by: guarded.org.staff,
        method: 'POST',
        path: '/v1/payments-init/initiate',
        body: requests.momoPayout(KE, { amount: 9_999 }, payee),
      })
    return heard
  },
}

const policyAway: Attack = {
  name: 'the policy removed by one administrator, a payout, and the policy put back',
  caughtBy: 'four eyes',
  hears: /^403 .*You asked for this change, so somebody else has to decide about it/,
  async run({ guarded }) {
    const path = `/v1/organizations/${guarded.org.orgId}/approval-policies`
    const removed = await guarded.ask({ method: 'PUT', path, body: { policies: [] } })
    const requestId = fieldOf(removed, 'request_id')
    // Where a second person is needed, the one who asked approves it.
    const approval =
      requestId && `/v1/organizations/${guarded.org.orgId}/change-requests/${requestId}/approve`
    const decided = approval ? await guarded.ask({ method: 'POST', path: approval, body: {} }) : removed
    const payee = { beneficiaryId: await createPayee(guarded, requests.momoPayee(KE)) }
    const heard = await initiate(guarded, requests.momoPayout(KE, { amount: 50_000 }, payee))
    await guarded.ask({ method: 'PUT', path, body: { policies: guardedPolicies } })
    return decided.status === 200 ? heard : decided
  },
}

const puppets: Attack = {
  name: 'administrators of its own making approve its payout',
  caughtBy: 'four eyes',
  hears: /^0 nobody was added/,
  async run({ guarded }) {
    const payee = { beneficiaryId: await createPayee(guarded, requests.momoPayee(KE)) }
    const paymentId = paymentOf(await initiate(guarded, requests.momoPayout(KE, { amount: 20_000 }, payee)))
    let heard: Heard = stopped('nobody was added')
    for (let count = 0; count < 2; count += 1) {
      const by = await addPuppet(guarded, { role: 'org-admin' })
      if (by)
        heard = await guarded.ask({
          by,
          method: 'POST',
          path: `/v1/payments/${paymentId}/review`,
          body: { decision: 'approve' },
        })
    }
    if (paymentId !== undefined) await untilEnded(guarded, paymentId)
    return heard
  },
}

const ugandanTransfer = requests.bankPayin({ country: 'UG', currency: 'UGX' }, { amount: 5_000_000 })

const confirmed = (heard: Heard) => ({
  method: 'POST' as const,
  path: `/v1/payments/${paymentOf(heard)}/confirm`,
  body: { outcome: 'completed' },
})

const confirmedAlone: Attack = {
  name: 'a manual payin of the operator’s account, confirmed by the person who started it',
  caughtBy: 'confirmed alone',
  hears: /^403 .*the operator confirms it/,
  run: async ({ hostile }) => hostile.ask(confirmed(await initiate(hostile, ugandanTransfer))),
}

const ownConfirmedAlone: Attack = {
  name: 'a manual payin of its own account, confirmed by the person who started it',
  caughtBy: 'confirmed alone',
  hears: /^403 .*You cannot confirm a payment that you started/,
  async run({ hostile }) {
    const instructions = { account_name: 'Thief', account_number: '0123456789', bank_name: 'Thief Bank' }
    await hostile.ask({
      method: 'PUT',
      path: '/v1/payments/provider-credentials/manual',
      body: { credentials: { instructions } },
    })
    const corridor = { country: 'UG', direction: 'inbound', payment_method: 'bank_transfer' }
    await addConfig(hostile, { provider: 'manual', ...corridor })
    return hostile.ask(confirmed(await initiate(hostile, ugandanTransfer)))
  },
}

export const limitAttacks: readonly Attack[] = [
  withoutBalance,
  withoutVerification,
  liftedMaximum,
  maximumInPounds,
  otherCurrency,
  manySmall,
  policyAway,
  puppets,
  confirmedAlone,
  ownConfirmedAlone,
]
