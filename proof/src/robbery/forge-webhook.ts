import { createHmac, randomInt } from 'node:crypto'
import { secretOf, webhookSecretOf, type KeyKind, type SignedProvider } from './own-keys.ts'

/** What a forged message claims. */
export type Claim = {
  readonly provider: SignedProvider
  readonly subject: 'payin' | 'payout' | 'refund'
  readonly reference: string
  readonly providerRef: string | null
  readonly amountMinor: bigint
  readonly currency: string
  readonly outcome: 'completed' | 'failed'
}

type Forged = { readonly text: string; readonly headers: Readonly<Record<string, string>> }

const highestId = 2 ** 40
const json = { 'content-type': 'application/json' }

/** The message as the provider would write it, signed with keys of the thief's own making. */
export function forgeWebhook(claim: Claim, kind: KeyKind): Forged {
  const text = JSON.stringify(bodies[claim.provider](claim))
  return { text, headers: { ...json, ...signatureOf(claim.provider, kind, text) } }
}

/** A deposit into a virtual account at Paystack. */
export function forgeDeposit(
  deposit: { accountNumber: string; amountMinor: bigint; currency: string },
  kind: KeyKind,
): Forged {
  const text = JSON.stringify({
    event: 'charge.success',
    data: {
      id: randomInt(highestId),
      status: 'success',
      reference: `deposit-${randomInt(highestId)}`,
      amount: Number(deposit.amountMinor),
      currency: deposit.currency,
      channel: 'dedicated_nuban',
      authorization: { receiver_bank_account_number: deposit.accountNumber, sender_name: 'THIEF' },
    },
  })
  return { text, headers: { ...json, ...signatureOf('paystack', kind, text) } }
}

function signatureOf(provider: SignedProvider, kind: KeyKind, text: string): Record<string, string> {
  switch (provider) {
    case 'paystack':
      return { 'x-paystack-signature': createHmac('sha512', secretOf(kind)).update(text).digest('hex') }
    case 'stripe': {
      const seconds = Math.floor(Date.now() / 1_000)
      const signature = createHmac('sha256', webhookSecretOf(kind)).update(`${seconds}.${text}`).digest('hex')
      return { 'stripe-signature': `t=${seconds},v1=${signature}` }
    }
    case 'flutterwave':
      return { 'verif-hash': webhookSecretOf(kind) }
    case 'pawapay':
      return {}
  }
}

const bodies: Readonly<Record<SignedProvider, (claim: Claim) => object>> = {
  paystack: (claim) => ({ event: paystackEvent(claim), data: paystackData(claim) }),
  stripe: (claim) => ({
    object: 'event',
    id: `evt_${randomInt(highestId)}`,
    type: claim.subject === 'refund' ? 'refund.updated' : stripeIntentEvent(claim),
    created: Math.floor(Date.now() / 1_000),
    data: { object: stripeObject(claim) },
  }),
  flutterwave: ({ subject, reference, outcome, currency, amountMinor }) => ({
    event: subject === 'payin' ? 'charge.completed' : 'transfer.completed',
    data: {
      id: randomInt(highestId),
      ...(subject === 'payin' ? { tx_ref: reference } : { reference }),
      status: outcome === 'completed' ? 'successful' : 'failed',
      amount: Number(amountMinor) / 100,
      currency,
    },
  }),
  pawapay: ({ subject, reference, outcome, currency, amountMinor }) => ({
    [{ payin: 'depositId', payout: 'payoutId', refund: 'refundId' }[subject]]: reference,
    status: outcome === 'completed' ? 'COMPLETED' : 'FAILED',
    amount: String(amountMinor),
    currency,
  }),
}

function paystackEvent({ subject, outcome }: Claim): string {
  if (subject === 'refund') return outcome === 'completed' ? 'refund.processed' : 'refund.failed'
  const kind = subject === 'payin' ? 'charge' : 'transfer'
  return `${kind}.${outcome === 'completed' ? 'success' : 'failed'}`
}

const paystackData = ({ subject, reference, outcome, amountMinor, currency }: Claim): object => ({
  id: randomInt(highestId),
  status: outcome === 'completed' ? 'success' : 'failed',
  ...(subject === 'refund' ? { transaction_reference: reference } : { reference }),
  ...(subject === 'payout' && { transfer_code: `TRF_${randomInt(highestId)}` }),
  amount: Number(amountMinor),
  currency,
  ...(subject === 'payin' && { channel: 'card' }),
})

const stripeIntentEvent = ({ outcome }: Claim): string =>
  outcome === 'completed' ? 'payment_intent.succeeded' : 'payment_intent.payment_failed'

function stripeObject({ subject, reference, providerRef, amountMinor, currency, outcome }: Claim): object {
  const amount = Number(amountMinor)
  const common = {
    created: Math.floor(Date.now() / 1_000),
    amount,
    currency: currency.toLowerCase(),
    metadata: { switchyard_reference: reference, switchyard_flow: 'direct' },
  }
  if (subject === 'refund')
    return { ...common, object: 'refund', id: `re_${randomInt(highestId)}`, status: 'succeeded' }
  return {
    ...common,
    object: 'payment_intent',
    id: providerRef ?? `pi_${randomInt(highestId)}`,
    status: outcome === 'completed' ? 'succeeded' : 'requires_payment_method',
    amount_received: outcome === 'completed' ? amount : 0,
  }
}
