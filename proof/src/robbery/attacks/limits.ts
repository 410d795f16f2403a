import { createPayee, paymentOf, quote } from '../gang.ts'
import { forgeWebhook } from '../forge-webhook.ts'
import { addPuppet } from '../moves/control.ts'
import { guardedPolicies, operatorMaximum } from '../rules.ts'
import * as requests from '../requests.ts'
import type { Heard } from '../thief.ts'
import { listSubjects } from '../subjects.ts'
import { addConfig, addressOf, initiate, payIn, stopped, storeKeys, type Attack } from './attack.ts'

const { KE, UG } = requests.corridors

const withoutBalance: Attack = {
  name: 'a payout of 90,000,000 with nothing in its balance',
  caughtBy: 'operator loses',
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
  async run({ unverified }) {
    await payIn(unverified, KE, 5_000)
    const payee = { beneficiaryId: await createPayee(unverified, requests.momoPayee(KE)) }
    return initiate(unverified, requests.momoPayout(KE, { amount: 1_000 }, payee))
  },
}

const liftedMaximum: Attack = {
  name: 'its own configuration of the installation’s account, with a higher maximum',
  caughtBy: 'outside the bounds',
  async run({ hostile }) {
    for (let part = 0; part < 2; part += 1) await payIn(hostile, KE, operatorMaximum.units)
    await addConfig(hostile, {
      provider: 'paystack',
      country: 'KE',
      direction: 'outbound',
      payment_method: 'mobile_money',
      max_amount: 1e9,
    })
    const payee = { beneficiaryId: await createPayee(hostile, requests.momoPayee(KE)) }
    return initiate(hostile, requests.momoPayout(KE, { amount: operatorMaximum.units + 5_000 }, payee))
  },
}

const otherCurrency: Attack = {
  name: 'a large payout that names another currency than the policy',
  caughtBy: 'four eyes',
  async run({ guarded }) {
    await payIn(guarded, UG, 2_000_000)
    const rate = await quote(guarded, 'UGX', 'KES')
    if (!rate) return stopped('no rate was quoted')
    const amount = 800_000
    return initiate(guarded, {
      ...requests.momoPayout(
        KE,
        { amount },
        { beneficiaryId: await createPayee(guarded, requests.momoPayee(KE)) },
      ),
      currency: 'UGX',
      target_amount: Math.floor(amount * rate.rate * 100) / 100,
      org_rate_id: rate.orgRateId,
    })
  },
}

const manySmall: Attack = {
  name: 'five payouts just under the policy',
  caughtBy: 'four eyes',
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
  async run({ guarded }) {
    const path = `/v1/organizations/${guarded.org.orgId}/approval-policies`
    const removed = await guarded.ask({ method: 'PUT', path, body: { policies: [] } })
    const payee = { beneficiaryId: await createPayee(guarded, requests.momoPayee(KE)) }
    const heard = await initiate(guarded, requests.momoPayout(KE, { amount: 50_000 }, payee))
    await guarded.ask({ method: 'PUT', path, body: { policies: guardedPolicies } })
    return removed.status === 200 ? heard : removed
  },
}

const puppets: Attack = {
  name: 'administrators of its own making approve its payout',
  caughtBy: 'four eyes',
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
    return heard
  },
}

const confirmedAlone: Attack = {
  name: 'a manual payment, confirmed by the person who started it',
  caughtBy: 'confirmed alone',
  async run({ hostile }) {
    const heard = await initiate(
      hostile,
      requests.bankPayin({ country: 'UG', currency: 'UGX' }, { amount: 5_000_000 }),
    )
    const path = `/v1/payments/${paymentOf(heard)}/confirm`
    return hostile.ask({ method: 'POST', path, body: { outcome: 'completed' } })
  },
}

const honestPayin: Attack = {
  name: 'the pending payin of another organisation, reported as paid at the thief’s own address',
  caughtBy: 'honest changed',
  async run({ hostile, honest }) {
    await storeKeys(hostile, 'pawapay', 'own')
    const subjects = await listSubjects(hostile.installation.owner, [honest.org.orgId])
    const subject = subjects.find(({ provider, currency }) => provider === 'pawapay' && currency === 'UGX')
    const url = addressOf(hostile, 'pawapay')
    if (!subject || url === undefined) return stopped('there is nothing to steal')
    return hostile.post(url, forgeWebhook({ ...subject, provider: 'pawapay', outcome: 'completed' }, 'own'))
  },
}

export const limitAttacks: readonly Attack[] = [
  withoutBalance,
  withoutVerification,
  liftedMaximum,
  otherCurrency,
  manySmall,
  policyAway,
  puppets,
  confirmedAlone,
  honestPayin,
]
