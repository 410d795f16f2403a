import { expect } from 'vitest'
import { strayCard } from './canaries.ts'
import { cardPayin, mobileMoneyBeneficiary, mobileMoneyPayin } from '../worlds/payment-requests.ts'
import type { CallAnswer, CallOptions, Json } from '../app/test-app.ts'
import { cardForm, newPayer, type PageAnswer } from '../worlds/test-links.ts'
import { openPayments, type TestPayments } from '../worlds/test-payments.ts'

type Call = (method: string, path: string, options: CallOptions) => Promise<CallAnswer>

const spaced = (separator: string): string => strayCard.replaceAll(/(\d{4})(?=\d)/g, `$1${separator}`)
/** The ways in which a number is written where it does not belong. */
export const strayForms = [
  strayCard,
  spaced(' '),
  spaced('-'),
  spaced('\u200b'),
  strayCard.replaceAll(/\d/g, (digit) => String.fromCodePoint(0xff10 + Number(digit))),
]

/**
 * Sends a card number in fields that are not for one, and in its own field where only hosted cards are allowed. All of
 * these requests are refused.
 */
export async function sendStrayCards(t: TestPayments): Promise<CallAnswer[]> {
  const org = await openPayments(t)
  const key = (await org.call('POST', '/v1/public/api-keys', { name: 'stray' })).body.data.api_key
  const terms = { amount: 25, currency: 'GBP', country: 'GB' }
  const link = (await org.call('POST', `/v1/orgs/${org.orgId}/payment-links`, terms)).body.data
  const refused = await sendEverywhere((...request) => t.call(...request), key, org.orgId)
  expect(new Set(refused.map(({ status }) => status))).toEqual(new Set([400, 422]))
  const [shown, ...typed] = await typeStrayCard(link)
  expect([shown?.status, new Set(typed.map(({ status }) => status))]).toEqual([200, new Set([400, 422])])
  return [...refused, ...typed.map((answer) => ({ ...answer, body: undefined }))]
}

/** Sends a card number in texts, keys, headers, queries and paths, and as card_details where cards are hosted only. */
async function sendEverywhere(call: Call, as: string, orgId: string): Promise<CallAnswer[]> {
  const initiate = '/v1/payments-init/initiate'
  const answers: CallAnswer[] = []
  const send = async (method: string, path: string, options: CallOptions): Promise<void> => {
    answers.push(await call(method, path, { as, ...options }))
  }
  for (const text of strayForms) {
    for (const change of [
      { description: `Card ${text}` },
      { client_reference: text },
      { metadata: { note: { deep: [text] } } },
      { metadata: { [text]: true } },
      { payer_details: { name: text, email: 'a@b.co' } },
      { return_url: `https://shop.example/?card=${text}` },
      { card_number: text },
    ])
      await send('POST', initiate, { body: mobileMoneyPayin(change) })
    await send('POST', '/v1/beneficiaries', { body: mobileMoneyBeneficiary({ fname: text }) })
    await send('POST', '/v1/public/api-keys', { body: { name: text } })
    await send('PATCH', `/v1/organizations/${orgId}`, { body: { name: text } })
    await send('GET', `/v1/transactions?client_reference=${encodeURIComponent(text)}`, {})
  }
  for (const header of ['idempotency-key', 'x-request-id', 'user-agent'])
    await send('POST', initiate, { body: mobileMoneyPayin(), headers: { [header]: strayCard } })
  await send('PUT', `/v1/screening/addresses/${strayCard}`, { body: { verdict: 'deny', reason: 'a test' } })
  const card = { ...(cardPayin()['card_details'] as object), card_number: strayCard } // an object in every sample
  await call('PATCH', `/v1/organizations/${orgId}`, { as, body: { cards: 'hosted_only' } })
  await send('POST', initiate, { body: cardPayin({ card_details: card }) })
  return answers
}

/** Types the number into every field of a payment page that has no card form. */
async function typeStrayCard(link: Json): Promise<PageAnswer[]> {
  const payer = newPayer(link)
  const shown = await payer.get()
  const answers = [await payer.send(cardForm(strayCard))]
  for (const field of ['email', 'phone', 'amount', 'expiry', 'cvc', 'network', 'otp', 'extra'])
    for (const text of strayForms) answers.push(await payer.send({ method: 'card', [field]: text }))
  return [shown, ...answers]
}
