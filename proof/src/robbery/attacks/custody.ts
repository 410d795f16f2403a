import { waitUntil } from '@switchyard/stack/services/wait-until.ts'
import { createPayee, fieldOf, paymentOf, quote, type Gang } from '../gang.ts'
import { forgeDeposit, forgeWebhook } from '../forge-webhook.ts'
import type { SignedProvider } from '../own-keys.ts'
import * as requests from '../requests.ts'
import type { Heard } from '../thief.ts'
import {
  addConfig,
  addressOf,
  initiate,
  newestSubject,
  statusOf,
  stopped,
  storeKeys,
  type Attack,
} from './attack.ts'

const settleMs = 20_000
const kobo = 100n

async function openNairaAccount(gang: Gang): Promise<{ accountId: string; number: string } | undefined> {
  const body = { org_id: gang.org.orgId, user_id: gang.org.admin.userId, currency: 'NGN' }
  const heard = await gang.ask({ method: 'POST', path: '/v1/virtual-accounts/internal/bank', body })
  const accountId = fieldOf(heard, 'account_id')
  const number = gang.notebook.all('account_number').findLast((known) => /^\d{10}$/.test(known))
  return accountId === undefined || number === undefined ? undefined : { accountId, number }
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
const forgedPayin = (provider: SignedProvider, body: object): Attack => ({
  name: `a pending payin at the installation’s ${provider}, reported as paid with keys of its own making`,
  caughtBy: 'confirmed by nobody',
  async run({ hostile }) {
    const paymentId = paymentOf(await initiate(hostile, body))
    await storeKeys(hostile, provider, 'invented')
    const [subject, url] = [await newestSubject(hostile, provider), addressOf(hostile, provider)]
    if (paymentId === undefined || !subject || url === undefined) return stopped('the payin did not begin')
    await hostile.post(url, forgeWebhook({ ...subject, provider, outcome: 'completed' }, 'invented'))
    return hostile.ask({ method: 'GET', path: `/v1/payments/${paymentId}` })
  },
})

const mixedCustody: Attack = {
  name: 'a deposit at its own Paystack account, transferred to a pooled account and withdrawn there',
  caughtBy: 'operator loses',
  async run({ hostile }) {
    const [pooled] = hostile.notebook.all('virtual_account_id')
    await storeKeys(hostile, 'paystack', 'own')
    const own = await openNairaAccount(hostile)
    if (!own || pooled === undefined) return stopped('no account was opened')
    await fetch(`${hostile.installation.simulatorUrl}/paystack/_bank/deposit`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ account_number: own.number, amount: 500_000 * 100 }),
    })
    const moved = await hostile.ask({
      method: 'POST',
      path: `/v1/virtual-accounts/${own.accountId}/transfer`,
      body: { to_account_id: pooled, amount: 400_000, description: 'loot', reference: 'mixed custody' },
    })
    return moved.status < 300 ? withdraw(hostile, pooled, 300_000) : moved
  },
}

const operatorsTokens: Attack = {
  name: 'tokens of the operator’s wallet for fiat that was collected at its own account',
  caughtBy: 'ramp without collection',
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
    if (paymentId !== undefined) await untilEnded(hostile, paymentId)
    return heard
  },
}

/** Gives the engine time; a payment that is still open is judged again at the end of the run. */
const untilEnded = (gang: Gang, paymentId: string): Promise<unknown> =>
  waitUntil(
    async () => !['processing', 'pending', 'initiated'].includes((await statusOf(gang, paymentId)) ?? ''),
    {
      what: `payment ${paymentId}`,
      timeoutMs: settleMs,
    },
  ).catch(() => undefined)

const replacedKeys: Attack = {
  name: 'keys of another account while a payout is in doubt, so that the next route pays it again',
  caughtBy: 'paid twice',
  async run({ hostile }) {
    const { UG } = requests.corridors
    await storeKeys(hostile, 'pawapay', 'own')
    await addConfig(hostile, {
      provider: 'pawapay',
      country: 'UG',
      direction: 'outbound',
      payment_method: 'mobile_money',
    })
    const payee = {
      beneficiaryId: await createPayee(hostile, requests.momoPayee(UG, requests.neverAnswered)),
      digits: requests.neverAnswered,
    }
    const heard = await initiate(hostile, requests.momoPayout(UG, { amount: 5_000 }, payee))
    const replaced = await storeKeys(hostile, 'pawapay', 'second')
    const paymentId = paymentOf(heard)
    if (paymentId !== undefined) await untilEnded(hostile, paymentId)
    return replaced
  },
}

export const custodyAttacks: readonly Attack[] = [
  forgedDeposit,
  forgedPayin('stripe', requests.cardPayin({ amount: 3_200 }, requests.cardWithPage)),
  forgedPayin('paystack', requests.bankPayin({ country: 'NG', currency: 'NGN' }, { amount: 750_000 })),
  mixedCustody,
  operatorsTokens,
  replacedKeys,
]
