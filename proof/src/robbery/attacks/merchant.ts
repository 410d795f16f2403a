import { createPayee, paymentOf, type Gang } from '../gang.ts'
import * as requests from '../requests.ts'
import { sendAsMerchant, type OtherMerchant } from '../other-merchant.ts'
import { listSubjects } from '../subjects.ts'
import type { Heard } from '../thief.ts'
import { initiate, payIn, stopped, untilEnded, type Attack } from './attack.ts'

const { KE } = requests.corridors
const one = '1.00'

async function referenceOf(gang: Gang, paymentId: string): Promise<string | undefined> {
  const { rows } = await gang.installation.owner.query<{ reference: string }>(
    'select reference::text as reference from attempts where payment_id = $1 order by attempt_no desc limit 1',
    [paymentId],
  )
  return rows[0]?.reference
}

/** Begins the payment, has the provider send each message of the other merchant, and looks at what became of it. */
async function afterMessages(
  gang: Gang,
  { provider, paymentId }: { provider: string; paymentId: string | undefined },
  messages: readonly OtherMerchant[],
): Promise<Heard> {
  const reference = paymentId && (await referenceOf(gang, paymentId))
  if (!reference) return stopped('the payment did not begin')
  for (const message of messages)
    await sendAsMerchant(gang.installation.simulatorUrl, { provider, reference, message })
  return gang.ask({ method: 'GET', path: `/v1/payments/${paymentId}` })
}

/** The attack that once took 250,000 EUR by a genuine message about 1 EUR. */
const bankPayin: Attack = {
  name: 'a bank payin of 250,000 EUR, reported as paid by genuine messages about payments of another merchant',
  caughtBy: 'confirmed by nobody',
  hears: /^200 .*"status":"(processing|pending)"/,
  async run({ trader }) {
    const terms = { amount: 250_000 }
    const heard = await initiate(trader, requests.bankPayin({ country: 'DE', currency: 'EUR' }, terms))
    return afterMessages(trader, { provider: 'truelayer', paymentId: paymentOf(heard) }, [
      { state: 'completed', amount: one },
      { state: 'completed', amount: '250000.00' },
      { state: 'completed', amount: '250000.00', has_reference: false },
    ])
  },
}

const momoPayin = (digits: string): object => requests.momoPayin(KE, { amount: 60_000 }, digits)

const walletPayin: Attack = {
  name: 'a payin that nobody pays, reported as paid by a genuine message of pawaPay about another merchant',
  caughtBy: 'confirmed by nobody',
  hears: /^200 .*"status":"(processing|pending)"/,
  async run({ trader }) {
    const paymentId = paymentOf(await initiate(trader, momoPayin(requests.staysPending)))
    return afterMessages(trader, { provider: 'pawapay', paymentId }, [
      { state: 'completed', amount: one },
      { state: 'completed', amount: '60000.00' },
      { state: 'completed', amount: '60000.00', has_reference: false },
    ])
  },
}

const lateSuccess: Attack = {
  name: 'a payin that failed, reported as paid later by a genuine message about another merchant',
  caughtBy: 'confirmed by nobody',
  hears: /^200 .*"status":"failed"/,
  async run({ trader }) {
    const paymentId = paymentOf(await initiate(trader, momoPayin(requests.failsLater)))
    if (paymentId !== undefined) await untilEnded(trader, paymentId)
    const subjects = await listSubjects(trader.installation.owner, [trader.org.orgId])
    const provider = subjects.find(({ subject }) => subject === 'payin')?.provider ?? 'pawapay'
    return afterMessages(trader, { provider, paymentId }, [{ state: 'completed', amount: '60000.00' }])
  },
}

const lateFailure: Attack = {
  name: 'a payout that was paid, reported as failed by a genuine message about another merchant, and paid again',
  caughtBy: 'operator loses',
  hears: /^422 .*INSUFFICIENT_FUNDS/,
  async run({ trader }) {
    await payIn(trader, KE, 30_000)
    const payee = { beneficiaryId: await createPayee(trader, requests.momoPayee(KE)) }
    const payout = requests.momoPayout(KE, { amount: await wholeBalance(trader) }, payee)
    const paymentId = paymentOf(await initiate(trader, payout))
    if (paymentId !== undefined) await untilEnded(trader, paymentId)
    const heard = await afterMessages(trader, { provider: 'pawapay', paymentId }, [
      { state: 'failed', amount: one },
      { state: 'failed', amount: '30000.00' },
      { state: 'reversed', amount: '30000.00' },
    ])
    return heard.status === 200 ? initiate(trader, payout) : heard
  },
}

/** In KES, so that nothing is left to pay the second payout from. */
async function wholeBalance({ installation, org }: Gang): Promise<number> {
  const { rows } = await installation.owner.query<{ units: string }>(
    `select coalesce(sum(case when credit_account = 'available' and phase in ('posted', 'post') then amount_minor
                              when debit_account = 'available' and phase in ('posted', 'pending') then -amount_minor
                              when debit_account = 'available' and phase = 'void' then amount_minor
                              else 0 end), 0) / 100 as units
     from ledger_transfers where org_id = $1 and currency = 'KES'`,
    [org.orgId],
  )
  return Math.floor(Number(rows[0]?.units ?? 0))
}

/** Somebody with a real account at the same provider, which signs for all of its merchants with one key. */
export const merchantAttacks: readonly Attack[] = [bankPayin, walletPayin, lateSuccess, lateFailure]
