import { paymentOf, quote, type Gang } from '../gang.ts'
import { ageByADay, setRate } from '../move-rate.ts'
import * as requests from '../requests.ts'
import { initiate, stopped, untilEnded, type Attack } from './attack.ts'

const [pound, naira] = ['GBP', 'NGN'] as const
/** Units per US dollar: the naira loses a third of its value while the thief waits. */
const [before, after] = [1530.25, 2295.375]
const amount = 300

/** Pays in by card and is credited in the currency that is about to fall. */
async function exchangedPayin(gang: Gang): Promise<string | undefined> {
  const rate = await quote(gang, pound, naira)
  if (!rate) return undefined
  const heard = await initiate(gang, {
    ...requests.cardPayin({ amount }),
    target_amount: Math.round(amount * rate.rate * 100) / 100,
    target_currency: naira,
    org_rate_id: rate.orgRateId,
  })
  const paymentId = paymentOf(heard)
  if (paymentId !== undefined) await untilEnded(gang, paymentId)
  return paymentId
}

const sameDay: Attack = {
  name: 'a refund on the same day of a payin whose currency has lost a third of its value',
  caughtBy: 'lost to a rate',
  hears: /^201 /,
  async run({ trader }) {
    const paymentId = await exchangedPayin(trader)
    if (paymentId === undefined) return stopped('no payin was exchanged')
    await setRate(trader.installation, naira, after)
    const body = { reason: 'robbery', amount: amount / 3 }
    const path = `/v1/payments/${paymentId}/refund`
    const heard = await trader.ask({ method: 'POST', path, body })
    await setRate(trader.installation, naira, before)
    return heard
  },
}

const aDayLater: Attack = {
  name: 'a refund a day later of a payin whose currency has lost a third of its value',
  caughtBy: 'lost to a rate',
  hears: /^201 /,
  async run({ trader }) {
    const paymentId = await exchangedPayin(trader)
    if (paymentId === undefined) return stopped('no payin was exchanged')
    await ageByADay(trader.installation, paymentId)
    await setRate(trader.installation, naira, after)
    const body = { reason: 'robbery', amount: amount / 3 }
    const heard = await trader.ask({ method: 'POST', path: `/v1/payments/${paymentId}/refund`, body })
    await setRate(trader.installation, naira, before)
    return heard
  },
}

/** The currency has lost so much that the trader’s balance does not cover what the pounds are worth. */
const allOfIt: Attack = {
  name: 'a refund a day later that costs more than the payin brought',
  caughtBy: 'lost to a rate',
  hears: /^422 .*INSUFFICIENT_FUNDS/,
  async run({ trader }) {
    const paymentId = await exchangedPayin(trader)
    if (paymentId === undefined) return stopped('no payin was exchanged')
    await ageByADay(trader.installation, paymentId)
    await setRate(trader.installation, naira, after * 1_000)
    const path = `/v1/payments/${paymentId}/refund`
    const heard = await trader.ask({ method: 'POST', path, body: { reason: 'robbery' } })
    await setRate(trader.installation, naira, before)
    return heard
  },
}

/** Somebody who asks for a refund when it is cheap. */
export const rateAttacks: readonly Attack[] = [sameDay, aDayLater, allOfIt]
