import { waitUntil } from '@switchyard/stack/services/wait-until.ts'
import { createPayee, fieldOf, paymentOf, quote, type Gang } from '../gang.ts'
import { forgeDeposit, forgeWebhook } from '../forge-webhook.ts'
import { setOwnWebhooks, type SignedProvider } from '../own-keys.ts'
import * as requests from '../requests.ts'
import { listSubjects } from '../subjects.ts'
import type { Heard } from '../thief.ts'
import {
  addConfig,
  addressOf,
  initiate,
  newestSubject,
  payIn,
  stopped,
  storeKeys,
  untilEnded,
  type Attack,
} from './attack.ts'

/** What is carried out later than this is found by the judges at the end of the run. */
const secondRouteMs = 10_000
const creditMs = 30_000
const kobo = 100n

type Opened = { accountId: string; number: string; custody: string | undefined }

async function openNairaAccount(gang: Gang): Promise<Opened | undefined> {
  const body = { org_id: gang.org.orgId, user_id: gang.org.admin.userId, currency: 'NGN' }
  const heard = await gang.ask({ method: 'POST', path: '/v1/virtual-accounts/internal/bank', body })
  const accountId = fieldOf(heard, 'account_id')
  const number = gang.notebook.all('account_number').findLast((known) => /^\d{10}$/.test(known))
  return accountId === undefined || number === undefined
    ? undefined
    : { accountId, number, custody: fieldOf(heard, 'custody') }
}

const withdraw = async (gang: Gang, accountId: string, amount: number): Promise<Heard> =>
  gang.ask({
    method: 'POST',
    path: `/v1/virtual-accounts/${accountId}/withdraw`,
    body: {
      beneficiary_id: await createPayee(gang, requests.nairaWallet),
      amount,
      description: 'loot',
      reference: `loot-${accountId}-${amount}`,
    },
  })

const forgedDeposit: Attack = {
  name: 'a deposit into an account at the installation’s Paystack, signed with invented keys, and its withdrawal',
  caughtBy: 'confirmed by nobody',
  hears: /^422 .*The available balance is too low/,
  async run({ hostile }) {
    const opened = await openNairaAccount(hostile)
    if (!opened) return stopped('no account was opened')
    await storeKeys(hostile, 'paystack', 'invented')
    const url = addressOf(hostile, 'paystack')
    if (url === undefined) return stopped('no webhook address is known')
    const deposit = { accountNumber: opened.number, amountMinor: 1_000_000n * kobo, currency: 'NGN' }
    await hostile.post(url, forgeDeposit(deposit, 'invented'))
    return withdraw(hostile, opened.accountId, 900_000)
  },
}

/** Begins a payin that nobody pays, and reports it as paid with the thief's own keys. */
const forgedPayin = (provider: SignedProvider, body: object, by: 'hostile' | 'unverified'): Attack => ({
  name: `a pending payin at the installation’s ${provider}, reported as paid with keys of its own making`,
  caughtBy: 'confirmed by nobody',
  hears: /^200 .*"status":"pending"/,
  async run({ [by]: gang }) {
    const paymentId = paymentOf(await initiate(gang, body))
    await storeKeys(gang, provider, 'invented')
    const [subject, url] = [await newestSubject(gang, provider), addressOf(gang, provider)]
    if (paymentId === undefined || !subject || url === undefined) return stopped('the payin did not begin')
    await gang.post(url, forgeWebhook({ ...subject, provider, outcome: 'completed' }, 'invented'))
    return gang.ask({ method: 'GET', path: `/v1/payments/${paymentId}` })
  },
})

const mixedCustody: Attack = {
  name: 'a deposit at its own Paystack account, transferred to a pooled account and withdrawn there',
  caughtBy: 'operator loses',
  hears: /^409 .*different custody/,
  async run({ hostile }) {
    const pooled =
      hostile.notebook.all('virtual_account_id')[0] ?? (await openNairaAccount(hostile))?.accountId
    await storeKeys(hostile, 'paystack', 'own')
    await addConfig(hostile, {
      provider: 'paystack',
      country: 'NG',
      direction: 'inbound',
      payment_method: 'bank_transfer',
    })
    const own = await openNairaAccount(hostile)
    if (own?.custody !== 'own' || pooled === undefined) return stopped('no account of its own was opened')
    await fetch(`${hostile.installation.simulatorUrl}/paystack/_bank/deposit`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ account_number: own.number, amount: 500_000 * 100 }),
    })
    await untilCredited(hostile, own.accountId)
    const moved = await hostile.ask({
      method: 'POST',
      path: `/v1/virtual-accounts/${own.accountId}/transfer`,
      body: { to_account_id: pooled, amount: 400_000, description: 'loot', reference: 'mixed custody' },
    })
    return moved.status < 300 ? withdraw(hostile, pooled, 300_000) : moved
  },
}

const untilCredited = (gang: Gang, accountId: string): Promise<unknown> =>
  waitUntil(
    async () => {
      const credit = `select from ledger_transfers where credit_account = 'va:' || $1`
      return (await gang.installation.owner.query(credit, [accountId])).rowCount !== 0
    },
    { what: `a deposit into ${accountId}`, timeoutMs: creditMs },
  )

const operatorsTokens: Attack = {
  name: 'tokens of the operator’s wallet for fiat that was collected at its own account',
  caughtBy: 'ramp without collection',
  hears: /^(200 .*"status":"pending"|422)/,
  async run({ hostile }) {
    const place = { country: 'UG', direction: 'inbound', payment_method: 'mobile_money' }
    await storeKeys(hostile, 'pawapay', 'own')
    await addConfig(hostile, { provider: 'pawapay', ...place })
    await addConfig(hostile, {
      provider: 'hybrid',
      country: 'UG',
      direction: 'external',
      payment_method: 'crypto',
    })
    const rate = await quote(hostile, 'UGX', 'USDC')
    if (!rate) return stopped('no rate was quoted')
    const body = requests.onRamp(requests.corridors.UG, { amount: 369_550, rate: rate.rate })
    const heard = await hostile.ask({ method: 'POST', path: '/v1/payments-init/ramp', body })
    const paymentId = paymentOf(heard)
    if (paymentId !== undefined) await untilEnded(hostile, paymentId, secondRouteMs)
    return heard
  },
}

/** Paystack takes the sentinel from the cents: the transfer is accepted, and the call is never answered. */
const inDoubt = { amount: 5_000.16 }

const replacedKeys: Attack = {
  name: 'keys of another account while a payout is in doubt, so that the next route pays it again',
  caughtBy: 'paid twice',
  hears: /^200 .*"Timeline/,
  async run({ hostile }) {
    const { KE } = requests.corridors
    await payIn(hostile, KE, 20_000)
    await storeKeys(hostile, 'paystack', 'own')
    await setOwnWebhooks(hostile.installation.simulatorUrl, 'paystack', null)
    const corridor = { country: 'KE', direction: 'outbound', payment_method: 'mobile_money' }
    await addConfig(hostile, { provider: 'paystack', ...corridor })
    const payee = { beneficiaryId: await createPayee(hostile, requests.momoPayee(KE)) }
    const heard = await initiate(hostile, requests.momoPayout(KE, inDoubt, payee))
    const replaced = await storeKeys(hostile, 'paystack', 'second')
    const paymentId = paymentOf(heard)
    if (paymentId === undefined || replaced.status !== 200) return replaced
    await untilSecondRoute(hostile, paymentId)
    await untilEnded(hostile, paymentId)
    return hostile.ask({ method: 'GET', path: `/v1/payments/${paymentId}/timeline` })
  },
}

/** Long enough for two inquiries that find nothing. */
const untilSecondRoute = (gang: Gang, paymentId: string): Promise<unknown> =>
  waitUntil(
    async () => {
      const attempts = 'select from attempts where payment_id = $1'
      return (await gang.installation.owner.query(attempts, [paymentId])).rowCount !== 1
    },
    { what: `a second route of ${paymentId}`, timeoutMs: secondRouteMs },
  ).catch(() => undefined)

const honestPayin: Attack = {
  name: 'the pending payin of another organisation, reported as paid at the thief’s own address',
  caughtBy: 'honest changed',
  hears: /^200 .*Received/,
  async run({ hostile, honest }) {
    await storeKeys(hostile, 'pawapay', 'own')
    const subjects = await listSubjects(hostile.installation.owner, [honest.org.orgId])
    const subject = subjects.find(({ provider, currency }) => provider === 'pawapay' && currency === 'UGX')
    const url = addressOf(hostile, 'pawapay')
    if (!subject || url === undefined) return stopped('there is nothing to steal')
    return hostile.post(url, forgeWebhook({ ...subject, provider: 'pawapay', outcome: 'completed' }, 'own'))
  },
}

/** In this order, because keys that are stored for a provider decide which account later payments use. */
export const custodyAttacks: readonly Attack[] = [
  forgedPayin(
    'paystack',
    requests.bankPayin({ country: 'NG', currency: 'NGN' }, { amount: 750_000.13 }),
    'unverified',
  ),
  forgedPayin('stripe', requests.cardPayin({ amount: 3_200 }, { number: requests.cardWithPage }), 'hostile'),
  forgedDeposit,
  mixedCustody,
  replacedKeys,
  operatorsTokens,
  honestPayin,
]
